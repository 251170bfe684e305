/**
 * Stands where the queue stands when a recording answers instead of a chain: framing, transports and
 * listeners are those of every run.
 */
import type { Answer } from '../node/answer.ts'
import type { InputBody, RequestInput } from '../node/input.ts'
import type { World } from '../node/world.ts'
import { callKey, type Names } from '../recording/playback/callKey.ts'
import type { Player } from '../recording/playback/player.ts'
import { createSessions } from '../recording/playback/sessions.ts'
import { redactCall } from '../recording/redact/call.ts'
import { sides } from '../rpc/sides.ts'
import type { Call, Message } from '../rpc/transport.ts'
import type { Simulation } from '../simulation.ts'
import type { OnReply, Queue, Sinks } from './queue.ts'

export type PlaybackOptions = {
  readonly player: Player
  readonly world: World
  /** A chain that stands still: framing asks it for settings only. */
  readonly simulation: Simulation
  readonly push: Sinks['push']
}

type Asked = {
  readonly request: RequestInput
  readonly onReply: OnReply
  readonly message: Extract<Message, { kind: 'calls' }>
  readonly answers: Answer[]
}

const everyMs = 10

/** Names of positional parameters of interface A. */
export const cometNames: Names = (method) => {
  const params = sides.comet.dialect.table.byName.get(method)?.params ?? []
  return params.map(({ name }) => name)
}

/** Returns a queue that is answered by a playback. */
export function createPlayback({ player, world, simulation, push }: PlaybackOptions): Queue {
  const waiting: Asked[] = []
  const sessions = createSessions(player, push)
  let seq = 0
  const timer = setInterval(turn, everyMs)

  function enter(body: InputBody, onReply: OnReply = () => {}): void {
    seq += 1
    if (body.kind === 'disconnected') return sessions.drop(body.connection)
    if (body.kind !== 'request') return
    const stamped = { ...body, seq, timeMs: 0n, session: '' }
    const message = sides[body.side].read(stamped, simulation.node, world)
    if (message.kind === 'response') return onReply({ kind: 'reply', seq, wire: undefined, ...message.framed })
    waiting.push({ request: body, onReply, message, answers: [] })
    turn()
  }

  /** Pushes first: an answer may tell of a block that subscribers hear of at the same moment. */
  function turn(): void {
    player.advance(performance.now())
    sessions.tell()
    for (const asked of [...waiting]) {
      if (isHeldUp(asked) || !answered(asked)) continue
      waiting.splice(waiting.indexOf(asked), 1)
      const framed = asked.message.frame(asked.answers)
      asked.onReply({ kind: 'reply', seq, wire: undefined, ...framed })
    }
    sessions.tell()
  }

  /** Interface A answers the messages of one connection in order. */
  function isHeldUp(asked: Asked): boolean {
    const { connection, side } = asked.request
    if (connection === undefined || side !== 'comet') return false
    return waiting.find(({ request }) => request.connection === connection) !== asked
  }

  function answered({ request, message, answers }: Asked): boolean {
    for (const call of message.calls.slice(answers.length)) {
      const answer = answerOf(request, call)
      if (answer === undefined) return false
      answers.push(answer)
    }
    return true
  }

  function answerOf(request: RequestInput, call: Call): Answer | undefined {
    const key = keyOf(request, call)
    const own = sessions.serve(request, call, key)
    return own ?? player.ask(key, performance.now())
  }

  return {
    enter, simulation: () => simulation,
    stop: () => { clearInterval(timer); waiting.length = 0 },
  }
}

function keyOf({ side }: RequestInput, { name, params }: Call): string {
  const sent = params.form === 'uri' ? params.pairs : params.form === 'json' ? params.text : ''
  const isNone = typeof sent === 'string' && /^(?:\[\s*\]|\{\s*\}|null)?$/.test(sent)
  try {
    const call = redactCall({ side, method: name, params: isNone ? '' : sent }, cometNames)
    return callKey(call, cometNames)
  } catch {
    return `${side} ${name} unreadable`
  }
}
