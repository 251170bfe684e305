/** What the EVM mints and burns leaves the same events and state by the short way and by all steps. */
import test from 'ava'
import fc from 'fast-check'
import { infiniteGasMeter } from '../../../../src/app/gasMeter.ts'
import { evmModule } from '../../../../src/app/evmd/address.ts'
import { type Context, withGas } from '../../../../src/app/evmd/context.ts'
import { getAccount } from '../../../../src/app/evmd/modules/auth/accounts.ts'
import { getBalance } from '../../../../src/app/evmd/modules/bank/balances.ts'
import { sendCoins } from '../../../../src/app/evmd/modules/bank/send.ts'
import { burnFrom, mintTo } from '../../../../src/app/evmd/modules/precisebank/send.ts'
import { startChain } from '../../../helpers/evmdChain.ts'
import { contextOf } from '../../../helpers/precompiles.ts'

const chain = startChain()
const denom = 'atest'
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
  if (does === 'mint') return mintTo(context, address, { denom, amount })
  const balance = getBalance(context, does === 'burn' ? address : alice, denom)
  const least = amount < balance ? amount : balance
  if (least === 0n) return
  if (does === 'burn') return burnFrom(context, address, { denom, amount: least })
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
    change(context, alice, { denom, amount: 1n })
    t.deepEqual(getAccount(context, evmModule)?.module, { name: 'evm', permissions: ['minter', 'burner'] })
  })
}
