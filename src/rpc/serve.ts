/**
 * Serves one request: reads its message, answers its calls one by one, and writes one response. A call
 * that has to wait makes the whole request wait; what was answered before it is kept.
 */
import type { ChainEvent } from '../chain/event.ts'
import type { Outcome } from '../chain/outcome.ts'
import { addDue } from '../data/agenda.ts'
import type { FaultDecision } from '../fault/rule.ts'
import type { Answer } from '../node/answer.ts'
import type { Performed, RequestInput, Stamp } from '../node/input.ts'
import type { Node, Owed } from '../node/node.ts'
import type { Output, ReplyOutput, WireEffect } from '../node/output.ts'
import type { World } from '../node/world.ts'
import { answerCall, type Called } from './call.ts'
import type { CallRecord } from './callRecord.ts'
import type { Caller } from './method.ts'
import { sides } from './sides.ts'
import type { Call, Framed, Side } from './transport.ts'

export type Served = {
  readonly node: Node
  readonly outputs: readonly Output[]
  readonly events: readonly ChainEvent[]
  readonly records: readonly CallRecord[]
}

type Request = Stamp & RequestInput

/** Returns the node after a request and what leaves: pushes it caused, then its reply, unless that is owed. */
export function serveRequest(world: World, node: Node, request: Request): Served {
  return run(world, request, { node, answers: [], resumed: undefined })
}

/** Answers a request that waited: the call that waited is answered again, knowing why it was woken. */
export function serveOwed(world: World, node: Node, owed: Owed, woken: 'event' | 'timeout' | Performed): Served {
  const rest = { ...node, owed: node.owed.filter((one) => one !== owed) }
  return run(world, { ...owed.stamp, ...owed.request }, {
    node: rest, answers: owed.answers, resumed: { outcome: owed.outcome, woken },
  })
}

type Progress = {
  readonly node: Node
  readonly answers: readonly Answer[]
  readonly resumed: { readonly outcome: Outcome | undefined; readonly woken: 'event' | 'timeout' | Performed } | undefined
}

function run(world: World, request: Request, { node: start, answers: before, resumed }: Progress): Served {
  const side = sides[request.side]
  const message = side.read(request, start, world)
  if (message.kind === 'response') {
    return { node: start, outputs: [replyOf(request, message.framed, undefined)], events: [], records: [] }
  }
  let node = start
  const answers = [...before]
  const calls: Called[] = []
  const effects = () => ({
    outputs: calls.flatMap((one) => one.outputs), events: calls.flatMap((one) => one.events),
    records: calls.map((one) => one.record),
  })
  for (const [index, call] of message.calls.entries()) {
    if (index < before.length) continue
    const isResumed = index === before.length ? resumed : undefined
    const called = answerCall({
      world, node, dialect: side.dialect, call, session: request.session,
      caller: callerOf(request, call, side), resumed: isResumed,
    })
    node = called.node
    calls.push(called)
    if ('waiting' in called.answer) {
      const { waiting, outcome } = called.answer
      return { ...effects(), node: owe(node, { request, answers, outcome, wait: waiting.wait, timeoutMs: waiting.timeoutMs }) }
    }
    answers.push(called.answer)
  }
  const { outputs, events, records } = effects()
  return respond({ node, outputs, events, records }, request, {
    framed: message.frame(answers), calls: message.calls, decisions: calls.map((one) => one.decision),
  })
}

function callerOf(request: Request, call: Call, side: Side): Caller {
  return {
    side: request.side, transport: side.transportOf(request), connection: request.connection, id: call.id,
    trusted: request.trusted, seq: request.seq, timeMs: request.timeMs,
  }
}

type Debt = { request: Request; answers: readonly Answer[]; outcome: Outcome | undefined; wait: Owed['wait']; timeoutMs: bigint }

function owe(node: Node, { request, answers, outcome, wait, timeoutMs }: Debt): Node {
  const { seq, timeMs, session, ...rest } = request
  const deadlineMs = node.nowMs + timeoutMs
  const owed: Owed = { stamp: { seq, timeMs, session }, request: rest, answers, outcome, wait, deadlineMs }
  return { ...node, owed: [...node.owed, owed], agenda: addDue(node.agenda, deadlineMs, { type: 'giveUp', seq }) }
}

type Response = { framed: Framed; calls: readonly Call[]; decisions: readonly FaultDecision[] }

/** Sends the response now, or when the slowest fault lets it go. */
function respond(served: Served, request: Request, { framed, calls, decisions }: Response): Served {
  const terminal = decisions.findIndex(({ terminal: effect }) => effect !== undefined && effect.type !== 'rpcError')
  const decision = decisions[terminal]
  const final = decision === undefined ? framed : faultFrame(framed, decision, calls[terminal]?.id ?? 'null')
  const reply = replyOf(request, final, wireOf(decision))
  const delayMs = decisions.reduce((most, one) => (one.delayMs > most ? one.delayMs : most), 0n)
  if (delayMs === 0n) return { ...served, outputs: [...served.outputs, reply] }
  const agenda = addDue(served.node.agenda, served.node.nowMs + delayMs, { type: 'deliver', output: reply })
  return { ...served, node: { ...served.node, agenda } }
}

function faultFrame(framed: Framed, { terminal }: FaultDecision, id: string): Framed {
  if (terminal?.type !== 'http') return framed
  const { status, headers, body } = terminal
  return { status, headers: [['Content-Type', 'application/json'], ...headers], body: body.replaceAll('"$id"', id) }
}

function wireOf(decision: FaultDecision | undefined): WireEffect | undefined {
  const effect = decision?.terminal
  if (effect?.type === 'hang') return { type: 'hang' }
  return effect?.type === 'reset' ? { type: 'reset', when: effect.when } : undefined
}

function replyOf({ seq }: Stamp, { status, headers, body }: Framed, wire: WireEffect | undefined): ReplyOutput {
  return { kind: 'reply', seq, status, headers, body, wire }
}
