/**
 * Serves one request: reads its message, answers its calls one by one, writes one response. If a
 * call has to wait, the whole request waits and keeps the earlier answers.
 */
import { addDue, removeDueWhere } from '../data/agenda.ts'
import { thrownInFull } from '../errors.ts'
import { judgesPreflights, noFault } from '../fault/decide.ts'
import { replyFaultOf } from '../fault/effect.ts'
import type { FaultDecision } from '../fault/rule.ts'
import type { WireEffect } from '../fault/wire.ts'
import type { Answer } from '../node/answer.ts'
import type { Performed, RequestInput, Stamp } from '../node/input.ts'
import type { Node, Owed } from '../node/node.ts'
import { concat, effects, type Effects, type Told } from '../node/effects.ts'
import { incidentReply, withIncident } from '../node/incidents.ts'
import type { ReplyOutput } from '../node/output.ts'
import type { World } from '../node/world.ts'
import { answerCall, type Called, type Pending } from './call.ts'
import type { CallRecord } from './callRecord.ts'
import { dialectOfPath, dialectOfTool } from './devDialects.ts'
import { faultedFrame } from './faultedFrame.ts'
import { judgedCall } from './judgedCall.ts'
import { type Paused, pausedBatch, resumedOf } from './longReads.ts'
import type { Caller } from './method.ts'
import type { Settings } from '../settings/settings.ts'
import { sides } from './sides.ts'
import type { Call, Framed, Side } from './transport.ts'
import type { Resumed } from './callRun.ts'

export type Served = Effects & { readonly records: readonly CallRecord[] }

type Request = Stamp & RequestInput

/** Returns the node after a request and its outputs: pushes, then the reply unless it is owed. */
export function serveRequest(world: World, node: Node, request: Request): Served {
  return serve({ world, side: sides[request.side] }, node, request)
}

/** Answers the waiting call of a request again, with the reason for which it was woken. */
export function serveOwed(world: World, node: Node, owed: Owed, woken: 'event' | 'timeout' | Performed): Served {
  return resume({ world, side: sides[owed.request.side] }, { node, owed, woken })
}

/** The world and side of a request; tests replace the table of sides with it. */
export type ServingSide = { readonly world: World; readonly side: Side }

/** Does what `serveRequest` does, on a given side. */
export function serve(place: ServingSide, node: Node, request: Request): Served {
  // Go's server answers it itself.
  if (request.verb === 'OPTIONS' && request.target === '*') {
    const framed = { status: 200, headers: [], body: '' }
    return respond({ ...effects(node), records: [] }, request, { framed, calls: [], decisions: [] })
  }
  if (request.verb === 'OPTIONS' && judgesPreflights(node.faults)) {
    return preflight(place, node, request)
  }
  const { connection } = request
  const isBusy =
    place.side.isSerial &&
    connection !== undefined &&
    node.owed.some((one) => one.request.connection === connection && one.request.side === request.side)
  if (isBusy) {
    const waiting = owedOf(request, { answers: [], decisions: [], outcome: undefined })
    return { ...effects({ ...node, owed: [...node.owed, waiting] }), records: [] }
  }
  return run(place, request, { node, answers: [], decisions: [], resumed: undefined })
}

/** Answers a CORS preflight with status 204; the shell adds the headers. */
function preflight({ world, side }: ServingSide, node: Node, request: Request): Served {
  const call: Call = { name: 'OPTIONS', params: { form: 'absent' }, id: 'null' }
  const { session, client } = request
  const judged = judgedCall({
    world,
    node,
    dialect: side.dialect,
    caller: callersOf(request, side)(call, node.settings),
    call,
    session,
    client,
    isBatch: false,
    resumed: undefined,
  })
  return respond({ ...effects(judged.node), records: [] }, request, {
    framed: { status: 204, headers: [], body: '' },
    calls: [call],
    decisions: [judged.decision],
  })
}

export type Waking = {
  readonly node: Node
  readonly owed: Owed
  readonly woken: 'event' | 'timeout' | Performed
}

