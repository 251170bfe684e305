/** Halves are rounded to even, as the SDK's RoundInt does. */
import test from 'ava'
import { MsgSubmitProposal } from 'cosmjs-types/cosmos/gov/v1/tx'
import { ed25519Address } from '../../../../src/crypto/ed25519.ts'
import { decimalOf, rounded } from '../../../../src/app/evmd/decimal.ts'
import { any, person, startMessages } from '../../../helpers/messageChain.ts'

for (const [value, whole] of [
  ['0.5', 0n],
  ['1.5', 2n],
  ['2.5', 2n],
  ['2.500000000000000001', 3n],
  ['2.499999999999999999', 2n],
  ['-2.5', -2n],
  ['-3.5', -4n],
] as const) {
  test(`${value} is rounded to ${whole}`, (t) => {
    t.is(rounded(decimalOf(value) ?? 0n), whole)
  })
}

test('a validator that must sign half of 5 blocks may miss 3', (t) => {
  const chain = startMessages({
    validators: 2,
    edit: (state) => {
      const params = { signed_blocks_window: '5', min_signed_per_window: '0.500000000000000000' }
      Object.assign(state, { slashing: { params } })
    },
  })
  for (let height = 1; height < 10; height++) chain.block()
  const [, lazy] = chain.validators
  chain.absent.add(Buffer.from(ed25519Address(lazy?.publicKey.bytes ?? new Uint8Array(32))).toString('hex'))
  const slashed = [1, 2, 3, 4].map(() => chain.block().events.some(({ type }) => type === 'slash'))
  t.deepEqual(slashed, [false, false, false, true])
})

test('half of a deposit of 5 is 2', (t) => {
  const chain = startMessages({
    edit: ({ gov }) => {
      const share = {
        min_deposit: [{ denom: 'atest', amount: '5' }],
        min_initial_deposit_ratio: '0.500000000000000000',
      }
      Object.assign(gov?.['params'] ?? {}, share)
    },
  })
  const alice = person(0)
  const texts = { proposer: alice.address, title: 'title', summary: 'summary', metadata: 'more' }
  const submit = (amount: string) =>
    chain.send(alice, any(MsgSubmitProposal, { ...texts, initialDeposit: [{ denom: 'atest', amount }] }))
  t.regex(submit('1').log, /was \(1atest\), need \(2atest\): minimum deposit is too small$/)
  const { code, log } = submit('2')
  t.is(code, 0, log)
})
