/**
 * How CometBFT RPC decodes parameters and words errors, per transport (`comet-rpc.md` §2.2–2.6).
 */
import { GoPanic } from '../../codec/comet.ts'
import { decodeJsonParams, decodeUriParam, type CometParam } from '../../codec/cometParams.ts'
import { DecodeError } from '../../codec/decodeError.ts'
import { parseJson } from '../../codec/goJson.ts'
import { remembered } from '../../data/remembered.ts'
import { assert, isExpected } from '../../errors.ts'
import type { Dialect, RpcErrorShape, WireParams } from '../dialect.ts'
import { RpcError } from '../errors.ts'
import type { Context, Method } from '../method.ts'
import type { Settings } from '../../settings/settings.ts'
import type { Table } from '../table.ts'
import { cometError } from './errors.ts'

/** Returns the dialect of CometBFT RPC for a table of methods. */
export function cometDialect(table: Table): Dialect {
  return {
    side: 'comet',
    table,
    allows: (method, context) =>
      isRouted(method, context.node.settings) &&
      (context.caller.transport === 'ws' || !method.traits.includes('websocketOnly')),
    decodeParams: (method, params, { caller }) => decode(method, params, caller.transport),
    errorOf,
    unknownMethod: () => cometError(-32601),
  }
}

/** Returns whether a method exists. Unsafe methods and development controls must be enabled. */
function isRouted({ traits }: Method, { rpcUnsafe, ethApi }: Pick<Settings, 'rpcUnsafe' | 'ethApi'>): boolean {
  if (traits.includes('changesWorld')) return ethApi.includes('dev')
  return rpcUnsafe || !traits.includes('unsafe')
}

/**
 * Returns whether a method has a path of its own. Development controls have none: a foreign page
 * can make a browser request a path without an Origin header.
 */
export function hasPath(method: Method, settings: Settings): boolean {
  return isRouted(method, settings) && !method.traits.includes('changesWorld')
}

let last: { readonly method: Method; readonly params: WireParams; readonly values: readonly unknown[] } | undefined

/**
 * Returns the parameter values in order. Throws the error that the transport responds with. The last
 * values are kept, because whether a response may be cached depends on the values of its call.
 */
export function decode(
  method: Method,
  params: WireParams,
  transport: Context['caller']['transport'],
): readonly unknown[] {
  if (last?.params === params && last.method === method) return last.values
  try {
    const values = valuesOf(paramsOf(method), params)
    last = { method, params, values }
    return values
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error
    const kind = params.form === 'uri' ? 'http' : 'json'
    const text = `error converting ${kind} params to arguments: ${error.text}`
    const { code, message, data } = cometError(transport === 'ws' ? -32603 : -32602, text)
    throw new RpcError(code, message, { ...(data === undefined ? {} : { data }), hint: error.message })
  }
}

function valuesOf(declared: readonly CometParam[], params: WireParams): readonly unknown[] {
  if (params.form === 'uri') {
    return declared.map(({ name, codec }) => decodeUriParam(codec, params.pairs.get(name) ?? '', name))
  }
  if (params.form === 'json') return decodeJsonParams(declared, parseJson(params.text))
  // The node calls the handler without arguments, so Go's reflection panics.
  if (declared.length > 0) throw new GoPanic('reflect: Call with too few input arguments')
  return []
}

/** Parameters of CometBFT RPC are declared with codecs that read raw text. */
const paramsOf = remembered((method: Method): readonly CometParam[] =>
  method.params.map(({ name, codec }) => {
    assert('read' in codec && 'kind' in codec, `${method.name} declares ${name} with a CometBFT codec`)
    return { name, codec: codec as CometParam['codec'] }
  }),
)

function errorOf(error: unknown, { caller }: Context): RpcErrorShape {
  if (error instanceof GoPanic)
    return {
      ...cometError(-32603, panicText(error, caller.transport)),
      isFatal: true,
    }
  if (error instanceof RpcError) {
    const { rpcCode, message, data } = error
    return data === undefined ? cometError(-32000, message) : { code: rpcCode, message, data }
  }
  if (isExpected(error)) return cometError(-32603, error.message)
  throw error
}

/** Over WebSocket, a panic value that is a string rather than an error gets a prefix. */
function panicText({ message }: GoPanic, transport: string): string {
  return transport === 'ws' && !message.startsWith('runtime error') ? `WSJSONRPC: ${message}` : message
}
