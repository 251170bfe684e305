/** The clients of a storm: they count their answers, and know what they were told. */
import type { InputBody } from '../../src/plan/input.ts'
import type { Side } from '../../src/settings/side.ts'
import type { Plant } from './plants.ts'
import { createStormSocket, type StormSocket } from './socket.ts'
import type { Stage } from './stage.ts'
import { requestWith } from '../helpers/requests.ts'

type Request = Extract<InputBody, { kind: 'request' }>

/** A request that was sent: `over` is the socket, undefined for HTTP. */
export type Asked = {
  readonly id: number
  readonly what: string
  readonly over: Client | undefined
  answers: number
  body: string | undefined
  /** Of an answer that is no text. */
  bytes?: Uint8Array | undefined
  /** Its headers and trailers, where gRPC says what failed. */
  head?: string
}

/** A subscription to blocks: `from` counts the blocks before it. */
export type Heads = { readonly from: number; readonly got: Head[] }
export type Head = { readonly height: number; readonly hash: string }

export type Client = {
  readonly socket: StormSocket
  /** By subscription id of Ethereum JSON-RPC; '' on CometBFT RPC, where there is one. */
  readonly heads: Map<string, Heads>
}

export type Clients = {
  /** Asks over HTTP. */
  readonly ask: (side: Side, method: string, params: unknown, session?: string) => Asked
  readonly get: (target: string, session?: string) => Asked
  /** Sends JSON to the REST API. */
  readonly post: (target: string, body: object, session?: string) => Asked
  /** Calls a method of gRPC, like `/package.Service/Method`, with the bytes of a message. */
  readonly call: (target: string, message: Uint8Array, session?: string) => Asked
  readonly askOver: (client: Client, method: string, params: unknown) => Asked
  readonly connect: (side: 'eth' | 'comet') => void
  readonly open: () => readonly Client[]
  readonly asked: () => readonly Asked[]
  /** The input that carries a request with this id was carried out. */
  readonly entered: (id: number, seq: number, heads: number) => void
  /** The process has ended with all connections. */
  readonly forget: () => void
}

/** Returns the clients of a stage. */
export function createClients(
  stage: () => Stage,
  { receive = (take) => take, socket: open = (socket) => socket }: Plant,
): Clients {
  let count = 0
  let asked = new Map<number, Asked>()
  let clients: Client[] = []
  const seqs = new Map<number, { readonly seq: number; readonly heads: number }>()

  function send(what: string, over: Client | undefined): Asked {
    const one: Asked = { id: ++count, what, over, answers: 0, body: undefined }
    asked.set(one.id, one)
    return one
  }

  function answered(one: Asked, body: string, bytes?: Uint8Array): void {
    one.answers += 1
    one.body = body
    one.bytes = bytes
    if (one.answers > 1) throw new Error(`${one.what} was answered ${one.answers} times, now with ${body}`)
  }

  function enter(one: Asked, part: Partial<Request>, session = ''): Asked {
    const target = session === '' ? stage().life().enter : stage().chainAt(session).enter
    const past = stage().past()
    const body: Request = { ...overHttp, headers: { [idHeader]: String(one.id) }, ...part }
    target(body, ({ seq, body: text, bytes, headers, trailers }) => {
      if (session === '') past.told(seq)
      one.head = bytes === undefined ? '' : JSON.stringify([headers, trailers])
      answered(one, text, bytes)
    })
    return one
  }

  function take(client: Client, text: string): void {
    if (text.includes('CometBFT exited')) return
    const message = JSON.parse(text) as Message
    const heads = headsOf(client, message)
    if (heads !== undefined) return void heads.to.got.push(heads.head)
    const one = asked.get(message.id ?? -1)
    if (one === undefined) throw new Error(`a socket received what nobody asked for: ${text}`)
    const entered = seqs.get(one.id)
    if (entered !== undefined) stage().past().told(entered.seq)
    const id = client.socket.side === 'comet' ? '' : String(message.result)
    if (one.what.includes('subscribe') && message.error === undefined && !client.heads.has(id)) {
      client.heads.set(id, { from: entered?.heads ?? 0, got: [] })
    }
    answered(one, text)
  }

  return {
    ask: (side, method, params, session) => {
      const one = send(`${side} ${method}`, undefined)
      return enter(one, { side, body: rpcText(one.id, method, params) }, session)
    },
    get: (target, session) =>
      enter(send(`rest ${target}`, undefined), { side: 'rest', verb: 'GET', target, contentType: '' }, session),
    post: (target, body, session) =>
      enter(send(`rest ${target}`, undefined), { side: 'rest', target, body: JSON.stringify(body) }, session),
    call: (target, message, session) => {
      const frame = Buffer.alloc(frameHead + message.length)
      frame.writeUInt32BE(message.length, 1)
      frame.set(message, frameHead)
      const one = send(`grpc ${target}`, undefined)
      return enter(one, { side: 'grpc', target, contentType: 'application/grpc', bytes: frame }, session)
    },
    askOver: (client, method, params) => {
      const one = send(`${client.socket.side} ${method}`, client)
      client.socket.say(rpcText(one.id, method, params))
      return one
    },
    connect: (side) => {
      const client: Client = {
        socket: createStormSocket(
          side,
          receive((text) => take(client, text)),
        ),
        heads: new Map(),
      }
      clients.push(client)
      stage().life().main.sockets.connected(open(client.socket.socket), client.socket.request, side)
    },
    open: () => (clients = clients.filter(({ socket }) => socket.isOpen())),
    asked: () => [...asked.values()],
    entered: (id, seq, heads) => seqs.set(id, { seq, heads }),
    forget: () => {
      for (const { socket } of clients) socket.end()
      clients = []
      asked = new Map()
    },
  }
}

/** Names a request whose message has no id. */
export const idHeader = 'x-storm-id'

/** A gRPC message begins with a byte of flags and four of its length. */
export const frameHead = 5

const overHttp = requestWith()

function rpcText(id: number, method: string, params: unknown): string {
  return JSON.stringify({ jsonrpc: '2.0', id, method, params })
}

type Message = {
  readonly id?: number
  readonly error?: unknown
  readonly method?: string
  readonly result?: unknown
  readonly params?: { readonly subscription: string; readonly result: { number: string; hash: string } }
}
type NewBlock = {
  readonly data?: {
    readonly value: { readonly block_id: { readonly hash: string }; readonly block: { header: { height: string } } }
  }
}

/** Returns the block that a message tells a subscriber of; undefined for an answer. */
function headsOf({ heads, socket }: Client, { method, params, result }: Message) {
  if (method === 'eth_subscription' && params !== undefined) {
    const to = heads.get(params.subscription)
    if (to === undefined) throw new Error(`an event of subscription ${params.subscription}, which nobody has`)
    return { to, head: { height: Number(params.result.number), hash: params.result.hash.slice(2).toLowerCase() } }
  }
  const value = (result as NewBlock | undefined)?.data?.value
  const to = heads.get('')
  if (socket.side !== 'comet' || value === undefined || to === undefined) return undefined
  return { to, head: { height: Number(value.block.header.height), hash: value.block_id.hash.toLowerCase() } }
}
