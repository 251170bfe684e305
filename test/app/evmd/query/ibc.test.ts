/** Queries of IBC on a chain without clients, as a real node answers them. */
import test from 'ava'
import { namedCodec } from '../../../../src/codec/schema/codecs.ts'
import { startMessages } from '../../../helpers/messageChain.ts'

const chain = startMessages()
const client = { clientId: '07-tendermint-0' }
const ask = (service: string, method: string, request: object) => {
  const codec = namedCodec(`ibc.core.${service}.Query${method}Request`)
  const data = codec.encode({ ...codec.decode(new Uint8Array(0)), ...request })
  return namedCodec(`ibc.core.${service}.Query${method}Response`).decode(
    chain.query(`/ibc.core.${service}.Query/${method}`, data),
  )
}

test('sequence 0 and consensus height 0 are refused', (t) => {
  for (const method of ['PacketCommitment', 'PacketAcknowledgement', 'PacketReceipt']) {
    t.throws(() => ask('channel.v2', method, client), { message: /packet sequence cannot be 0/ })
  }
  const unreceived = () => ask('channel.v2', 'UnreceivedPackets', { ...client, sequences: [1n, 0n] })
  t.throws(unreceived, { message: /packet sequence 1 cannot be 0/ })
  t.throws(() => ask('client.v1', 'ConsensusState', client), { message: /consensus state height cannot be 0/ })
})

test('acknowledgements of given sequences come without a page', (t) => {
  const of = (request: object) => ask('channel.v2', 'PacketAcknowledgements', { ...client, ...request })
  t.is(of({ packetCommitmentSequences: [1n] })['pagination'], undefined)
  t.not(of({})['pagination'], undefined)
})

test('a proof is checked in the order of the node', (t) => {
  const refusal = (request: object) =>
    t.throws(() => ask('client.v1', 'VerifyMembership', { ...client, ...request })).message
  const height = { proofHeight: { revisionNumber: 0n, revisionHeight: 1n } }
  const proof = Uint8Array.of(1)
  const merklePath = { keyPath: [proof] }
  t.regex(refusal({ clientId: '09-localhost' }), /verify membership is disabled for client types/)
  t.regex(refusal({ clientId: 'tendermint' }), /invalid client identifier tendermint is not in format/)
  t.regex(refusal({}), /empty proof/)
  t.regex(refusal({ proof }), /proof height must be non-zero/)
  t.regex(refusal({ proof, ...height }), /empty merkle path/)
  t.regex(refusal({ proof, ...height, merklePath }), /empty value/)
  const whole = { proof, ...height, merklePath, value: proof }
  t.regex(refusal(whole), /FailedPrecondition .* with status Unknown: client state is not active: invalid request$/)
  t.regex(refusal({ ...whole, clientId: '08-wasm-0' }), /NotFound .* light client module route not found/)
})

test('the name of a client is checked before its creator, and a numbered local client is active', (t) => {
  t.throws(() => ask('client.v1', 'ClientCreator', { clientId: 'x' }), { message: /invalid identifier/ })
  t.is(ask('client.v1', 'ClientStatus', { clientId: '09-localhost-0' })['status'], 'Active')
})
