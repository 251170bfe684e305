/**
 * Answers requests from a recording instead of a chain. A request waits until its calls have
 * recorded responses and enters the queue together with them. Framing, faults, journal and
 * transports are those of every run.
 */
import { SimError, thrownText } from '../errors.ts'
import type { Answer } from '../node/answer.ts'
import type { InputBody } from '../plan/input.ts'
import type { RequestInput } from '../node/input.ts'
import type { World } from '../node/world.ts'
import { callKey, sentParams, type ParameterNames, keyOfNormalized } from '../recording/playback/callKey.ts'
import type { Player } from '../recording/playback/player.ts'
import { createSessions, type Sessions } from '../recording/playback/sessions.ts'
import { redactCall } from '../recording/redactCall.ts'
import { RpcError } from '../rpc/errors.ts'
import { codes } from '../rpc/eth/errors.ts'
import { methodOf, sides } from '../rpc/sides.ts'
import type { Call } from '../rpc/transport.ts'
import type { OnReply, Queue, Sinks } from './queue.ts'
import type { Answering, ModeAnswer } from './recordings/modes.ts'
import type { NodeRequest } from './recordings/askNode.ts'
import { isMining, minedAnswer, minedBy, staysError } from './playbackMining.ts'
import { idsOf, stoppedReply } from './stopped.ts'

/** A playback. It carries `createQueue`, so that this module is loaded only for playbacks. */
export type Playing = Playback & { readonly createQueue: typeof createPlayback }

type Playback = { readonly player: Player; readonly answering: Answering }

export type PlaybackOptions = Playback & {
  readonly world: World
  /** The queue of a chain that stands still. */
  readonly queue: Queue
  readonly push: Sinks['push']
}

type Waiting = {
  readonly request: RequestInput
  readonly onReply: OnReply
  readonly calls: readonly Call[]
  readonly answers: (Answer | undefined)[]
  isAsking: boolean
  /** Whether the client's connection has closed. */
  hasLeft: boolean
}

const everyMs = 10

/** Names of positional parameters of CometBFT RPC. */
export const cometNames: ParameterNames = (method) => {
  return methodOf({ side: 'comet', method })?.params.map(({ name }) => name) ?? []
}

/** Returns a queue whose requests are answered by a playback. */
export function createPlayback({ player, answering, world, queue, push }: PlaybackOptions): Queue {
  const waiting: Waiting[] = []
  const sessions = createSessions(player, push)
  const givenTo = givingOf({ player, answering }, { sessions, push, mining: miningOn(world, queue) })
  const timer = setInterval(turn, everyMs)
  let isStopped = false

  function enter(body: InputBody, onReply: OnReply = () => {}): void {
    if (body.kind === 'disconnected') dropClient(body.connection, waiting, [sessions, answering, player])
    if (body.kind === 'operator') {
      if (body.command.type === 'mine') return mine(body.command.count)
      if (body.command.type === 'produceBlock') return mine(1)
    }
    if (body.kind !== 'request' || isStopped) return queue.enter(body, onReply)
    const stamped = { ...body, seq: 0, timeMs: 0n, session: '' }
    const message = sides[body.side].read(stamped, queue.simulation().node, world)
    if (message.kind === 'response') return queue.enter(body, onReply)
    waiting.push({ request: body, onReply, calls: message.calls, answers: [], isAsking: false, hasLeft: false })
    turn()
  }

  function mine(blocks: number): void {
    player.mine(blocks)
    turn()
  }

  /** Sends pushes before responses: a response may show a block that subscribers receive now. */
  function turn(): void {
    player.advance(performance.now())
    sessions.tell()
    for (const asked of [...waiting]) {
      if (asked.isAsking || isHeldUp(asked, waiting) || !isAnswered(asked)) continue
      waiting.splice(waiting.indexOf(asked), 1)
      if (asked.hasLeft && asked.request.connection !== undefined) player.drop(asked.request.connection)
      queue.enter({ ...asked.request, recorded: asked.answers, head: BigInt(player.height()) }, asked.onReply)
    }
    sessions.tell()
  }

  function isAnswered(asked: Waiting): boolean {
    for (const call of asked.calls.slice(asked.answers.length)) {
      const given = guarded(() => givenTo(asked.request, call))
      if (given === 'wait') return false
      if (given instanceof Promise) {
        asked.isAsking = true
        void given.catch(failedAnswer).then((late) => {
          asked.isAsking = false
          take(asked, late)
          turn()
        })
        return false
      }
      take(asked, given)
    }
    return true
  }

  return {
    ...queue,
    enter,
    stop: () => {
      isStopped = true
      clearInterval(timer)
      answering.drop()
      for (const { request, onReply } of waiting.splice(0)) onReply(stoppedReply(idsOf(request)))
      queue.stop()
    },
  }
}

