/**
 * Stands where the queue stands when a recording answers instead of a chain: framing, transports and
 * listeners are those of every run.
 */
import type { Answer } from '../node/answer.ts'
import type { InputBody, RequestInput } from '../node/input.ts'
import type { World } from '../node/world.ts'
import { callKey, type Names } from '../recording/playback/callKey.ts'
import type { Player } from '../recording/playback/player.ts'
import { itemTexts } from '../recording/playback/slice.ts'
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

/** A subscription or filter of a client; `heard` is how far in the recording it was told. */
type Listening = { readonly key: string; readonly id: string; readonly connection: number | undefined; heard: number }

const everyMs = 10

/** Names of positional parameters of interface A. */
export const cometNames: Names = (method) => {
  const params = sides.comet.dialect.table.byName.get(method)?.params ?? []
  return params.map(({ name }) => name)
}

/** Returns a queue that is answered by a playback. */
export function createPlayback({ player, world, simulation, push }: PlaybackOptions): Queue {
  const waiting: Asked[] = []
  const listening: Listening[] = []
  let seq = 0
  let ids = 0
  const timer = setInterval(turn, everyMs)

  function enter(body: InputBody, onReply: OnReply = () => {}): void {
    seq += 1
    if (body.kind === 'disconnected') return forget(({ connection }) => connection === body.connection)
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
    tell()
    for (const asked of [...waiting]) {
      if (isHeldUp(asked) || !answered(asked)) continue
      waiting.splice(waiting.indexOf(asked), 1)
      const framed = asked.message.frame(asked.answers)
      asked.onReply({ kind: 'reply', seq, wire: undefined, ...framed })
    }
    tell()
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
      if (answer.ok === true) player.given(call.name === 'eth_blockNumber' ? `"number":${answer.text}` : '')
      answers.push(answer)
    }
    return true
  }

  function answerOf(request: RequestInput, call: Call): Answer | undefined {
    const key = keyOf(request, call)
    const own = serveSession(request, call, key)
    return own ?? player.ask(key, performance.now())
  }

  /** Subscriptions and filters are each client's own; everything else is not. */
  function serveSession({ connection }: RequestInput, call: Call, key: string): Answer | undefined {
    const [first = ''] = call.params.form === 'json' ? itemTexts(call.params.text) : []
    switch (call.name) {
      case 'subscribe': return listen({ key, id: call.id, connection }, '{}')
      case 'eth_subscribe':
      case 'eth_newFilter':
      case 'eth_newBlockFilter':
      case 'eth_newPendingTransactionFilter': {
        const id = `"0x${(++ids).toString(16).padStart(32, '0')}"`
        return listen({ key, id, connection }, id)
      }
      case 'unsubscribe': return leave((one) => one.connection === connection && one.key === key.replace('unsubscribe', 'subscribe'), '{}')
      case 'unsubscribe_all': return leave((one) => one.connection === connection, '{}')
      case 'eth_unsubscribe':
      case 'eth_uninstallFilter': return leave((one) => one.id === first, 'true')
      case 'eth_getFilterChanges': return changes(first)
      default: return undefined
    }
  }

  function listen(one: Omit<Listening, 'heard'>, text: string): Answer | undefined {
    if (player.told(one.key, 0, 0) === undefined) return undefined
    listening.push({ ...one, heard: player.cursor() })
    return { ok: true, text }
  }

  function leave(isMeant: (one: Listening) => boolean, text: string): Answer {
    const isThere = listening.some(isMeant)
    forget(isMeant)
    return { ok: true, text: text === 'true' ? String(isThere) : text }
  }

  function changes(id: string): Answer | undefined {
    const one = listening.find((other) => other.id === id)
    if (one === undefined) return undefined
    const upTo = player.cursor()
    const texts = player.told(one.key, one.heard, upTo) ?? []
    one.heard = upTo
    return { ok: true, text: `[${texts.join(',')}]` }
  }

  function forget(isMeant: (one: Listening) => boolean): void {
    listening.splice(0, listening.length, ...listening.filter((one) => !isMeant(one)))
  }

  function tell(): void {
    const upTo = player.cursor()
    for (const one of listening) {
      if (one.connection === undefined || one.heard >= upTo || one.key.includes('Filter ')) continue
      const texts = player.told(one.key, one.heard, upTo) ?? []
      one.heard = upTo
      for (const text of texts) {
        player.given(text)
        push([one.connection], pushText(one, text))
      }
    }
  }

  return {
    enter, simulation: () => simulation,
    stop: () => { clearInterval(timer); waiting.length = 0; listening.length = 0 },
  }
}

function pushText({ key, id }: Listening, text: string): string {
  if (key.startsWith('comet ')) return `{"jsonrpc":"2.0","id":${id},"result":${text}}`
  return `{"jsonrpc":"2.0","method":"eth_subscription","params":{"subscription":${id},"result":${text}}}`
}

function keyOf({ side }: RequestInput, { name, params }: Call): string {
  const sent = params.form === 'uri' ? params.pairs : params.form === 'json' ? params.text : ''
  const isNone = typeof sent === 'string' && /^(?:\[\s*\]|\{\s*\}|null)?$/.test(sent)
  try {
    return callKey({ side, method: name, params: isNone ? '' : sent }, cometNames)
  } catch {
    return `${side} ${name} unreadable`
  }
}
