/**
 * ibc.core.channel.v2.Query, and the upgrade and proof queries of the other IBC services. On a
 * chain without clients, everything is empty or not found.
 */
import { upperHexOf } from '../../../codec/comet.ts'
import { message, text } from '../../../codec/protobuf/message.ts'
import { namedCodec } from '../../../codec/schema/codecs.ts'
import { sha256 } from '../../../crypto/hash.ts'
import type { Context } from '../context.ts'
import { checkIbcId } from '../ibcId.ts'
import { findDenom } from '../modules/transfer/denoms.ts'
import { TxError } from '../txError.ts'
import { type Methods, ofText } from './answer.ts'
import { invalidArgument, notFound } from './status.ts'

const channel = '/ibc.core.channel.v2.Query/'
const client = '/ibc.core.client.v1.Query/'
const transfer = '/ibc.applications.transfer.v1.Query/'

export const ibcV2Queries: Methods = {
  [`${channel}NextSequenceSend`]: (_context, data) => {
    throw notFound(`client-id ${clientIn(data)}: sequence send not found`)
  },
  [`${channel}PacketCommitment`]: missing('packet commitment hash not found'),
  [`${channel}PacketAcknowledgement`]: missing('packet acknowledgement hash not found'),
  [`${channel}PacketCommitments`]: empty('QueryPacketCommitmentsResponse', ['pagination']),
  [`${channel}PacketAcknowledgements`]: empty('QueryPacketAcknowledgementsResponse', ['pagination']),
  [`${channel}PacketReceipt`]: (context, data) => {
    clientIn(data)
    return answer('QueryPacketReceiptResponse', { received: false, proofHeight: at(context) })
  },
  [`${channel}UnreceivedPackets`]: (context, data) => {
    clientIn(data)
    const { sequences } = namedCodec('ibc.core.channel.v2.QueryUnreceivedPacketsRequest').decode(data)
    return answer('QueryUnreceivedPacketsResponse', { sequences, height: at(context) })
  },
  [`${channel}UnreceivedAcks`]: empty('QueryUnreceivedAcksResponse', []),
  [`${client}ClientCreator`]: () => new Uint8Array(0),
  [`${client}UpgradedClientState`]: () => {
    throw notFound('upgrade plan not found')
  },
  [`${client}UpgradedConsensusState`]: ({ block }) => {
    throw notFound(`upgraded consensus state not found, height ${block.height}`)
  },
  [`${client}VerifyMembership`]: (_context, data) => {
    const id = clientIn(data)
    const { merklePath } = namedCodec('ibc.core.client.v1.QueryVerifyMembershipRequest').decode(data) as {
      merklePath?: { keyPath: readonly unknown[] }
    }
    if ((merklePath?.keyPath.length ?? 0) === 0) throw invalidArgument('empty merkle path')
    throw notFound(`${id}: light client not found`)
  },
  [`${transfer}DenomHash`]: (context, data) => {
    const { text: trace } = ofText.decode(data)
    const hash = sha256(new TextEncoder().encode(trace))
    if (findDenom(context, hash) === undefined) throw notFound(`${trace}: denomination not found`)
    return ofText.encode({ text: upperHexOf(hash) })
  },
}

function missing(what: string): Methods[string] {
  return (_context, data) => {
    clientIn(data)
    throw notFound(what)
  }
}

function empty(type: string, pages: readonly 'pagination'[]): Methods[string] {
  return (context, data) => {
    clientIn(data)
    const page = pages.map((name) => [name, { nextKey: new Uint8Array(0), total: 0n }])
    return answer(type, { ...Object.fromEntries(page), height: at(context) })
  }
}

function answer(type: string, value: Readonly<Record<string, unknown>>): Uint8Array {
  const codec = namedCodec(`ibc.core.channel.v2.${type}`)
  return codec.encode({ ...codec.decode(new Uint8Array(0)), ...value })
}

function at({ block }: Context) {
  return { revisionNumber: 0n, revisionHeight: block.height }
}

const first = message<{ id: string }>({ 1: ['id', text] })

/** Returns the client named first in a request. Throws if the name is invalid. */
function clientIn(data: Uint8Array): string {
  const { id } = first.decode(data)
  try {
    checkIbcId('client', id)
  } catch (error) {
    throw error instanceof TxError ? invalidArgument(error.message) : error
  }
  return id
}
