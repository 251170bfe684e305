/**
 * Answers one call: look-up, faults, parameters, then a read or a command, then the result. A call
 * never leaves the node half-changed: if it throws, the node from before is returned.
 */
import type { Outcome } from '../chain/outcome.ts'
import { stoppedMining } from '../chain/quorum.ts'
import { writeJson, type Plain } from '../codec/goJsonWrite.ts'
import { detached } from '../data/detached.ts'
import { isExpected, thrownInFull } from '../errors.ts'
import { noFault } from '../fault/decide.ts'
import { replyFaultOf, type ResultChange } from '../fault/effect.ts'
import { changedResult } from '../fault/changedResult.ts'
import type { FaultDecision } from '../fault/rule.ts'
import type { Answer } from '../node/answer.ts'
import { apply } from '../node/apply.ts'
import { effects, type Effects } from '../node/effects.ts'
import { withIncident, incidentError } from '../node/incidents.ts'
import type { Node, OwedRead } from '../node/node.ts'
import { unsliced } from '../node/mining.ts'
import { nodeSeen } from '../node/nodeSeen.ts'
import { hasQuirk } from '../settings/quirks.ts'
import type { CallRecord } from './callRecord.ts'
import type { Dialect, WireParams } from './dialect.ts'
import { RpcError } from './errors.ts'
import { givenOf } from './given.ts'
import { judgedCall } from './judgedCall.ts'
import { keepResult, paramsKey, resultsOf } from './keptResults.ts'
import { JsonText } from './result.ts'
import { assertCompleted, leave, LeavesCore } from './longReads.ts'
import { WaitingReply, type Context, type Method } from './method.ts'
import type { CallRun } from './callRun.ts'
import { QueryContext } from './queryContext.ts'

export type Called = Effects & {
  readonly answer: Answer | Pending
  readonly decision: FaultDecision
  readonly record: CallRecord
}

/**
 * A call that has to wait. `outcome` is the outcome of its command, if it has one; `read` is the
 * read that runs outside the core.
 */
export type Pending = {
  readonly waiting: WaitingReply
  readonly outcome: Outcome | undefined
  readonly read?: OwedRead
}

/** Returns the response to a call and the node after it. Never throws. */
export function answerCall(run: CallRun): Called {
  const { decision, node } = judge(run)
  const { terminal, at } = decision
  const lost = terminal !== undefined && at === 'before' && replyFaultOf(terminal).runsCall !== true
  const done: Executed = lost
    ? unchanged(node, { ok: undefined })
    : execute(node === run.node ? run : { ...run, node }, decision)
  const { outputs, events } = done
  const answer = faulted(run, done.answer, decision)
  const record = recordOf(run, answer, decision)
  return { node: done.node, outputs, events, answer, decision, record }
}

function judge(run: CallRun): { decision: FaultDecision; node: Node } {
  const { node, resumed } = run
  if (resumed !== undefined) return { decision: resumed.decision, node }
  const { active, open } = node.faults
  // The last rule may be used up already: a retry that then succeeds is recorded too.
  return active.length === 0 && open.size === 0 ? { decision: noFault, node } : judgedCall(run)
}

/**
 * Returns the answer after a fault. JSON-RPC errors replace the answer; other faults replace or cut
 * the whole response.
 */
function faulted(run: CallRun, answer: Answer | Pending, { terminal }: FaultDecision): Answer | Pending {
  if (terminal === undefined) return answer
  const { answer: change, keepsAnswer } = replyFaultOf(terminal)
  if (change === undefined) return keepsAnswer === true ? answer : { ok: undefined }
  if ('changes' in change) return changedAnswer(run, answer, change.changes)
  const { code, message, data } = change
  return { ok: false, error: { code, message, data } }
}

function changedAnswer(
  { dialect, call }: CallRun,
  answer: Answer | Pending,
  changes: readonly ResultChange[],
): Answer | Pending {
  if ('waiting' in answer || answer.ok !== true) return answer
  const change = (json: string): string => changedResult(json, changes)
  return dialect.changedAnswer?.(call.name, answer.text, change) ?? { ok: true, text: change(answer.text) }
}

type Executed = Effects & Pick<Called, 'answer'>

function execute(run: CallRun, { views }: FaultDecision): Executed {
  const { world, node, caller, dialect, call, resumed, recorded } = run
  if (recorded !== undefined && 'ok' in recorded) return unchanged(node, recorded)
  const method = dialect.table.byName.get(call.name)
  const isQuery = method?.kind === 'query'
  const read = resumed?.read
  const seen = read?.seen ?? (isQuery && views.length > 0 ? nodeSeen(node, views) : node)
  const context: Context = isQuery ? new QueryContext(run, seen) : { world, node: seen, caller, woken: resumed?.woken }
  try {
    if (read !== undefined) assertCompleted(resumed?.woken, read)
    if (method === undefined || !dialect.allows(method, context)) {
      return unchanged(node, { ok: false, error: dialect.unknownMethod(call.name, context) })
    }
    if (!caller.trusted && isGuarded(method, node)) throw new UntrustedOrigin(call.name)
    return perform(run, method, context)
  } catch (error) {
    return failed(run, context, error)
  }
}

function failed(run: CallRun, context: Context, error: unknown): Executed {
  try {
    if (!(error instanceof LeavesCore)) throw error
    const { node, outputs, ...answer } = leave(run, context.node, error)
    return { ...effects(node, outputs), answer: { ...answer, outcome: undefined } }
  } catch (final) {
    if (!isExpected(final)) return incident(run, final)
    return unchanged(run.node, { ok: false, error: run.dialect.errorOf(final, context) })
  }
}

