/**
 * The dialect of Ethereum JSON-RPC: geth's error codes and texts, the namespaces that are on, and
 * decoders that depend on quirks (`cosmos-evm-rpc.md` §1.3–1.6).
 */
import { blockNumber, blockNumberOrHash } from '../../codec/blockRef.ts'
import type { Codec } from '../../codec/codec.ts'
import { GoPanic } from '../../codec/comet.ts'
import { DecodeError } from '../../codec/decodeError.ts'
import { parseJson, type Json } from '../../codec/goJson.ts'
import { isExpected } from '../../errors.ts'
import { hasQuirk, type Quirk } from '../../settings/quirks.ts'
import type { Dialect, RpcErrorShape, WireParams } from '../dialect.ts'
import { dialectOf } from '../devDialects.ts'
import { RpcError } from '../errors.ts'
import type { Context, Method, Param } from '../method.ts'
import { table, type Table } from '../table.ts'
import { codes, grpcText, invalidParams, methodNotFound } from './errors.ts'
import { percentiles, saneBlockNumber, saneBlockNumberOrHash, unusedPassword } from './params.ts'

/**
 * Methods that the node has although its documentation denies them, and the reverse (design §3).
 */
const undocumented = ['eth_fillTransaction', 'debug_getRawBlock']
const onlyDocumented = ['admin']

/** Ganache's automine methods, where development controls are on. */
const ganacheOwn = ['miner_start', 'miner_stop']

/** Number of parameters that the node accepts under the quirk `call-overrides-limited`. */
const limited: Readonly<Record<string, number>> = { eth_call: 3, eth_estimateGas: 2 }

/** Codecs of optional parameters that are required under the quirk `block-parameter-required`. */
const demanded: ReadonlySet<unknown> = new Set([blockNumberOrHash, percentiles, unusedPassword])

const exchanged: readonly {
  readonly quirk: Quirk
  readonly codec: unknown
  readonly sane: Codec<unknown>
}[] = [
  {
    quirk: 'safe-tag-rejected',
    codec: blockNumberOrHash,
    sane: saneBlockNumberOrHash as Codec<unknown>,
  },
  { quirk: 'loose-block-numbers', codec: blockNumber, sane: saneBlockNumber as Codec<unknown> },
]

/** Returns the dialect of Ethereum JSON-RPC for its methods and the development controls. */
export function ethDialect(eth: Table, dev: Table): Dialect {
  return {
    side: 'eth',
    table: table([...eth.methods, ...dev.methods]),
    allows: (method, context) => (dev.byName.has(method.name) ? isOn('dev', context) : allows(method, context)),
    decodeParams,
    errorOf,
    unknownMethod,
  }
}

/** Returns the enabled namespaces, which always include `rpc`. */
export function namespacesOf({ node }: Context): readonly string[] {
  const isFaithful = hasQuirk(node.settings, 'undocumented-methods')
  return [...node.settings.ethApi, 'rpc'].filter((name) => !(isFaithful && onlyDocumented.includes(name)))
}

/** Returns whether `namespacesOf` includes a name; runs for every call. */
function isOn(name: string, { node: { settings } }: Context): boolean {
  if (onlyDocumented.includes(name) && hasQuirk(settings, 'undocumented-methods')) return false
  return name === 'rpc' || settings.ethApi.includes(name)
}

function allows(method: Method, context: Context): boolean {
  const isFaithful = hasQuirk(context.node.settings, 'undocumented-methods')
  if (undocumented.includes(method.name) && !isFaithful) return false
  if (method.traits.includes('websocketOnly') && context.caller.transport !== 'ws') return false
  const [prefix = ''] = method.name.split('_', 1)
  if (ganacheOwn.includes(method.name) && isOn('dev', context)) return true
  return isOn(prefix, context)
}

/** Hardhat's "method not supported" (`peers.md` §2.5). */
const hardhatUnknown = -32004

// geth recognizes subscriptions by the method's suffix, in any namespace.
function unknownMethod(name: string, context: Context): RpcErrorShape {
  if (name.endsWith('_subscribe')) {
    return { code: codes.methodNotFound, message: 'notifications not supported', data: undefined }
  }
  const { code, ...rest } = shapeOf(methodNotFound(name))
  return { ...rest, code: dialectOf(context) === 'hardhat' ? hardhatUnknown : code }
}

function decodeParams(method: Method, params: WireParams, { node }: Context): readonly unknown[] {
  const given = positionalParams(params)
  const { settings } = node
  const most = hasQuirk(settings, 'call-overrides-limited') ? limited[method.name] : undefined
  const declared = method.params.slice(0, most)
  const values = given.map((wire, index) => {
    const one = declared[index]
    if (one === undefined) throw invalidParams(`too many arguments, want at most ${declared.length}`)
    return one.isPointer === true && wire.type === 'null'
      ? one.fallback?.value
      : decodeOne(codecOf(one, settings), wire, { index, name: one.name })
  })
  const isStrict = hasQuirk(settings, 'block-parameter-required')
  return method.params.map((one, index) => {
    if (index < values.length) return values[index]
    const isDemanded = one.fallback === undefined || (isStrict && demanded.has(one.codec))
    if (isDemanded) throw invalidParams(`missing value for required argument ${index}`, hintOf(one))
    return one.fallback?.value
  })
}

function positionalParams(params: WireParams): readonly Json[] {
  if (params.form !== 'json') return []
  const wire = params.tree ?? parseJson(params.text)
  if (wire.type === 'null') return []
  if (wire.type !== 'array') throw invalidParams('non-array args')
  return wire.items
}

function decodeOne(codec: Codec<unknown>, wire: Json, at: { index: number; name: string }): unknown {
  try {
    return codec.decode(wire, at.name)
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error
    throw invalidParams(`invalid argument ${at.index}: ${error.text}`, error.message)
  }
}

function codecOf({ codec }: Param<unknown>, settings: Context['node']['settings']): Codec<unknown> {
  const found = exchanged.find((each) => each.codec === codec && !hasQuirk(settings, each.quirk))
  return found?.sane ?? codec
}

function hintOf({ name }: Param<unknown>): string {
  return `The parameter "${name}" is missing.`
}

function errorOf(error: unknown): RpcErrorShape {
  if (error instanceof RpcError) return shapeOf(error)
  if (error instanceof DecodeError)
    return {
      code: codes.invalidParams,
      message: error.text,
      data: undefined,
    }
  // The node's query server recovers from the panic and responds to its gRPC client.
  if (error instanceof GoPanic)
    return {
      code: codes.server,
      message: grpcText('Internal', error.message),
      data: undefined,
    }
  if (isExpected(error))
    return {
      code: codes.server,
      message: error.message,
      data: undefined,
    }
  throw error
}

function shapeOf({ rpcCode, message, data }: RpcError): RpcErrorShape {
  return { code: rpcCode, message, data }
}
