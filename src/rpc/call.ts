/**
 * Answers one call: look-up, faults, parameters, then a read or a command, then the result. Nothing
 * a call does can leave the node half-changed: a thrown error gives back the node from before.
 */
import type { ChainEvent } from '../chain/event.ts'
import type { Outcome } from '../chain/outcome.ts'
import { writeJson, type Plain } from '../codec/goJsonWrite.ts'
import { AssertionFailed, SimError } from '../errors.ts'
import { noFault } from '../fault/decide.ts'
import type { FaultEffect } from '../fault/effect.ts'
import { changedResult } from '../fault/changedResult.ts'
import type { FaultClient, FaultDecision } from '../fault/rule.ts'
import type { Answer } from '../node/answer.ts'
import { apply } from '../node/apply.ts'
import type { Node } from '../node/node.ts'
import { nodeSeen } from '../node/nodeSeen.ts'
import type { Output } from '../node/output.ts'
import type { World } from '../node/world.ts'
import type { CallRecord } from './callRecord.ts'
import type { Dialect, WireParams } from './dialect.ts'
import { RpcError } from './errors.ts'
import { judgedCall } from './judgedCall.ts'
import { JsonText } from './result.ts'
import { Waiting, type Caller, type Context, type Method } from './method.ts'
import type { Call } from './transport.ts'

/** A call and where it runs. `resumed` is there when it has waited: its command is not repeated. */
export type CallRun = {
  readonly world: World
  readonly node: Node
  readonly dialect: Dialect
  readonly caller: Caller
  readonly call: Call
  readonly session: string
  readonly isBatch: boolean
  readonly client: FaultClient | undefined
  readonly resumed: Resumed | undefined
  /** What a recording answers in the method's place. */
  readonly recorded?: Answer | undefined
}

export type Resumed = {
  readonly outcome: Outcome | undefined
  readonly woken: NonNullable<Context['woken']>
  readonly decision: FaultDecision
}

export type Called = {
  readonly node: Node
  readonly outputs: readonly Output[]
  readonly events: readonly ChainEvent[]
  readonly answer: Answer | Pending
  readonly decision: FaultDecision
  readonly record: CallRecord
}

/** The call has to wait; `outcome` is what its command came to, if it has one. */
export type Pending = { readonly waiting: Waiting; readonly outcome: Outcome | undefined }

/** Returns the answer to a call with the node after it. Never throws. */
export function answerCall(run: CallRun): Called {
  const { decision, node } = judge(run)
  const { terminal, at } = decision
  const lost = terminal !== undefined && at === 'before' && !isCutShort(terminal)
  const done: Executed = lost
    ? { node, outputs: [], events: [], answer: { ok: undefined } }
    : execute({ ...run, node }, decision)
  const answer = faulted(done.answer, decision)
  return { ...done, answer, decision, record: recordOf(run, answer, decision) }
}

function judge(run: CallRun): { decision: FaultDecision; node: Node } {
  const { node, resumed } = run
  if (resumed !== undefined) return { decision: resumed.decision, node }
  const { active, open } = node.faults
  // A retry that succeeds after the last rule went off is told too.
  return active.length === 0 && open.size === 0 ? { decision: noFault, node } : judgedCall(run)
}

/** There is a response to damage only when the call was carried out. */
function isCutShort(effect: FaultEffect): boolean {
  switch (effect.type) {
    case 'reset': return effect.when !== 'beforeHeaders'
    case 'result':
    case 'body':
    case 'framing':
    case 'slowClose':
    case 'dribble': return true
    default: return false
  }
}

/**
 * A fault that speaks JSON-RPC answers in the call's place; others take the whole response, or cut
 * it.
 */
function faulted(answer: Answer | Pending, { terminal, at }: FaultDecision): Answer | Pending {
  if (terminal?.type === 'result') return changedAnswer(answer, terminal)
  if (terminal === undefined || isCutShort(terminal)) return answer
  if (terminal.type === 'reset' && at === 'after') return answer
  if (terminal.type !== 'rpcError') return { ok: undefined }
  const { code, message, data } = terminal
  return { ok: false, error: { code, message, data } }
}

function changedAnswer(
  answer: Answer | Pending, effect: Extract<FaultEffect, { type: 'result' }>,
): Answer | Pending {
  return 'waiting' in answer || answer.ok !== true
    ? answer : { ok: true, text: changedResult(answer.text, effect.changes) }
}

type Executed = Pick<Called, 'node' | 'outputs' | 'events' | 'answer'>

