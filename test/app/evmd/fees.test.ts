/** Fees of Cosmos and Ethereum transactions under unusual parameters of the fee market. */
import test from 'ava'
import { MsgSend } from 'cosmjs-types/cosmos/bank/v1beta1/tx'
import { AuthInfo, SignDoc, TxRaw } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { bytesToHex, hexToBytes } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import type { TxResult } from '../../../src/app/abci.ts'
import { chainId, evmChainId } from '../../helpers/evmdChain.ts'
import { any, ethereumPerson, type MessageChain, person, startMessages } from '../../helpers/messageChain.ts'

const [alice, bob] = [person(0), person(1)]
const send = any(MsgSend, {
  fromAddress: alice.address,
  toAddress: bob.address,
  amount: [{ denom: 'atest', amount: '5' }],
})

function start(params: Record<string, unknown>): MessageChain {
  return startMessages({
    edit: (state) => {
      const market = state['feemarket'] as unknown as { params: object }
      Object.assign(market.params, params)
    },
  })
}

const feeOf = ({ events }: TxResult): string | undefined =>
  events.find(({ type }) => type === 'tx')?.attributes.find(({ key }) => key === 'fee')?.value

test('while base fees are disabled, Cosmos transactions still pay the stored one', (t) => {
  const chain = start({ no_base_fee: true, base_fee: '1000000000.0' })
  const low = chain.send(alice, send, { gas: 200_000n, fee: '199999999999999' })
  t.deepEqual([low.codespace, low.code], ['sdk', 13])
  t.regex(low.log, /^gas prices too low, got: 999999999\.999\d+atest required: 1000000000\.0+atest\./)
  t.is(chain.send(alice, send, { gas: 200_000n, fee: '200000000000000' }).code, 0)
})

test('while base fees are disabled, queries show 0 and no gas counts toward the next one', (t) => {
  const gasUsed = (chain: MessageChain) => chain.send(alice, send, { fee: '500000000000000' }).gasUsed
  const [disabled, enabled] = [start({ no_base_fee: true }), start({})]
  // One flat read, one flat write and nine bytes of the transient store.
  t.is(gasUsed(enabled) - gasUsed(disabled), 327n)
  t.deepEqual(wantedGas(disabled), 0n)
  t.true(wantedGas(enabled) > 0n)
  t.deepEqual([...disabled.query('/cosmos.evm.feemarket.v1.Query/BaseFee', new Uint8Array(0))], [0x0a, 1, 0x30])
})

/** The gas that a block with an expensive transaction stores, beyond the gas used. */
function wantedGas(chain: MessageChain): bigint {
  const { gasUsed } = chain.send(alice, send, { gas: 10_000_000n, fee: '10000000000000000' })
  const [[, value] = []] = [...chain.store('feemarket', 1)]
  return Buffer.from(value ?? []).readBigUInt64BE() - gasUsed
}

test('the base fee stays as it is until the height that enables it', (t) => {
  const chain = start({ enable_height: '4', base_fee: '1000000000.0' })
  const stored = () => [...chain.query('/cosmos.evm.feemarket.v1.Query/BaseFee', new Uint8Array(0))].slice(2)
  const blocks = Array.from({ length: 4 }, () => {
    const isShown = chain.block().events.some(({ type }) => type === 'fee_market')
    return [isShown, Buffer.from(stored()).toString()]
  })
  t.deepEqual(blocks, [
    [false, `1${'0'.repeat(27)}`],
    [false, `1${'0'.repeat(27)}`],
    [true, `1${'0'.repeat(27)}`],
    [true, `875${'0'.repeat(24)}`],
  ])
})

test('a transaction without a fee shows a fee of zero where none is needed', (t) => {
  const done = start({ base_fee: '0.0', min_gas_price: '0.0' }).send(alice, send, { fee: '' })
  t.is(done.code, 0, done.log)
  t.is(feeOf(done), '0atest')
})

