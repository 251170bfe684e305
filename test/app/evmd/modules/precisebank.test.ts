/**
 * What the EVM mints and burns leaves the same events and state by the short way and by all steps. With 6 decimals,
 * fractions and the reserve stay in balance.
 */
import test from 'ava'
import fc from 'fast-check'
import { infiniteGasMeter } from '../../../../src/app/gasMeter.ts'
import { evmModule, reserve } from '../../../../src/app/evmd/address.ts'
import { type Context, withGas } from '../../../../src/app/evmd/context.ts'
import { getAccount } from '../../../../src/app/evmd/modules/auth/accounts.ts'
import { getBalance, getSupply } from '../../../../src/app/evmd/modules/bank/balances.ts'
import { sendCoins } from '../../../../src/app/evmd/modules/bank/send.ts'
import { evmCoin } from '../../../../src/app/evmd/evmCoin.ts'
import { getFraction, getRemainder } from '../../../../src/app/evmd/modules/precisebank/fractions.ts'
import {
  burnFrom,
  getSpendableWei,
  mintTo,
  sendWei,
  setWei,
} from '../../../../src/app/evmd/modules/precisebank/send.ts'
import { startChain } from '../../../helpers/evmdChain.ts'
import { genesisWithCoin, sixDecimals } from '../../../helpers/ownCoin.ts'
import { contextOf } from '../../../helpers/precompiles.ts'

const chain = startChain()
const denom = 'atest'
const coin = { denom, extendedDenom: denom, factor: 1n, decimals: 18 }
const addressOf = (hex: string) => Buffer.from(hex, 'hex')
/** Chains whose module account has coins, and none. */
const held = chain.application.edit(chain.state, [{ type: 'setBalance', address: evmModule, denom, amount: 5n }])
const states = [chain.state, held.state]
const alice = addressOf('f39fd6e51aad88f6f4ce6ab8827279cfffb92266')
const bob = addressOf('70997970c51812dc3a010c7d01b50e0d17dc79c8')
const nobody = addressOf('00000000000000000000000000000000000000aa')

type Step = { readonly does: 'mint' | 'burn' | 'give'; readonly address: Uint8Array; readonly amount: bigint }
const step: fc.Arbitrary<Step> = fc.record({
  does: fc.constantFrom('mint', 'burn', 'give'),
  address: fc.constantFrom(alice, bob, nobody, evmModule),
  amount: fc.bigInt({ min: 1n, max: 10n ** 30n }),
})

/** Applies a step; what an account does not have is not burned. */
function apply(context: Context, { does, address, amount }: Step): void {
  if (does === 'mint') return mintTo(context, address, amount, coin)
  const balance = getBalance(context, does === 'burn' ? address : alice, denom)
  const least = amount < balance ? amount : balance
  if (least === 0n) return
  if (does === 'burn') return burnFrom(context, address, least, coin)
  // Coins in the module's account pass through it too.
  return sendCoins(context, { from: alice, to: evmModule, coins: [{ denom, amount: least }] })
}

const changesOf = ({ draft }: Context) =>
  [...draft.overlaid()].map(([key, value]) => [key, value === null ? null : Buffer.from(value).toString('hex')])

test('minting and burning by the short way is the same as by all steps', (t) => {
  let shortened = 0
  fc.assert(
    fc.property(fc.constantFrom(...states), fc.array(step, { minLength: 1, maxLength: 6 }), (state, steps) => {
      const short = contextOf({ state })
      const whole = withGas(contextOf({ state }), infiniteGasMeter())
      for (const one of steps) {
        apply(short, one)
        apply(whole, one)
        if (one.does !== 'give' && (one.address === alice || one.address === bob)) shortened++
      }
      t.deepEqual(short.events, whole.events)
      t.deepEqual(changesOf(short), changesOf(whole))
    }),
    { seed: 11, numRuns: 200 },
  )
  t.true(shortened > 100)
})

for (const [does, change] of Object.entries({ minted: mintTo, burned: burnFrom })) {
  test(`coins that are ${does} first make the account of the module`, (t) => {
    const context = contextOf(chain)
    t.is(getAccount(context, evmModule), undefined)
    change(context, alice, 1n, coin)
    t.deepEqual(getAccount(context, evmModule)?.module, { name: 'evm', permissions: ['minter', 'burner'] })
  })
}

const wei = fc.oneof(fc.bigInt({ min: 1n, max: 3n * 10n ** 12n }), fc.bigInt({ min: 1n, max: 10n ** 20n }))
const people: readonly Uint8Array[] = [alice, bob, nobody]
const change = fc.record({
  does: fc.constantFrom('mint', 'burn', 'send', 'set'),
  from: fc.constantFrom(...people),
  to: fc.constantFrom(...people),
  wei,
})

test('with 6 decimals, every wei is where it was sent, and the reserve holds what fractions make', (t) => {
  const six = startChain({ document: genesisWithCoin(sixDecimals) })
  const context = contextOf(six)
  const { factor, denom: inBank } = evmCoin(context)
  const expected = new Map(people.map((one) => [one, getSpendableWei(context, one, evmCoin(context))]))
  const supplyBefore = getSupply(context, inBank) * factor - totalOf(expected)
  const coinNow = evmCoin(context)
  const add = (who: Uint8Array, amount: bigint) => expected.set(who, (expected.get(who) ?? 0n) + amount)
  fc.assert(
    fc.property(change, ({ does, from, to, wei: asked }) => {
      const has = expected.get(from) ?? 0n
      const amount = asked < has ? asked : has
      if (does === 'mint') {
        mintTo(context, to, asked, coinNow)
        add(to, asked)
      } else if (does === 'set') {
        setWei(context, to, coinNow, asked)
        expected.set(to, asked)
      } else if (amount > 0n && does === 'burn') {
        burnFrom(context, from, amount, coinNow)
        add(from, -amount)
      } else if (amount > 0n) {
        sendWei(context, { from, to, wei: amount }, coinNow)
        add(from, -amount)
        add(to, amount)
      }
      for (const one of people) t.is(getSpendableWei(context, one, coinNow), expected.get(one) ?? 0n)
      const fractions = people.map((one) => getFraction(context, one, coinNow)).reduce((a, b) => a + b, 0n)
      const inReserve = fractions + getRemainder(context, coinNow)
      t.is(getBalance(context, reserve, inBank) * factor, inReserve)
      t.is(getSupply(context, inBank) * factor - getRemainder(context, coinNow), supplyBefore + totalOf(expected))
    }),
    { seed: 12, numRuns: 500 },
  )
})

const totalOf = (amounts: ReadonlyMap<unknown, bigint>) => [...amounts.values()].reduce((a, b) => a + b, 0n)
