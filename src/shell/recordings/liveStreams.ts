/** Subscribes at a real node for clients of a playback whose subscriptions were not recorded. */
import type { WebSocket } from 'ws'
import type { Answer } from '../../node/answer.ts'
import type { Side } from '../../settings/side.ts'
import { answerInMessage } from '../../recording/playback/draft.ts'
import { itemTexts, memberTexts } from '../../recording/playback/slice.ts'
import type { TapLine } from '../../recording/playback/tapLine.ts'
import { openUpstream } from './proxySockets.ts'
import type { Upstreams } from './upstream.ts'
import { refusal, type NodeRequest } from './askNode.ts'

export type LiveOptions = {
  readonly upstreams: Upstreams
  /** Receives every frame, in the form of a recording. */
  readonly note: (line: Pick<TapLine, 'iface' | 'kind' | 'conn' | 'text'>) => void
}

export type LiveStreams = {
  /** Resolves with the node's response to a subscription; its events are pushed to the client. */
  readonly listen: (asked: NodeRequest) => Promise<Answer>
  /** Ends a subscription that the node serves; returns undefined for any other. */
  readonly leave: (asked: NodeRequest) => Promise<Answer> | undefined
  /** Drops a client, or all clients if none is given. */
  readonly drop: (connection?: number) => void
}

type Message = ReadonlyMap<string, string>

/** The WebSocket to the node for one client and interface. */
type Line = {
  readonly connection: number
  readonly ask: (asked: NodeRequest, id: number) => Promise<Message>
  readonly close: () => void
  /** Subscriptions, by the id that their events carry. */
  readonly heard: Map<string, NodeRequest>
}

/** Returns streams without subscriptions. A WebSocket is opened on the first subscription. */
export function createLiveStreams({ upstreams, note }: LiveOptions): LiveStreams {
  const lines = new Map<string, Line>()
  let ids = 0
  const addressOf = (side: Side) => (side === 'comet' ? upstreams.comet : upstreams.ethWs)

  function lineOf({ side, connection = 0 }: NodeRequest, url: URL): Line {
    const name = `${side} ${connection}`
    const known = lines.get(name)
    if (known !== undefined) return known
    const socket = openUpstream(url, side === 'comet' ? '/websocket' : '/')
    const line = openLine({ side, connection, note }, socket)
    lines.set(name, line)
    socket.once('close', () => {
      if (lines.get(name) === line) lines.delete(name)
    })
    return line
  }

  async function listen(asked: NodeRequest): Promise<Answer> {
    const { side } = asked
    const url = addressOf(side)
    if (url === undefined) {
      return notRecorded(`no node is set for it (--upstream-${side === 'comet' ? 'comet' : 'ws'})`)
    }
    const line = lineOf(asked, url)
    ids += 1
    const id = ids
    if (side === 'comet') line.heard.set(String(id), asked)
    const message = await line.ask(asked, id).catch(() => undefined)
    const answer = message === undefined ? notRecorded('the node did not respond') : answerInMessage(message)
    if (answer.ok !== true) line.heard.delete(String(id))
    else if (side === 'eth') line.heard.set(answer.text, asked)
    return answer
  }

  function leave(asked: NodeRequest): Promise<Answer> | undefined {
    const line = lines.get(`${asked.side} ${asked.connection ?? 0}`)
    const found = line === undefined ? undefined : heardOf(line, asked)
    if (line === undefined || found === undefined) return undefined
    line.heard.delete(found)
    ids += 1
    return line.ask(asked, ids).then(answerInMessage, () => notRecorded('the node did not respond'))
  }

  return {
    listen,
    leave,
    drop: (connection) => {
      for (const [name, line] of lines) {
        if (connection !== undefined && line.connection !== connection) continue
        line.close()
        lines.delete(name)
      }
    },
  }
}

/** Returns the id of the subscription that a call ends, or undefined. */
function heardOf({ heard }: Line, { call, key }: NodeRequest): string | undefined {
  if (call.name === 'eth_unsubscribe') {
    const [id = ''] = itemTexts(call.params.form === 'json' ? (call.params.text ?? '') : '')
    return heard.has(id) ? id : undefined
  }
  if (call.name !== 'unsubscribe') return undefined
  const wanted = key.replace('unsubscribe', 'subscribe')
  return [...heard].find(([, one]) => one.key === wanted)?.[0]
}

type LineOptions = {
  readonly side: Side
  readonly connection: number
  readonly note: LiveOptions['note']
}

function openLine({ side, connection, note }: LineOptions, socket: WebSocket): Line {
  const heard = new Map<string, NodeRequest>()
  const waiting = new Map<string, (message: Message | undefined) => void>()
  const told = { iface: side === 'comet' ? 'a' : 'b', conn: -1 - connection } as const
  const opened = new Promise<void>((done, fail) => {
    socket.once('open', done).once('close', () => fail(new Error('closed')))
  })
  opened.catch(() => {})
  socket.on('error', () => {})
  socket.on('close', () => {
    for (const done of waiting.values()) done(undefined)
  })
  const receive = (text: string) => {
    note({ ...told, kind: 'ws-out', text })
    const message = memberTexts(text)
    const id = message.get('id') ?? ''
    const done = waiting.get(id)
    waiting.delete(id)
    if (done === undefined) pass({ heard, text, message })
    else done(message)
  }
  socket.on('message', (data: Buffer) => {
    try {
      receive(data.toString('utf8'))
    } catch {
      // A malformed frame, or one that cannot be noted, ends this connection and no other.
      socket.terminate()
    }
  })
  return {
    connection,
    heard,
    close: () => {
      socket.terminate()
    },
    ask: async ({ call }, id) => {
      await opened
      const params =
        call.params.form === 'json' && call.params.text !== undefined ? `,"params":${call.params.text}` : ''
      const text = `{"jsonrpc":"2.0","id":${id},"method":${JSON.stringify(call.name)}${params}}`
      note({ ...told, kind: 'ws-in', text })
      const answered = new Promise<Message | undefined>((done) => {
        waiting.set(String(id), done)
      })
      socket.send(text)
      const message = await answered
      if (message === undefined) throw new Error('closed')
      return message
    },
  }
}

type Event = { readonly heard: Line['heard']; readonly text: string; readonly message: Message }

/**
 * Pushes an event to its client. CometBFT RPC events carry the id of the subscribe request, which
 * is replaced by the client's.
 */
function pass({ heard, text, message }: Event): void {
  const ofEth = memberTexts(message.get('params') ?? '').get('subscription')
  const asked = heard.get(ofEth ?? message.get('id') ?? '')
  if (asked === undefined) return
  asked.push(
    ofEth === undefined ? `{"jsonrpc":"2.0","id":${asked.call.id},"result":${message.get('result') ?? 'null'}}` : text,
  )
}

function notRecorded(why: string): Answer {
  return refusal(`this subscription was not recorded, and ${why}`)
}