/** Does what `serveOwed` does, on a given side; then serves the messages that waited for it. */
export function resume(place: ServingSide, { node, owed, woken }: Waking): Served {
  const decision = owed.decisions[owed.answers.length] ?? noFault
  const first = answered(place, owed, {
    node: without(node, owed),
    answers: owed.answers,
    decisions: owed.decisions.slice(0, owed.answers.length),
    resumed: resumedOf(owed, woken, decision),
  })
  return nextInTurn(place, first, owed.request.connection)
}

/** Answers a request that waited. A bug answers it with an incident, so that those behind it get their turn. */
function answered(place: ServingSide, { stamp, request }: Owed, before: RequestProgress): Served {
  try {
    return run(place, { ...stamp, ...request }, before)
  } catch (error) {
    const what = `request ${stamp.seq}, which waited`
    const { node, number, output } = withIncident(before.node, `${what}\n${thrownInFull(error)}`)
    return { ...effects(node, [output, incidentReply(stamp.seq, number)]), records: [] }
  }
}

function without(node: Node, { stamp: { seq }, deadlineMs }: Owed): Node {
  return {
    ...node,
    owed: node.owed.filter((one) => one.stamp.seq !== seq),
    ...(deadlineMs !== undefined && {
      agenda: removeDueWhere(node.agenda, ({ item }) => item.type === 'giveUp' && item.seq === seq),
    }),
  }
}

/** Answers the messages of a connection that waited for their turn, until one has to wait for something else. */
function nextInTurn(place: ServingSide, first: Served, connection: number | undefined): Served {
  if (!place.side.isSerial || connection === undefined) return first
  let { node } = first
  const all = [first]
  for (;;) {
    const next = node.owed.find((one) => one.request.connection === connection)
    if (next?.wait.for !== 'turn') break
    const one = answered(place, next, { node: without(node, next), answers: [], decisions: [], resumed: undefined })
    node = one.node
    all.push(one)
  }
  return {
    node,
    outputs: all.flatMap(({ outputs }) => outputs),
    events: all.flatMap(({ events }) => events),
    records: all.flatMap(({ records }) => records),
  }
}

type RequestProgress = {
  readonly node: Node
  readonly answers: readonly Answer[]
  readonly decisions: readonly FaultDecision[]
  readonly resumed: Resumed | undefined
}

function run(place: ServingSide, request: Request, before: RequestProgress): Served {
  const { world, side } = place
  // A read that left the core is shown with the height of the state that it saw.
  const message = side.read(request, before.resumed?.read?.seen ?? before.node, world)
  if (message.kind === 'response') {
    return { ...effects(before.node, [replyOf(request, message.framed)]), records: [] }
  }
  let { node } = before
  const answers = [...before.answers]
  const decisions = [...before.decisions]
  const calls: Called[] = []
  const meter = { used: 0n }
  const callerFor = callersOf(request, side)
  for (let index = before.answers.length; index < message.calls.length; index++) {
    const call = message.calls[index]
    if (call === undefined) break
    const paused = pausedBatch(node, meter)
    if (paused !== undefined) {
      const { records, ...told } = effectsOf(calls)
      const next = owe(paused.node, request, { answer: paused.answer, answers, decisions })
      return { ...concat(told, effects(next, paused.outputs)), records }
    }
    const resumed = index === before.answers.length ? before.resumed : undefined
    const caller = callerFor(call, node.settings)
    const called = answerCall({
      world,
      node,
      dialect: side.dialect,
      call,
      session: request.session,
      caller,
      resumed,
      client: request.client,
      isBatch: message.calls.length > 1,
      recorded: request.recorded?.[index],
      meter,
    })
    node = called.node
    calls.push(called)
    decisions.push(called.decision)
    const { answer } = called
    if ('waiting' in answer)
      return {
        ...effectsOf(calls),
        node: owe(node, request, { answer, answers, decisions }),
      }
    answers.push(answer)
    if (answer.ok === false && answer.error.isFatal === true) break
  }
  const { outputs, events, records } = effectsOf(calls)
  return respond({ node, outputs, events, records }, request, {
    framed: message.frame(answers),
    calls: message.calls,
    decisions,
  })
}

