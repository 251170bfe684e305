/**
 * The dialect of Ethereum JSON-RPC: geth's error codes and texts, the namespaces that are on, and
 * decoders that depend on quirks (`cosmos-evm-rpc.md` §1.3–1.6).
 */
import { blockNumber, blockNumberOrHash } from '../../codec/blockRef.ts'
import { memberOf, type Codec } from '../../codec/codec.ts'
import { GoPanic } from '../../codec/comet.ts'
import { DecodeError } from '../../codec/decodeError.ts'
import { parseJson, type Json, type JsonMember, type JsonObject } from '../../codec/goJson.ts'
import { jsonOf } from '../../codec/goJsonWrite.ts'
import { quantityOf } from '../../codec/hex.ts'
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
  const isServed = bySettings((method, settings) =>
    dev.byName.has(method.name) ? isOn('dev', settings) : allows(method, settings),
  )
  return {
    side: 'eth',
    table: table([...eth.methods, ...dev.methods]),
    allows: (method, context) => {
      if (method.traits.includes('websocketOnly') && context.caller.transport !== 'ws') return false
      return isServed(method, context)
    },
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

type Settings = Context['node']['settings']

/** Returns a function of a method and settings, computed once for each, because settings seldom change. */
function bySettings<Value>(make: (method: Method, settings: Settings) => Value) {
  const known = new WeakMap<Settings, Map<Method, Value>>()
  return (method: Method, { node: { settings } }: Context): Value => {
    let values = known.get(settings)
    if (values === undefined) {
      values = new Map()
      known.set(settings, values)
    }
    let value = values.get(method)
    if (value === undefined) {
      value = make(method, settings)
      values.set(method, value)
    }
    return value
  }
}

/** Returns whether `namespacesOf` includes a name. */
function isOn(name: string, settings: Settings): boolean {
  if (onlyDocumented.includes(name) && hasQuirk(settings, 'undocumented-methods')) return false
  return name === 'rpc' || settings.ethApi.includes(name)
}

function allows(method: Method, settings: Settings): boolean {
  const isFaithful = hasQuirk(settings, 'undocumented-methods')
  if (undocumented.includes(method.name) && !isFaithful) return false
  const [prefix = ''] = method.name.split('_', 1)
  if (ganacheOwn.includes(method.name) && isOn('dev', settings)) return true
  return isOn(prefix, settings)
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

/** How the parameters of a method are decoded under some settings. */
type Decoding = {
  /** The parameters that may be given. */
  readonly declared: readonly (Param<unknown> & { readonly decoder: Codec<unknown>; readonly isNullable: boolean })[]
  /** The values of parameters that are omitted; undefined for those that must be given. */
  readonly omitted: readonly ({ readonly value: unknown } | undefined)[]
}

const decodingOf = bySettings((method, settings): Decoding => {
  const most = hasQuirk(settings, 'call-overrides-limited') ? limited[method.name] : undefined
  const isStrict = hasQuirk(settings, 'block-parameter-required')
  return {
    declared: method.params.slice(0, most).map((one) => ({
      ...one,
      decoder: codecOf(one, settings),
      isNullable: one.isPointer === true || (!isStrict && one.fallback !== undefined && demanded.has(one.codec)),
    })),
    omitted: method.params.map(({ codec, fallback }) => (isStrict && demanded.has(codec) ? undefined : fallback)),
  }
})

function decodeParams(method: Method, params: WireParams, context: Context): readonly unknown[] {
  const given = positionalParams(params, method.objectKeys)
  const { declared, omitted } = decodingOf(method, context)
  const readsNumbers = dialectOf(context) === 'ganache'
  const values: unknown[] = []
  for (const [index, sent] of given.entries()) {
    const one = declared[index]
    if (one === undefined) throw invalidParams(`too many arguments, want at most ${declared.length}`)
    const wire = readsNumbers && one.role === 'filter' ? withQuantities(sent) : sent
    const isOmitted = one.isNullable && wire.type === 'null'
    values.push(isOmitted ? one.fallback?.value : decodeOne(one.decoder, wire, { index, name: one.name }))
  }
  for (let index = values.length; index < omitted.length; index++) {
    const fallback = omitted[index]
    if (fallback === undefined) {
      throw invalidParams(`missing value for required argument ${index}`, hintOf(method.params[index]))
    }
    values.push(fallback.value)
  }
  return values
}

/**
 * Returns a log filter with its JSON numbers as hex quantities. Ganache reads both, and Truffle sends
 * numbers when it lists the events of a failed test.
 */
function withQuantities(filter: Json): Json {
  if (filter.type !== 'object') return filter
  const members = filter.members.map(([name, value]): JsonMember => {
    const isNumber = value.type === 'number' && /^\d+$/.test(value.raw)
    return [name, isNumber ? jsonOf(quantityOf(BigInt(value.raw))) : value]
  })
  return { ...filter, members }
}

function positionalParams(params: WireParams, keys: readonly string[] | undefined): readonly Json[] {
  if (params.form !== 'json') return []
  const wire = params.tree ?? parseJson(params.text)
  if (wire.type === 'null') return []
  if (wire.type === 'object' && keys !== undefined) return valuesOf(wire, keys)
  if (wire.type !== 'array') throw invalidParams('non-array args')
  return wire.items
}

/** Returns the values of an object's keys in order, up to the first key that it lacks. */
function valuesOf(object: JsonObject, keys: readonly string[]): readonly Json[] {
  const values = keys.map((key) => memberOf(object, key))
  const lacking = values.indexOf(undefined)
  return (lacking === -1 ? values : values.slice(0, lacking)) as readonly Json[]
}

function decodeOne(codec: Codec<unknown>, wire: Json, at: { index: number; name: string }): unknown {
  try {
    return codec.decode(wire, at.name)
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error
    throw invalidParams(`invalid argument ${at.index}: ${error.text}`, error.message)
  }
}

function codecOf({ codec }: Param<unknown>, settings: Settings): Codec<unknown> {
  const found = exchanged.find((each) => each.codec === codec && !hasQuirk(settings, each.quirk))
  return found?.sane ?? codec
}

function hintOf(missing: Param<unknown> | undefined): string {
  return `The parameter "${missing?.name}" is missing.`
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
