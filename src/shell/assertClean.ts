/** Finds problems that a passing test may have hidden. */
import { SimError } from '../errors.ts'
import { maskedText } from '../fault/openCalls.ts'
import { ownCodes } from '../rpc/ownCodes.ts'
import { unusedFaults } from '../scenario/unusedFaults.ts'
import { sideTitles } from '../settings/side.ts'
import { recentCalls } from '../simulation/journal.ts'
import type { Exchange } from './exchanges.ts'
import type { Instance } from './ports.ts'

/**
 * Optional methods that clients try and do not depend on. viem calls `eth_fillTransaction` before
 * it sends a transaction. evmd serves it, chainstage only with the quirk `undocumented-methods`.
 */
const probes: ReadonlySet<string> = new Set(['eth_fillTransaction'])

/** Throws `NotClean` with all problems of a chain, one per line, if there are any. */
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

const methodNotFound = -32601
const unansweredCodes: ReadonlySet<unknown> = new Set([methodNotFound, ownCodes.notRecorded])

/** Describes the calls of an exchange without a method or a recorded response, except probes. */
function unanswered({ side, request, answer = '' }: Exchange): readonly string[] {
  if (![...unansweredCodes].some((code) => answer.includes(`"code":${code}`))) return []
  const asked = listed(request)
  const answers = listed(answer)
  const calls = asked.filter((call, index) => {
    const found = call.id === undefined ? answers[index] : answers.find(({ id }) => id === call.id)
    return unansweredCodes.has(found?.error?.code)
  })
  // A long text is truncated and cannot be parsed; a GET has no body.
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

/** Returns the messages of a batch, or a single message; an empty list if the text is not JSON. */
function listed(text: string): readonly Message[] {
  try {
    return [JSON.parse(text) as Message | readonly Message[]].flat()
  } catch {
    return []
  }
}

/**
 * The chain has failed expectations, internal errors, faults that never matched or that a retry
 * hid, or calls without a response.
 */
export class NotClean extends SimError {
  constructor(problems: readonly string[]) {
    super('NOT_CLEAN', problems.join('\n'), {
      hint: 'Fix these problems even if the test passes: they can hide real failures.',
    })
  }
}