function execute(run: CallRun, { views }: FaultDecision): Executed {
  const { world, node, caller, dialect, call, resumed, recorded } = run
  if (recorded !== undefined) return unchanged(node, recorded)
  const isQuery = dialect.table.byName.get(call.name)?.kind === 'query'
  const seen = isQuery && views.length > 0 ? nodeSeen(node, views) : node
  const context: Context = { world, node: seen, caller, woken: resumed?.woken }
  try {
    const method = dialect.table.byName.get(call.name)
    if (method === undefined || !dialect.allows(method, context)) {
      return unchanged(node, { ok: false, error: dialect.unknownMethod(call.name, context) })
    }
    if (method.traits.includes('changesWorld') && !caller.trusted) {
      throw new UntrustedOrigin(call.name)
    }
    return perform(run, method, context)
  } catch (error) {
    if (error instanceof SimError && !(error instanceof AssertionFailed)) {
      return unchanged(node, { ok: false, error: dialect.errorOf(error, context) })
    }
    return incident(run, error)
  }
}

function unchanged(node: Node, answer: Answer): Executed {
  return { node, outputs: [], events: [], answer }
}

function perform(
  { world, node, dialect, call, resumed }: CallRun, method: Method, context: Context
): Executed {
  const params = dialect.decodeParams(method, call.params, context)
  if (method.kind === 'query') {
    return {
      node, outputs: [], events: [],
      answer: answerOf(method, method.read(context, params), undefined),
    }
  }
  if (resumed?.outcome !== undefined) {
    const { outcome } = resumed
    return {
      node, outputs: [], events: [],
      answer: answerOf(method, method.reply(context, outcome, params), outcome),
    }
  }
  const applied = apply(world, node, method.command(context, params))
  const after: Context = { ...context, node: applied.node }
  const { outcome, outputs, events } = applied
  // From here on the command has happened: an error of the reply must not take the node back.
  const answer = replyOrError(
    dialect, after, () => answerOf(method, method.reply(after, outcome, params), outcome)
  )
  return { node: applied.node, outputs, events, answer }
}

function replyOrError(
  dialect: Dialect, context: Context, reply: () => Answer | Pending
): Answer | Pending {
  try {
    return reply()
  } catch (error) {
    if (!(error instanceof SimError) || error instanceof AssertionFailed) throw error
    return { ok: false, error: dialect.errorOf(error, context) }
  }
}

function answerOf(method: Method, result: unknown, outcome: Outcome | undefined): Answer | Pending {
  if (result instanceof Waiting) return { waiting: result, outcome }
  const encoded = method.result.encode(result)
  return {
    ok: true, text: encoded instanceof JsonText ? encoded.text : writeJson(encoded as Plain),
  }
}

function incident({ node, caller, call }: CallRun, error: unknown): Executed {
  const number = node.counters.incident
  const cause = error instanceof Error
    ? `${error.name}: ${error.message}\n${error.stack ?? ''}` : String(error)
  return {
    node: { ...node, counters: { ...node.counters, incident: number + 1 } },
    outputs: [{
      kind: 'log', level: 'error',
      text: `incident ${number}: ${caller.side} ${call.name} (input ${caller.seq}) `
        + `${JSON.stringify(call.params)}\n${cause}`,
    }],
    events: [],
    answer: {
      ok: false,
      error: {
        code: -32603, message: 'Internal error',
        data: JSON.stringify(`incident ${number}: a bug in chainstage; its log says more`),
      },
    },
  }
}

function recordOf(
  { caller, call, session }: CallRun, answer: Answer | Pending, decision: FaultDecision
): CallRecord {
  const { seq, timeMs, side, transport } = caller
  const outcome = decision.terminal !== undefined
    ? 'fault'
    : 'ok' in answer && answer.ok === false
    ? 'error'
    : 'ok'
  return {
    seq, timeMs, side, transport, method: call.name, params: textOf(call.params), session, outcome,
    faults: decision.applied, delayMs: decision.delayMs, attempt: decision.attempt,
  }
}

/** Long ones are cut: the journal keeps many calls. */
function textOf(params: WireParams): string {
  if (params.form === 'absent') return ''
  if (params.form === 'json') return params.text.slice(0, 4096)
  return JSON.stringify(Object.fromEntries(params.pairs)).slice(0, 4096)
}

/** A page of another origin asked for something that only an operator may do (design §8). */
export class UntrustedOrigin extends RpcError {
  constructor(method: string) {
    super(-32000, `${method} is refused to pages of other origins`, {
      hint: 'Allow the origin by name with --allowed-origins, or call without an Origin header.',
    })
  }
}