type Dropping = { readonly drop: (connection: number) => void }

/** Drops a client, and marks its waiting requests, whose answers would be noted for it again. */
function dropClient(connection: number, waiting: readonly Waiting[], holders: readonly Dropping[]): void {
  for (const one of holders) one.drop(connection)
  for (const asked of waiting) if (asked.request.connection === connection) asked.hasLeft = true
}

/** Returns a JSON-RPC error if `give` throws, so that a failure affects only one call. */
function guarded(give: () => ReturnType<Giving>): ReturnType<Giving> {
  try {
    return give()
  } catch (error) {
    return failedAnswer(error)
  }
}

/** Returns the answer to a call that failed. An error without a code of its own is an internal one. */
function failedAnswer(error: unknown): Answer {
  const text = thrownText(error)
  if (error instanceof RpcError) return refusedWith(error.rpcCode, text, error.data)
  return refusedWith(codes.internal, `chainstage: ${error instanceof SimError ? text : `bug in the playback: ${text}`}`)
}

function refusedWith(code: number, message: string, data?: string): Answer {
  return { ok: false, error: { code, message, data } }
}

/** Returns whether an earlier request blocks this one: CometBFT RPC answers in order. */
function isHeldUp(asked: Waiting, waiting: readonly Waiting[]): boolean {
  const { connection, side } = asked.request
  if (connection === undefined || side !== 'comet') return false
  return waiting.find(({ request }) => request.connection === connection) !== asked
}

function take({ answers }: Waiting, given: ModeAnswer): void {
  if (given !== 'wait') answers.push(given === 'carryOut' ? undefined : given)
}

type Giving = (request: RequestInput, call: Call) => ModeAnswer | Promise<ModeAnswer>

/** The number of blocks that a call mines, and the answer to it. */
type Mining = {
  readonly blocks: (request: RequestInput, call: Call) => number
  readonly answer: (request: RequestInput, call: Call) => Answer
}

function miningOn(world: World, { simulation }: Queue): Mining {
  return {
    blocks: (request, call) => minedBy(world, simulation().node, request, call),
    answer: (request, call) => minedAnswer(world, simulation().node, request, call),
  }
}

type Serving = { readonly sessions: Sessions; readonly push: Sinks['push']; readonly mining: Mining }

/** Returns a function that answers a call from the cursor, the subscriptions or the recording. */
function givingOf({ player, answering }: Playback, { sessions, push, mining }: Serving): Giving {
  /** Moves the cursor. The recording or the node that the mode asks answers, if there is one. */
  function mine(asked: NodeRequest, request: RequestInput): ModeAnswer | Promise<ModeAnswer> {
    const isGiven = player.has(asked.key) || answering.asksNode
    const blocks = blocksOf(asked, request, isGiven)
    // The cursor may wait for this very call before it moves on.
    const given = isGiven ? answering.answer(asked, performance.now()) : 'wait'
    const before = player.height()
    player.mine(blocks)
    if (given !== 'wait' && given !== 'carryOut') return given
    if (!isGiven && blocks > 0 && player.height() === before) throw staysError(asked.side, before)
    return mining.answer(request, asked.call)
  }

  /** A call that chainstage would refuse mines nothing. Only the recording or the node may answer it. */
  function blocksOf({ call }: NodeRequest, request: RequestInput, isGiven: boolean): number {
    try {
      return mining.blocks(request, call)
    } catch (error) {
      if (!isGiven) throw error
      return 0
    }
  }

  return (request, call) => {
    const { side, connection } = request
    const toClient = (text: string) => {
      if (connection !== undefined) push([connection], text)
    }
    // Our own server answers gRPC reflection and health checks.
    if (side === 'grpc' && call.name.startsWith('grpc.')) return 'carryOut'
    const asked: NodeRequest = { side, call, key: requestKey(request, call), connection, push: toClient }
    if (isMining(side, call)) return mine(asked, request)
    const left = answering.leave(asked)
    if (left !== undefined) return left
    const own = sessions.serve(request, call, asked.key)
    if (own !== undefined && !('key' in own)) return own
    // Our node refuses calls with an unknown subscription or filter, unless the mode asks a node.
    if (own !== undefined && !player.has(own.key) && !answering.asksNode) return 'carryOut'
    const meant = own !== undefined && player.has(own.key) ? { ...asked, key: own.key } : asked
    return answering.answer(meant, performance.now())
  }
}

function requestKey({ side }: RequestInput, { name, params }: Call): string {
  const sent = sentParams(params)
  const isNone = typeof sent === 'string' && /^(?:\[\s*\]|\{\s*\}|null)?$/.test(sent)
  try {
    const call = redactCall({ side, method: name, params: isNone ? '' : sent }, cometNames)
    return callKey(call, cometNames)
  } catch {
    return keyOfNormalized(side, name, null)
  }
}
