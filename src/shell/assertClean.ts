/** Finds what a passing test may have hidden. */
import { SimError } from '../errors.ts'
import { maskedText } from '../fault/openCalls.ts'
import { unusedFaults } from '../scenario/unusedFaults.ts'
import { sideTitles } from '../settings/side.ts'
import { recentCalls } from '../simulation/journal.ts'
import type { Exchange } from './exchanges.ts'
import type { Instance } from './ports.ts'

/**
 * Methods that clients call to find out whether a node has them, and do without if not. viem calls
 * `eth_fillTransaction` before it sends; no released Cosmos EVM node has it.
 */
const probes: ReadonlySet<string> = new Set(['eth_fillTransaction'])

/** Throws `NotClean` with every problem, one a line. */
export function assertClean({ simulation, exchanges }: Instance): void {
  const { node, progress, journal } = simulation()
  const rules = node.faults.active.map(({ rule }) => rule)
  const unused = unusedFaults(rules, node.faults.counts, recentCalls(journal))
  const problems = [
    ...progress.failures.map(({ step, text }) => `step ${step}: ${text}`),
    ...(node.counters.incident > 1 ? [`${node.counters.incident - 1} internal errors (see the log)`] : []),
    ...node.faults.masked.map(maskedText),
    ...unused.map(({ name, near }) => `the fault "${name}" is on, but was never applied${near}`),
    ...exchanges.recent().flatMap(unanswered),
  ]
  if (problems.length > 0) throw new NotClean(problems)
}

/** Says which calls of an exchange have no method, or no recorded answer; probes do not count. */
function unanswered({ side, request, answer = '' }: Exchange): readonly string[] {
  if (!/"code":-(?:32601|32070)\b/.test(answer)) return []
  const asked = listed(request)
  const answers = listed(answer)
  const calls = asked.filter((call, index) => {
    const found = call.id === undefined ? answers[index] : answers.find(({ id }) => id === call.id)
    return found?.error?.code === -32601 || found?.error?.code === -32070
  })
  // A long text is cut and cannot be read; a GET has no body.
  const named =
    asked.length === 0
      ? [request]
      : calls.filter(({ method = '' }) => !probes.has(method)).map((call) => JSON.stringify(call))
  const api = sideTitles[side]
  return named.map((call) => `${api} cannot answer ${call.slice(0, 120)}`)
}

type Message = {
  readonly id?: unknown
  readonly method?: string
  readonly error?: { readonly code: number }
}

/** Returns the messages of a batch, or the one message; none where the text is no JSON. */
function listed(text: string): readonly Message[] {
  try {
    return [JSON.parse(text) as Message | readonly Message[]].flat()
  } catch {
    return []
  }
}

/**
 * Expectations that failed, internal errors, faults that hit nothing or that nobody noticed, calls
 * that nothing answers.
 */
export class NotClean extends SimError {
  constructor(problems: readonly string[]) {
    super('NOT_CLEAN', problems.join('\n'), {
      hint: 'Fix these problems even if the test passes: they can hide real failures.',
    })
  }
}