function effectsOf(calls: readonly Called[]): Told & Pick<Served, 'records'> {
  const [only] = calls
  if (only !== undefined && calls.length === 1 && !('waiting' in only.answer)) {
    return { outputs: only.outputs, events: only.events, records: [only.record] }
  }
  return {
    outputs: calls.flatMap((one) => one.outputs),
    events: calls.flatMap((one) => one.events),
    // A waiting call is recorded when it is answered.
    records: calls.filter(({ answer }) => !('waiting' in answer)).map((one) => one.record),
  }
}

/** Returns the callers of a request's calls: only their ids differ while the settings stay the same. */
function callersOf(request: Request, side: Side): (call: Call, settings: Settings) => Caller {
  const { connection, trusted, seq, timeMs, atOnce, tool, target } = request
  const transport = side.transportOf(request)
  const named = dialectOfPath(target)
  return ({ id }, settings) => {
    const dialect = named ?? dialectOfTool(tool, settings)
    return { side: request.side, dialect, transport, id, connection, trusted, seq, timeMs, atOnce }
  }
}

type Debt = {
  readonly answer: Pending | Paused['answer']
  readonly answers: readonly Answer[]
  readonly decisions: readonly FaultDecision[]
}

function owe(node: Node, request: Request, { answer, answers, decisions }: Debt): Node {
  const { waiting, ...rest } = answer
  const deadlineMs = waiting.timeoutMs === undefined ? undefined : node.nowMs + waiting.timeoutMs
  const owed = {
    ...owedOf(request, { answers, decisions, outcome: undefined }),
    ...rest,
    wait: waiting.wait,
    deadlineMs,
  }
  const agenda =
    deadlineMs === undefined ? node.agenda : addDue(node.agenda, deadlineMs, { type: 'giveUp', seq: request.seq })
  return { ...node, owed: [...node.owed, owed], agenda }
}

function owedOf(request: Request, rest: Pick<Owed, 'answers' | 'decisions' | 'outcome'>): Owed {
  const { seq, timeMs, session, ...body } = request
  const stamp = { seq, timeMs, session }
  return { ...rest, stamp, request: body, wait: { for: 'turn' }, deadlineMs: undefined }
}

type Response = {
  readonly framed: Framed
  readonly calls: readonly Call[]
  readonly decisions: readonly FaultDecision[]
}

/** Sends the response now, or after the longest delay of its faults. */
function respond(served: Served, request: Request, { framed, calls, decisions }: Response): Served {
  if (decisions.every((one) => one === noFault)) {
    return { ...served, outputs: [...served.outputs, replyOf(request, framed)] }
  }
  // Other faults only change the answer of their call.
  const terminal = decisions.findIndex((one) => {
    const { message, wire: below } = replyFaultOf(one.terminal)
    return (message ?? below) !== undefined
  })
  const decision = decisions[terminal]
  const final = decision === undefined ? framed : faultedFrame(framed, decision, calls[terminal]?.id ?? 'null')
  const { wire, afterMs = 0 } = replyFaultOf(decision?.terminal)
  const reply = replyOf(request, final, wire)
  const slowestMs = decisions.reduce((most, one) => (one.delayMs > most ? one.delayMs : most), 0n)
  const delayMs = slowestMs + BigInt(afterMs)
  if (delayMs === 0n) return { ...served, outputs: [...served.outputs, reply] }
  const { node } = served
  const agenda = addDue(node.agenda, node.nowMs + delayMs, { type: 'deliver', output: reply })
  return { ...served, node: { ...node, agenda } }
}

function replyOf({ seq }: Stamp, framed: Framed, wire?: WireEffect): ReplyOutput {
  const { status, headers, body, bytes, trailers, cors } = framed
  const isUsual = bytes === undefined && trailers === undefined && cors === undefined
  return isUsual ? { kind: 'reply', seq, status, headers, body, wire } : { kind: 'reply', seq, ...framed, wire }
}