test("a fee in the SDK's default coin counts as nothing", (t) => {
  const [free, priced] = [start({}), start({ min_gas_price: '2.0' })]
  t.regex(inStake(free).log, /^gas prices too low, got: 0\.0{18}atest required: \d+\.\d+atest\./)
  t.is(
    inStake(priced).log,
    'provided fee < minimum global fee (7stake < 1000000atest). Please increase the gas price.: insufficient fee',
  )
})

function inStake(chain: MessageChain): TxResult {
  const { bodyBytes, authInfoBytes } = TxRaw.decode(chain.signed(alice, [send]))
  const auth = AuthInfo.decode(authInfoBytes)
  const fee = { payer: '', granter: '', gasLimit: 500_000n, amount: [{ denom: 'stake', amount: '7' }] }
  const changed = AuthInfo.encode({ ...auth, fee }).finish()
  const accountNumber = chain.account(alice.address).number
  const doc = SignDoc.encode({ bodyBytes, authInfoBytes: changed, chainId, accountNumber }).finish()
  const signatures = [secp256k1.sign(doc, alice.key)]
  const [result] = chain.block([TxRaw.encode({ bodyBytes, authInfoBytes: changed, signatures }).finish()]).txResults
  if (result === undefined) throw new Error('no result')
  return result
}

test('a minimum fee of less than a wei has to be paid', async (t) => {
  const chain = start({ no_base_fee: true, base_fee: '0.0', min_gas_price: '0.00001' })
  const account = privateKeyToAccount(bytesToHex(ethereumPerson(0).key))
  const pay = async (gas: bigint, gasPrice: bigint, nonce: number): Promise<TxResult | undefined> => {
    const to = account.address
    const raw = await account.signTransaction({ type: 'legacy', chainId: evmChainId, to, gas, gasPrice, nonce })
    return chain.block([chain.ethereum.wrap(chain.state, chain.ethereum.decode(hexToBytes(raw)))]).txResults[0]
  }
  t.regex((await pay(21_001n, 0n, 0))?.log ?? '', /^provided fee < minimum global fee \(0 < 0\)\./)
  t.is((await pay(21_001n, 1n, 0))?.code, 0)
})

/** Answers of evmd v0.5.0 to `check_tx`. */
const checked = test.macro((t, fee: string, gas: bigint, want: string, wanted: bigint) => {
  const chain = startMessages()
  const { code, log, gasWanted } = chain.check(chain.signed(alice, [send], { fee, gas }))
  t.is(`${code} ${log}`, want)
  t.is(gasWanted, wanted)
})
const enough = 10n ** 18n
const unparsed = 'tx parse error: tx parse error'

test('a fee may be spelled as in Go', checked, `0x${enough.toString(16)}`, 500_000n, '0 ', 500_000n)
test(
  'a fee that is no number is no transaction',
  checked,
  'x',
  500_000n,
  `2 math/big: cannot unmarshal "x" into a *big.Int: ${unparsed}`,
  0n,
)
test(
  'a fee of more than 256 bits is no transaction',
  checked,
  '9'.repeat(80),
  500_000n,
  `2 integer out of range; got: 266, max: 256: ${unparsed}`,
  0n,
)
test(
  'the gas wanted is a signed number',
  checked,
  `${enough}`,
  2n ** 64n - 1n,
  `41 tx gas limit ${2n ** 64n - 1n} exceeds block max gas 30000000: invalid gas limit`,
  -1n,
)

test('coins in a message may be spelled as in Go', (t) => {
  const chain = startMessages()
  const message = { fromAddress: alice.address, toAddress: bob.address, amount: [{ denom: 'atest', amount: '010' }] }
  const done = chain.send(alice, any(MsgSend, message))
  t.is(done.code, 0, done.log)
  const moved = done.events.findLast(({ type }) => type === 'transfer')?.attributes.find(({ key }) => key === 'amount')
  t.is(moved?.value, '8atest')
})
