/**
 * IBC's query services on a chain without clients and channels (ibc-go v10). They return
 * parameters, empty lists and the chain's connection to itself. Other requests are validated and
 * answered with not found.
 */
import { always, bool, message, nested, repeated, text, uint64 } from '../../../codec/protobuf/message.ts'
import type { Context } from '../context.ts'
import { connection, type Connection, connectionFields } from '../genesis/ibc.ts'
import { checkIbcId, clientParts, localType } from '../ibcId.ts'
import { isDenom } from '../coins.ts'
import { coinMessage } from '../wire.ts'
import { itemResponse, type Methods, ofPage, ofText, rawMessage, stored } from './answer.ts'
import { listed, type PageResponse, prefixPage, pageResponse, plainly } from './page.ts'
import { denomMessage, denomsPlace, findDenom, readDenomHash } from '../modules/transfer/denoms.ts'
import { invalidArgument, notFound, orInvalid } from './status.ts'

const client = '/ibc.core.client.v1.Query/'
const connections = '/ibc.core.connection.v1.Query/'
const channel = '/ibc.core.channel.v1.Query/'
const transfer = '/ibc.applications.transfer.v1.Query/'
const isLocal = (id: string) => clientParts(id)?.type === localType

type Height = { revision: bigint; height: bigint }
const height = always(message<Height>({ 1: ['revision', uint64], 2: ['height', uint64] }))

/** A list with its page and the height at which it was read. */
type Heighted = {
  items: readonly Uint8Array[]
  page: PageResponse | undefined
  height: Height
}
const heighted = message<Heighted>({
  1: ['items', repeated(rawMessage)],
  2: ['page', nested(pageResponse)],
  3: ['height', height],
})
const proven = message<{ item: Uint8Array; height: Height }>({
  1: ['item', rawMessage],
  3: ['height', height],
})
const named = message<Connection & { id: string }>({
  1: ['id', text],
  2: connectionFields[1],
  3: connectionFields[2],
  4: connectionFields[3],
  5: connectionFields[4],
})

const clientQueries: Methods = {
  [`${client}ClientParams`]: (context) => itemResponse(stored(context, 'ibc', utf8('clientParams'))),
  [`${client}ClientStates`]: (context, data) => entries(context, 'clients/', data),
  [`${client}ClientState`]: (_context, data) => {
    throw notFound(`${asked(data, 'client').id}: light client not found`)
  },
  [`${client}ClientStatus`]: (_context, data) => {
    const { id } = asked(data, 'client')
    const other = id.startsWith('07-tendermint-') ? 'Unknown' : 'Unauthorized'
    return ofText.encode({ text: isLocal(id) ? 'Active' : other })
  },
  [`${client}ConsensusState`]: (_context, data) => {
    const { id, revision, height, isLatest } = consensusRequest.decode(data)
    checkId('client', id)
    if (height === 0n && !isLatest) throw invalidArgument('consensus state height cannot be 0')
    throw notFound(`client-id: ${id}, height: ${revision}-${height}: consensus state not found`)
  },
  [`${client}ConsensusStates`]: statesOf,
  [`${client}ConsensusStateHeights`]: statesOf,
}
/** IBC version 2 adds a client's counterparty and its allowed relayers. */
const clientV2Queries: Methods = {
  '/ibc.core.client.v2.Query/CounterpartyInfo': (_context, data) => {
    throw notFound(`client ${asked(data, 'client').id} counterparty not found`)
  },
  '/ibc.core.client.v2.Query/Config': (_context, data) => {
    asked(data, 'client')
    return itemResponse(new Uint8Array(0))
  },
}
const consensusRequest = message<{ id: string; revision: bigint; height: bigint; isLatest: boolean }>({
  1: ['id', text],
  2: ['revision', uint64],
  3: ['height', uint64],
  4: ['isLatest', bool],
})

const connectionQueries: Methods = {
  [`${connections}ConnectionParams`]: (context) => itemResponse(stored(context, 'ibc', utf8('connectionParams'))),
  [`${connections}Connections`]: (context, data) => {
    const { page } = ofPage.decode(data)
    // Keys of pages begin with the slash.
    const all = { store: 'ibc', prefix: utf8('connections'), page, refuses: plainly } as const
    const { items, page: next } = prefixPage(context, all, ([key, value]) =>
      named.encode({ ...connection.decode(value), id: new TextDecoder().decode(key.slice(1)) }),
    )
    return heighted.encode({ items, page: next, height: ibcHeight(context) })
  },
  [`${connections}Connection`]: (context, data) => {
    const { id } = asked(data, 'connection')
    return proven.encode({ item: found(context, id, id), height: ibcHeight(context) })
  },
  [`${connections}ClientConnections`]: (_context, data) => {
    throw notFound(`${asked(data, 'client').id}: light client connection paths not found`)
  },
  [`${connections}ConnectionClientState`]: (context, data) => {
    throw notFound(`client-id: ${clientOf(context, asked(data, 'connection').id)}: light client not found`)
  },
  [`${connections}ConnectionConsensusState`]: (context, data) => {
    const { id } = consensusRequest.decode(data)
    checkId('connection', id)
    throw notFound(`client-id: ${clientOf(context, id)}: consensus state not found`)
  },
}

const channelRequest = message<{ port: string; channel: string }>({
  1: ['port', text],
  2: ['channel', text],
})

