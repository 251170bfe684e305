/** The kinds of subscriptions of `eth_subscribe`. */
import { goFloat } from '../../codec/goText.ts'
import { memberOf } from '../../codec/codec.ts'
import { DecodeError } from '../../codec/decodeError.ts'
import type { Json } from '../../codec/goJson.ts'
import type { EthSubscriptionKind, LogFilter } from '../../feed/subscriptions.ts'
import { hasQuirk } from '../../settings/quirks.ts'
import { RpcError } from '../errors.ts'
import type { Context } from '../method.ts'
import { codes, invalidParams } from './errors.ts'
import { logQuery } from './logFilterParam.ts'
import { storageKey } from './storageKey.ts'

/**
 * Returns the requested kind of subscription. Ranges of log filters are ignored. The node's own
 * WebSocket server neither checks addresses and topics nor accepts the second parameter of pending
 * transactions (quirk `loose-log-subscriptions`; `cosmos-evm-rpc.md` §5.3).
 */
export function subscriptionKind(context: Context, kind: string, options: Json | undefined): EthSubscriptionKind {
  const isLoose = hasQuirk(context.node.settings, 'loose-log-subscriptions')
  switch (kind) {
    case 'newHeads':
      return { kind: 'newHeads' }
    case 'newPendingTransactions':
      return { kind, full: !isLoose && options?.type === 'bool' && options.value }
    case 'logs':
      return { kind, filter: isLoose ? looseFilter(options) : strictFilter(options) }
    case 'syncing':
      if (isLoose) throw refused('syncing subscription is not implemented')
      // geth's error for any kind that its namespace does not have (rpc/errors.go).
      throw new RpcError(codes.methodNotFound, 'no "syncing" subscription in eth namespace')
  }
  throw refused(`unsupported method ${kind}`)
}

/** Throws if a connection has reached its limit of subscriptions. */
export function assertRoom({ node }: Context, connection: number): void {
  const held = node.subscriptions.eth.get(connection)?.length ?? 0
  const most = node.settings.ethMaxSubscriptions
  if (held < most) return
  throw refused(
    `this connection has ${held} of at most ${most} subscriptions; cancel some or raise --max-eth-subscriptions`,
  )
}

/** Returns an error of the node's own WebSocket server, which always has this code. */
export function refused(message: string): RpcError {
  return new RpcError(codes.invalidRequest, message)
}

function strictFilter(options: Json | undefined): LogFilter {
  if (options === undefined) return everything
  try {
    const { addresses, topics } = logQuery.decode(options, 'options')
    return { ...everything, addresses, topics }
  } catch (error) {
    if (error instanceof DecodeError) throw invalidParams(`invalid argument 1: ${error.text}`, error.message)
    throw error
  }
}

const everything: LogFilter = {
  from: undefined,
  to: undefined,
  blockHash: undefined,
  addresses: [],
  topics: [],
}

function looseFilter(options: Json | undefined): LogFilter {
  if (options === undefined || options.type === 'null') return everything
  if (options.type !== 'object') throw refused('invalid criteria')
  return {
    ...everything,
    addresses: looseAddresses(memberOf(options, 'address')),
    topics: looseTopics(memberOf(options, 'topics')),
  }
}

function looseAddresses(wire: Json | undefined): readonly Uint8Array[] {
  if (wire === undefined || wire.type === 'null') return []
  if (wire.type === 'string') return [looseAddress(wire.value)]
  if (wire.type !== 'array') throw refused('invalid addresses; must be address or array of addresses')
  return wire.items.map((each) => {
    if (each.type !== 'string') throw refused('invalid address')
    return looseAddress(each.value)
  })
}

function looseTopics(wire: Json | undefined): readonly (readonly Uint8Array[])[] {
  if (wire === undefined || wire.type === 'null') return []
  if (wire.type !== 'array') throw refused('invalid topics: []')
  return wire.items.map((each) => {
    if (each.type === 'null') return []
    if (each.type === 'string') return [storageKey(each.value)]
    if (each.type !== 'array') throw refused('invalid subtopics')
    return each.items.map((topic) => {
      if (topic.type === 'string') return storageKey(topic.value)
      throw refused(`invalid subtopic: ${goVerb(topic)}`)
    })
  })
}

// geth pads and crops addresses in the same way as hashes.
function looseAddress(given: string): Uint8Array {
  return storageKey(given).subarray(12)
}

// Prints a value that is not a string as Go's fmt does for %s; members are sorted by name.
function goVerb(wire: Json): string {
  switch (wire.type) {
    case 'null':
      return '%!s(<nil>)'
    case 'bool':
      return `%!s(bool=${wire.raw})`
    case 'number':
      return `%!s(float64=${goFloat(Number(wire.raw))})`
    case 'array':
      return `[${wire.items.map(goInner).join(' ')}]`
    case 'object': {
      const members = [...new Map(wire.members)].sort(([one], [other]) => (one < other ? -1 : 1))
      return `map[${members.map(([name, value]) => `${name}:${goInner(value)}`).join(' ')}]`
    }
    default:
      return wire.value
  }
}

const goInner = (wire: Json): string => (wire.type === 'null' ? '<nil>' : goVerb(wire))
