/**
 * ibc.core.channel.v2.Query, and the upgrade and proof queries of the other IBC services. On a
 * chain without clients, everything is empty or not found.
 */
import { upperHexOf } from '../../../codec/comet.ts'
import { message, text } from '../../../codec/protobuf/message.ts'
import { namedCodec } from '../../../codec/schema/codecs.ts'
import { sha256 } from '../../../crypto/hash.ts'
import type { Context } from '../context.ts'
import { checkIbcId, clientParts, localType } from '../ibcId.ts'
import { checkDenom } from '../modules/transfer/check.ts'
import { denomOfPath, findDenom } from '../modules/transfer/denoms.ts'
import { upgradePlan } from '../modules/upgrade/upgrade.ts'
import { type Methods, ofText } from './answer.ts'
import { ibcHeight } from './ibc.ts'
import { type PageRequest, prefixPage, plainly } from './page.ts'
import { invalidArgument, notFound, orInvalid, statusError } from './status.ts'

const channel = '/ibc.core.channel.v2.Query/'
const client = '/ibc.core.client.v1.Query/'
const transfer = '/ibc.applications.transfer.v1.Query/'

export const ibcV2Queries: Methods = {
  [`${channel}NextSequenceSend`]: (_context, data) => {
    throw notFound(`client-id ${clientIn(data)}: sequence send not found`)
  },
  [`${channel}PacketCommitment`]: missing('packet commitment hash not found'),
  [`${channel}PacketAcknowledgement`]: missing('packet acknowledgement hash not found'),
  [`${channel}PacketCommitments`]: (context, data) => {
    const { pagination: page } = asked('QueryPacketCommitmentsRequest', data)
    return answer('QueryPacketCommitmentsResponse', { ...paged(context, page), height: at(context) })
  },
  [`${channel}PacketAcknowledgements`]: (context, data) => {
    const { pagination: page, packetCommitmentSequences: given } = asked('QueryPacketAcknowledgementsRequest', data)
    // Acknowledgements of given sequences are no page.
    const pagination = given?.length ? {} : paged(context, page)
    return answer('QueryPacketAcknowledgementsResponse', { ...pagination, height: at(context) })
  },
  [`${channel}PacketReceipt`]: (context, data) => {
    checkSequence(asked('QueryPacketReceiptRequest', data).sequence)
    return answer('QueryPacketReceiptResponse', { received: false, proofHeight: at(context) })
  },
  [`${channel}UnreceivedPackets`]: (context, data) => {
    const { sequences = [] } = asked('QueryUnreceivedPacketsRequest', data)
    const zero = sequences.indexOf(0n)
    if (zero >= 0) throw invalidArgument(`packet sequence ${zero} cannot be 0`)
    return answer('QueryUnreceivedPacketsResponse', { sequences, height: at(context) })
  },
  [`${channel}UnreceivedAcks`]: (context, data) => {
    const { packetAckSequences: sequences = [] } = asked('QueryUnreceivedAcksRequest', data)
    for (const sequence of sequences) checkSequence(sequence)
    return answer('QueryUnreceivedAcksResponse', { height: at(context) })
  },
  [`${client}ClientCreator`]: (_context, data) => {
    clientIn(data)
    return new Uint8Array(0)
  },
  [`${client}UpgradedClientState`]: (context) => {
    throw notFound(upgradePlan(context) === undefined ? 'upgrade plan not found' : 'upgraded client not found')
  },
  [`${client}UpgradedConsensusState`]: ({ block }) => {
    throw notFound(`upgraded consensus state not found, height ${block.height}`)
  },
  [`${client}VerifyMembership`]: (_context, data) => {
    const id = clientIn(data)
    checkProof(id, namedCodec('ibc.core.client.v1.QueryVerifyMembershipRequest').decode(data) as ProofRequest)
    if (!id.startsWith('07-tendermint-')) throw notFound(`${id}: light client module route not found`)
    const status = 'with status Unknown: client state is not active'
    throw statusError('FailedPrecondition', `cannot verify membership using client (${id}) ${status}`)
  },
  [`${transfer}DenomHash`]: (context, data) => {
    const { text: trace } = ofText.decode(data)
    orInvalid(() => checkDenom(denomOfPath(trace)))
    const hash = sha256(new TextEncoder().encode(trace))
    if (findDenom(context, hash) === undefined) throw notFound(`${trace}: denomination not found`)
    return ofText.encode({ text: upperHexOf(hash) })
  },
}

function missing(what: string): Methods[string] {
  return (_context, data) => {
    checkSequence(asked('QueryPacketReceiptRequest', data).sequence)
    throw notFound(what)
  }
}

type Asked = {
  readonly sequence?: bigint
  readonly sequences?: readonly bigint[]
  readonly packetAckSequences?: readonly bigint[]
  readonly packetCommitmentSequences?: readonly bigint[]
  readonly pagination?: PageRequest
}

/** Returns a request that begins with a client, whose name is checked. */
function asked(type: string, data: Uint8Array): Asked {
  clientIn(data)
  return namedCodec(`ibc.core.channel.v2.${type}`).decode(data)
}

function checkSequence(sequence: bigint | undefined): void {
  if ((sequence ?? 0n) === 0n) throw invalidArgument('packet sequence cannot be 0')
}

/** Returns the page of an empty list. */
function paged(context: Context, page: PageRequest | undefined) {
  return { pagination: prefixPage(context, { store: 'ibc', prefix: Uint8Array.of(1), page, refuses: plainly }).page }
}

type ProofRequest = {
  readonly proof: Uint8Array
  readonly proofHeight?: { readonly revisionNumber: bigint; readonly revisionHeight: bigint }
  readonly merklePath?: { readonly keyPath: readonly unknown[] }
  readonly value: Uint8Array
}

/** Throws what the node finds wrong with a request to verify a proof, in its order. */
function checkProof(id: string, { proof, proofHeight, merklePath, value }: ProofRequest): void {
  const type = clientParts(id)?.type
  if (type === undefined) {
    throw invalidArgument(`invalid client identifier ${id} is not in format: \`{client-type}-{N}\`: invalid identifier`)
  }
  if (type === localType || type === '06-solomachine') {
    throw invalidArgument(
      'verify membership is disabled for client types [09-localhost 06-solomachine]: invalid client type',
    )
  }
  if (proof.length === 0) throw invalidArgument('empty proof')
  const isZero = (proofHeight?.revisionNumber ?? 0n) === 0n && (proofHeight?.revisionHeight ?? 0n) === 0n
  if (isZero) throw invalidArgument('proof height must be non-zero')
  if ((merklePath?.keyPath.length ?? 0) === 0) throw invalidArgument('empty merkle path')
  if (value.length === 0) throw invalidArgument('empty value')
}

function answer(type: string, value: Readonly<Record<string, unknown>>): Uint8Array {
  const codec = namedCodec(`ibc.core.channel.v2.${type}`)
  return codec.encode({ ...codec.decode(new Uint8Array(0)), ...value })
}

function at(context: Context) {
  const { revision: revisionNumber, height: revisionHeight } = ibcHeight(context)
  return { revisionNumber, revisionHeight }
}

const first = message<{ id: string }>({ 1: ['id', text] })

/** Returns the client named first in a request. Throws if the name is invalid. */
function clientIn(data: Uint8Array): string {
  const { id } = first.decode(data)
  orInvalid(() => checkIbcId('client', id))
  return id
}
