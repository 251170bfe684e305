/** Providers of both interfaces without sockets: their requests go directly to the queue. */
import type { Side } from '../settings/side.ts'
import type { ReplyOutput } from '../node/output.ts'
import { anyObject, callback, checkArguments, matching, optional, text, type Check } from './arguments.ts'
import type { Queue } from './queue.ts'
import type { Local, Sockets } from './ports.ts'
import { ownRequest } from './ownRequest.ts'
import { noIds, stoppedReply } from './stopped.ts'
import { parsedJson } from '../data/parsedJson.ts'

/** The part of a queue that a provider uses. */
type Answering = Pick<Queue, 'enter' | 'onStop'>

/** An EIP-1193 provider, for viem's `custom`, ethers' `BrowserProvider` and wagmi. */
export type EthProvider = {
  readonly request: <Result = unknown>(asked: ProviderRequest) => Promise<Result>
  /** Adds a listener for the events of `eth_subscribe`. */
  readonly on: (event: 'message', listener: (message: EthMessage) => void) => void
  readonly removeListener: (event: 'message', listener: (message: EthMessage) => void) => void
}

const parameters = matching('a list or an object', (value) => typeof value === 'object')

/** Checks a request; wallet libraries may add other keys to it. */
const request: Check = (value, where) => {
  anyObject(value, where)
  const { method, params } = value as ProviderRequest
  text(method, `${where}.method`)
  optional(parameters)(params, `${where}.params`)
}

type ProviderRequest = { readonly method: string; readonly params?: unknown }
export type EthMessage = {
  readonly type: 'eth_subscription'
  readonly data: { readonly subscription: string; readonly result: unknown }
}

type JsonRpcRequest = {
  readonly jsonrpc: '2.0'
  readonly id: number | string
  readonly method: string
  readonly params: unknown
}
type JsonRpcSuccess = { readonly jsonrpc: '2.0'; readonly id: number; readonly result: unknown }

/** CometBFT RPC. Pass it to `Comet38Client.create` of cosmjs, or call methods yourself. */
export type CometProvider = {
  readonly call: <Result = unknown>(method: string, params?: Readonly<Record<string, unknown>>) => Promise<Result>
  readonly execute: (request: JsonRpcRequest) => Promise<JsonRpcSuccess>
  readonly disconnect: () => void
}

/**
 * Returns the provider of Ethereum JSON-RPC. It rejects with `RpcFailed`. Subscribing opens a
 * connection.
 */
export function ethProvider(queue: Answering, openLocal: Sockets['openLocal']): EthProvider {
  const listeners = new Set<(message: EthMessage) => void>()
  let local: Local | undefined
  const receive = (text: string) => {
    const { params: data } = JSON.parse(text) as { params: EthMessage['data'] }
    for (const listener of listeners) listener({ type: 'eth_subscription', data })
  }
  return {
    request: async <Result>(asked: ProviderRequest) => {
      checkArguments('eth.request', { request: [asked, request] })
      const { method, params = [] } = asked
      if (method === 'eth_subscribe' && local?.isOpen() !== true) local = openLocal('eth', receive)
      const isOwn = method === 'eth_subscribe' || method === 'eth_unsubscribe'
      return resultOf(await post(queue, 'eth', { method, params }, isOwn ? local?.connection : undefined)) as Result
    },
    on: (_event, listener) => {
      checkArguments('eth.on', { listener: [listener, callback] })
      listeners.add(listener)
    },
    removeListener: (_event, listener) => {
      listeners.delete(listener)
    },
  }
}

/** Returns the provider of CometBFT RPC. It rejects with `RpcFailed`. */
export function cometProvider(queue: Answering): CometProvider {
  const call = async <Result>(method: string, params: unknown = {}) => {
    checkArguments('comet.call', { method: [method, text], params: [params, parameters] })
    return resultOf(await post(queue, 'comet', { method, params })) as Result
  }
  return {
    call,
    execute: async ({ id, method, params }) => ({ jsonrpc: '2.0', id: Number(id), result: await call(method, params) }),
    disconnect: () => {},
  }
}

type Call = { readonly method: string; readonly params: unknown }

function post({ enter, onStop }: Answering, side: Side, call: Call, connection?: number): Promise<ReplyOutput> {
  return new Promise((done) => {
    enter(
      {
        ...ownRequest,
        side,
        transport: connection === undefined ? 'http' : 'ws',
        connection,
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, ...call }, (_key, value: unknown) =>
          typeof value === 'bigint' ? `0x${value.toString(16)}` : value,
        ),
      },
      (reply) => {
        if (reply.wire?.type === 'hang') onStop(() => done(stoppedReply(noIds)))
        else done(reply)
      },
    )
  })
}

type Body = {
  readonly result?: unknown
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown } | null
}

/** Returns the result of a reply. Throws `RpcFailed` for an error or a fault of the transport. */
function resultOf({ body, status, wire }: ReplyOutput): unknown {
  if (wire !== undefined) throw new RpcFailed({ code: -32603, message: 'the connection was reset' })
  const { result, error } = (parsedJson(body) as Body | undefined) ?? {}
  if (error !== undefined && error !== null) throw new RpcFailed(error)
  if (result === undefined || status >= 400) {
    const why = body === '' ? '' : `: ${body.slice(0, 200)}`
    throw new RpcFailed({ code: -32603, message: `HTTP ${status}${why}` })
  }
  return result
}

/** The response to a request is a JSON-RPC error with a numeric `code` and `data`. */
export class RpcFailed extends Error {
  readonly code: number
  readonly data: unknown

  constructor(response: NonNullable<Body['error']>) {
    super(response.message)
    this.name = 'RpcFailed'
    this.code = response.code
    this.data = response.data
  }
}
