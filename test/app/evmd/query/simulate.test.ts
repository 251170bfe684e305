/** The gas of a simulation, as wallets ask for it: without a fee, without a signature. */
import test from 'ava'
import { MsgSend } from 'cosmjs-types/cosmos/bank/v1beta1/tx'
import { SimulateRequest, SimulateResponse } from 'cosmjs-types/cosmos/tx/v1beta1/service'
import { TxRaw } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import type { Any } from 'cosmjs-types/google/protobuf/any'
import { any, feeOf, type MessageChain, person, type Person, startMessages } from '../../../helpers/messageChain.ts'
import { quickChain, randomMessage, randomOf } from '../../../helpers/randomMessages.ts'

function simulated(chain: MessageChain, from: Person, message: Any): bigint | undefined {
  const raw = TxRaw.decode(chain.signed(from, [message], { gas: 0n, fee: '' }))
  const txBytes = TxRaw.encode({ ...raw, signatures: [new Uint8Array(0)] }).finish()
  const request = SimulateRequest.encode(SimulateRequest.fromPartial({ txBytes })).finish()
  try {
    const answer = chain.query('/cosmos.tx.v1beta1.Service/Simulate', request)
    return SimulateResponse.decode(answer).gasInfo?.gasUsed
  } catch {
    return undefined
  }
}

test('1.3 times the gas simulated is enough for messages of every kind', (t) => {
  const chain = quickChain()
  const random = randomOf(11)
  const kinds = new Set<string>()
  for (let n = 0; n < 300; n++) {
    const { from, message } = randomMessage(chain, random)
    const gas = simulated(chain, from, message)
    if (gas === undefined) continue
    const limit = (gas * 13n) / 10n
    const { code, log } = chain.send(from, message, { gas: limit, fee: feeOf(limit) })
    t.is(code, 0, `${message.typeUrl}: ${log}`)
    kinds.add(message.typeUrl)
  }
  t.true(kinds.size >= 15, [...kinds].join())
})

test('a simulation counts the transactions that wait, as the node does', (t) => {
  const chain = startMessages()
  const alice = person(0)
  const message = any(MsgSend, {
    fromAddress: alice.address,
    toAddress: alice.address,
    amount: [{ denom: 'atest', amount: '1' }],
  })
  const simulate = (sequence: bigint) => {
    const txBytes = chain.signed(alice, [message], { sequence })
    return chain.query('/cosmos.tx.v1beta1.Service/Simulate', SimulateRequest.encode({ txBytes }).finish())
  }
  t.throws(() => simulate(1n), { message: /account sequence mismatch, expected 0, got 1/ })
  chain.state = chain.application.checkTx(chain.state, chain.signed(alice, [message]), 'new').state
  t.notThrows(() => simulate(1n))
  t.throws(() => simulate(0n), { message: /account sequence mismatch, expected 1, got 0/ })
})

test('a module cannot sign, not even in a simulation', (t) => {
  const chain = startMessages()
  const gov = 'cosmos10d07y265gmmuvt4z0w9aw880jnsr700j6zn9kn'
  const message = any(MsgSend, { fromAddress: gov, toAddress: gov, amount: [{ denom: 'atest', amount: '1' }] })
  const txBytes = chain.signed(person(0), [message], { gas: 0n, fee: '' })
  t.throws(
    () =>
      chain.query(
        '/cosmos.tx.v1beta1.Service/Simulate',
        SimulateRequest.encode(SimulateRequest.fromPartial({ txBytes })).finish(),
      ),
    {
      message: /not supported for module accounts: invalid pubkey with gas used/,
    },
  )
})