/** Returns whether a method is refused to pages of untrusted origins. */
function isGuarded({ traits }: Method, { settings }: Node): boolean {
  return (
    traits.includes('changesWorld') || (traits.includes('usesAccounts') && !hasQuirk(settings, 'accounts-for-any-page'))
  )
}

// Node 20 takes up to 3 µs for a property behind a spread, so what runs for each call is written out.
function unchanged(node: Node, answer: Answer | Pending): Executed {
  const { events, outputs } = effects(node)
  return { node, events, outputs, answer }
}

function perform(run: CallRun, method: Method, context: Context): Executed {
  const { world, node, dialect, call, caller, resumed } = run
  if (method.kind === 'query') return unchanged(node, read(run, method, context))
  const params = dialect.decodeParams(method, call.params, context)
  if (resumed?.outcome !== undefined) {
    const { outcome } = resumed
    assertMined(context, outcome)
    return unchanged(node, answerOf(method, method.reply(context, outcome, params), outcome))
  }
  const command = method.command(context, params)
  const applied = apply(world, node, caller.atOnce === true ? unsliced(command) : command)
  const after: Context = { ...context, node: applied.node }
  const { outcome, outputs, events } = applied
  if (outcome.type === 'mining') {
    const waiting = new WaitingReply({ for: 'mining', id: outcome.id }, undefined)
    return { node: applied.node, outputs, events, answer: { waiting, outcome } }
  }
  // The command has been applied: an error in the reply must not undo it.
  const answer = replyOrError(dialect, after, () => {
    assertMined(after, outcome)
    return answerOf(method, method.reply(after, outcome, params), outcome)
  })
  return { node: applied.node, outputs, events, answer }
}

/** Throws if the blocks of a command were not all mined. */
function assertMined({ world, node }: Context, outcome: Outcome): void {
  if (outcome.type !== 'produced' || outcome.left === undefined) return
  const { heights, left } = outcome
  throw stoppedMining(world, node.chain, { blocks: heights.length + left, left })
}

function read(run: CallRun, method: Method, context: Context): Answer | Pending {
  const { dialect, call, meter } = run
  const results = resultsOf(run, method, context.node)
  const asked = results === undefined ? '' : paramsKey(call.params)
  const kept = results?.get(asked)
  if (kept !== undefined) {
    // A batch pauses after as much gas as it would without kept results.
    if (meter !== undefined) meter.used += kept.gas
    return { ok: true, text: kept.text }
  }
  const before = meter?.used ?? 0n
  const params = dialect.decodeParams(method, call.params, context)
  const answer = answerOf(method, method.read(context, params), undefined)
  if (results !== undefined && 'ok' in answer && answer.ok === true && method.isKept?.(params, context.node) === true) {
    keepResult(results, asked, { text: answer.text, gas: (meter?.used ?? 0n) - before })
  }
  return answer
}

function replyOrError(dialect: Dialect, context: Context, reply: () => Answer | Pending): Answer | Pending {
  try {
    return reply()
  } catch (error) {
    if (!isExpected(error)) throw error
    return { ok: false, error: dialect.errorOf(error, context) }
  }
}

function answerOf(method: Method, result: unknown, outcome: Outcome | undefined): Answer | Pending {
  if (result instanceof WaitingReply) return { waiting: result, outcome }
  const encoded = method.result.encode(result)
  return {
    ok: true,
    text: encoded instanceof JsonText ? encoded.text : writeJson(encoded as Plain),
  }
}

function incident({ node, caller, call }: CallRun, error: unknown): Executed {
  const where = `${caller.side} ${call.name} (input ${caller.seq}) ${JSON.stringify(call.params)}`
  const { node: next, number, output } = withIncident(node, `${where}\n${thrownInFull(error)}`)
  const told = incidentError(number)
  const answer = { ok: false, error: { ...told, data: JSON.stringify(told.data) } } as const
  return { ...effects(next, [output]), answer }
}

function recordOf(
  { caller, call, session, node }: CallRun,
  answer: Answer | Pending,
  decision: FaultDecision,
): CallRecord {
  const { seq, timeMs, side, transport } = caller
  const outcome = decision.terminal !== undefined ? 'fault' : 'ok' in answer && answer.ok === false ? 'error' : 'ok'
  return {
    seq,
    timeMs,
    height: node.chain.height,
    side,
    transport,
    method: detached(call.name),
    params: journalParams(call.params),
    session,
    outcome,
    faults: decision.applied,
    delayMs: decision.delayMs,
    attempt: decision.attempt,
    given: givenOf('ok' in answer ? answer : undefined, decision.terminal),
  }
}

/** Returns the parameters as text, cut to 4096 characters because the journal keeps many calls. */
function journalParams(params: WireParams): string {
  if (params.form === 'absent') return ''
  if (params.form === 'json') return detached(params.text.slice(0, 4096))
  return detached(JSON.stringify(Object.fromEntries(params.pairs)).slice(0, 4096))
}

/**
 * Thrown when a page of another origin calls a method that only trusted pages may call (design §8).
 */
export class UntrustedOrigin extends RpcError {
  constructor(method: string) {
    super(-32000, `${method} is not allowed from web pages of other origins: allow them with --allowed-origins`, {
      hint: 'Add the origin to --allowed-origins, or send the request without an Origin header.',
    })
  }
}
