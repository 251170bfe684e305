import { nearest } from '../data/nearest.ts'
import { fits } from '../fault/match.ts'
import { actionsOf, type Plan } from '../plan/plan.ts'
import { cometTable } from '../rpc/comet/index.ts'
import { devTable } from '../rpc/dev/index.ts'
import { ethTable } from '../rpc/eth/index.ts'

/** A method name with more wrong letters than this was hardly meant to be another: `eth_sendBundle` is a method too. */
const wrongLettersMost = 2

/**
 * Returns a warning for each fault and counter of a scenario that names a method which no interface serves, if its
 * name is almost that of one. It is no error, because a fault may answer for methods of other nodes.
 */
export function misspeltMethods(plan: Plan): readonly string[] {
  const served = [...cometTable.methods, ...ethTable.methods, ...devTable.methods].map(({ name }) => name)
  const warnings = (subject: string, methods: readonly string[] = []) =>
    methods.flatMap((method) => {
      if (served.some((name) => fits(method, name))) return []
      const near = nearest(method, served, wrongLettersMost)
      return near === undefined
        ? []
        : [`${subject} ${method}, a method that no interface serves; did you mean ${near}?`]
    })
  const used = actionsOf(plan).flatMap((action) => (action.type === 'useFault' ? (action.rule ?? []) : []))
  return [
    ...[...plan.faults, ...used].flatMap(({ name, match }) => warnings(`the fault "${name}" matches`, match.methods)),
    ...(plan.counters ?? []).flatMap(({ match }) =>
      match.type === 'call' ? warnings('the scenario counts calls of', match.methods) : [],
    ),
  ]
}