/**
 * Returns a method for requests of one channel, which does not exist. The error text has one of
 * three formats.
 */
function noChannel(spell: (port: string, channel: string) => string): Methods[string] {
  return (_context, data) => {
    const { port, channel: id } = channelRequest.decode(data)
    checkId('port', port)
    checkId('channel', id)
    throw notFound(spell(port, id))
  }
}
const byId = noChannel((port, id) => `port-id: ${port}, channel-id ${id}: channel not found`)
const byName = noChannel((port, id) => `port ID (${port}) channel ID (${id}): channel not found`)

const channelQueries: Methods = {
  [`${channel}Channels`]: channelsOf,
  [`${channel}ConnectionChannels`]: (context, data) => {
    const { page } = asked(data, 'connection')
    return channelsOf(context, ofPage.encode({ page }))
  },
  [`${channel}Channel`]: byId,
  [`${channel}ChannelClientState`]: noChannel((port, id) => `port-id: ${port}, channel-id: ${id}: channel not found`),
  [`${channel}ChannelConsensusState`]: byId,
  [`${channel}UnreceivedPackets`]: byId,
  [`${channel}NextSequenceReceive`]: byId,
  [`${channel}NextSequenceSend`]: noChannel(
    (port, id) => `port-id: ${port}, channel-id ${id}: sequence send not found`,
  ),
  [`${channel}PacketCommitments`]: byName,
  [`${channel}PacketAcknowledgements`]: byName,
  [`${channel}UnreceivedAcks`]: byName,
  [`${channel}PacketCommitment`]: ofPacket,
  [`${channel}PacketReceipt`]: ofPacket,
  [`${channel}PacketAcknowledgement`]: ofPacket,
}

const transferQueries: Methods = {
  [`${transfer}Params`]: (context) => itemResponse(stored(context, 'transfer', utf8('params'))),
  [`${transfer}Denoms`]: (context, data) => {
    const { page } = ofPage.decode(data)
    return listed.encode(prefixPage(context, { ...denomsPlace, page, refuses: plainly }))
  },
  [`${transfer}Denom`]: (context, data) => {
    const { text: hash } = ofText.decode(data)
    const read = readDenomHash(hash)
    if (typeof read === 'string') {
      throw invalidArgument(`invalid denom trace hash: , error: ${read}`)
    }
    const denom = findDenom(context, read)
    if (denom === undefined) throw notFound(`${hash}: denomination not found`)
    return itemResponse(denomMessage.encode(denom))
  },
  [`${transfer}EscrowAddress`]: byName,
  [`${transfer}TotalEscrowForDenom`]: (_context, data) => {
    const { text: denom } = ofText.decode(data)
    if (!isDenom(denom)) throw invalidArgument(`invalid denom: ${denom}`)
    return itemResponse(coinMessage.encode({ denom, amount: 0n }))
  },
}

export const ibcQueries: Methods = {
  ...clientQueries,
  ...clientV2Queries,
  ...connectionQueries,
  ...channelQueries,
  ...transferQueries,
}

/** Returns a request whose first text is an identifier. Throws if it is invalid. */
function asked(data: Uint8Array, kind: 'client' | 'connection') {
  const { text: id, page } = ofText.decode(data)
  checkId(kind, id)
  return { id, page }
}

function checkId(kind: Parameters<typeof checkIbcId>[0], id: string): void {
  orInvalid(() => checkIbcId(kind, id))
}

function found(context: Context, id: string, spelled: string): Uint8Array {
  const value = context.store('ibc').get(utf8(`connections/${id}`))
  if (value === undefined) throw notFound(`${spelled}: connection not found`)
  return value
}

function clientOf(context: Context, id: string): string {
  return connection.decode(found(context, id, `connection-id: ${id}`)).clientId
}

function statesOf(context: Context, data: Uint8Array): Uint8Array {
  const { id, page } = asked(data, 'client')
  return entries(context, `clients/${id}/consensusStates/`, ofPage.encode({ page }))
}

function entries(context: Context, prefix: string, data: Uint8Array): Uint8Array {
  const { page } = ofPage.decode(data)
  return listed.encode(prefixPage(context, { store: 'ibc', prefix: utf8(prefix), page, refuses: plainly }))
}

function channelsOf(context: Context, data: Uint8Array): Uint8Array {
  const { page } = ofPage.decode(data)
  const all = { store: 'ibc', prefix: utf8('channelEnds/'), page, refuses: plainly } as const
  return heighted.encode({ ...prefixPage(context, all), height: ibcHeight(context) })
}

const packetRequest = message<{ port: string; channel: string; sequence: bigint }>({
  1: ['port', text],
  2: ['channel', text],
  3: ['sequence', uint64],
})

function ofPacket(_context: Context, data: Uint8Array): Uint8Array {
  const { port, channel: id, sequence } = packetRequest.decode(data)
  checkId('port', port)
  checkId('channel', id)
  if (sequence === 0n) throw invalidArgument('packet sequence cannot be 0')
  throw notFound(`port ID (${port}) channel ID (${id}): channel not found`)
}

/** Returns the height of a response. The revision is the number at the end of the chain ID. */
export function ibcHeight({ block }: Context): Height {
  const revision = /^.*[^-]-([1-9]\d*)$/.exec(block.chainId)?.[1]
  return { revision: BigInt(revision ?? '0'), height: block.height }
}

function utf8(spelled: string): Uint8Array {
  return new TextEncoder().encode(spelled)
}
