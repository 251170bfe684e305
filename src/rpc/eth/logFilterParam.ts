/**
 * The argument of `eth_getLogs` and `eth_newFilter` (`cosmos-evm-rpc.md` §5.2; geth
 * `eth/filters.FilterCriteria`), with geth's error texts.
 */
import { gethBlockNumber, type BlockRef } from '../../codec/blockRef.ts'
import { mismatch, object, optional, type Codec } from '../../codec/codec.ts'
import { DecodeError } from '../../codec/decodeError.ts'
import type { Json } from '../../codec/goJson.ts'
import { bytesOfHex, hash } from '../../codec/hex.ts'

/**
 * A log query. The range is as given; `undefined` is an omitted bound. Addresses and topics are as
 * in `LogFilter`.
 */
export type LogQuery = {
  readonly blockHash: Uint8Array | undefined
  readonly from: BlockRef | undefined
  readonly to: BlockRef | undefined
  readonly addresses: readonly Uint8Array[]
  readonly topics: readonly (readonly Uint8Array[])[]
}

const addressesMax = 1000
const topicsMax = 4

type Wire = {
  readonly blockHash: Uint8Array | undefined
  readonly fromBlock: BlockRef | undefined
  readonly toBlock: BlockRef | undefined
  readonly address: Json | undefined
  readonly topics: readonly Json[] | undefined
}

const untyped: Codec<Json> = { schema: {}, decode: (wire) => wire, encode: () => null }

const untypedList: Codec<readonly Json[]> = {
  schema: { type: 'array' },
  decode: (wire, path) => {
    if (wire.type !== 'array') throw mismatch(wire, path, '[]interface {}')
    return wire.items
  },
  encode: () => null,
}

const input: Codec<Wire> = object<Wire>(
  {
    blockHash: optional(hash),
    fromBlock: optional(gethBlockNumber),
    toBlock: optional(gethBlockNumber),
    address: optional(untyped),
    topics: optional(untypedList),
  },
  { goType: 'filters.input' },
)

/** Codec of a log query. */
export const logQuery: Codec<LogQuery> = {
  schema: input.schema,
  decode: (wire, path) => {
    const { blockHash, fromBlock, toBlock, address, topics } = input.decode(wire, path)
    if (blockHash !== undefined && (fromBlock !== undefined || toBlock !== undefined)) {
      throw wrong(path, 'cannot specify both BlockHash and FromBlock/ToBlock, choose one or the other')
    }
    return {
      blockHash,
      from: fromBlock,
      to: toBlock,
      addresses: address === undefined ? [] : addressesOf(address, path),
      topics: topicsOf(topics ?? [], path),
    }
  },
  encode: () => null,
}

function addressesOf(wire: Json, path: string): readonly Uint8Array[] {
  if (wire.type === 'string')
    return [bytes(wire.value, { path, size: 20, what: 'address', prefix: 'invalid address: ' })]
  if (wire.type !== 'array') throw wrong(path, 'invalid addresses in query')
  if (wire.items.length > addressesMax) throw wrong(path, 'exceed max addresses')
  return wire.items.map((each, index) => {
    if (each.type !== 'string') throw wrong(path, `non-string address at index ${index}`)
    return bytes(each.value, { path, size: 20, what: 'address', prefix: `invalid address at index ${index}: ` })
  })
}

function topicsOf(wires: readonly Json[], path: string): readonly (readonly Uint8Array[])[] {
  if (wires.length > topicsMax) throw wrong(path, 'exceed max topics')
  return wires.map((wire) => {
    if (wire.type === 'null') return []
    if (wire.type === 'string') return [topic(wire.value, path)]
    if (wire.type !== 'array') throw wrong(path, 'invalid topic(s)')
    // Null among the alternatives matches any topic, so the position is no condition.
    if (wire.items.some((each) => each.type === 'null')) return []
    return wire.items.map((each) => {
      if (each.type !== 'string') throw wrong(path, 'invalid topic(s)')
      return topic(each.value, path)
    })
  })
}

function topic(given: string, path: string): Uint8Array {
  return bytes(given, { path, size: 32, what: 'topic', prefix: '' })
}

type Wanted = {
  readonly path: string
  readonly size: number
  readonly what: string
  readonly prefix: string
}

function bytes(given: string, { path, size, what, prefix }: Wanted): Uint8Array {
  let found: Uint8Array
  try {
    found = bytesOfHex(given, path)
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error
    throw wrong(path, `${prefix}${error.text}`)
  }
  if (found.length === size) return found
  throw wrong(path, `${prefix}hex has invalid length ${found.length} after decoding; expected ${size} for ${what}`)
}

function wrong(path: string, text: string): DecodeError {
  return new DecodeError({ path, expected: 'a log filter', received: 'something else', text })
}
