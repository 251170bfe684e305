/** Genesis documents of other chains: their coins, and their addresses. */
import test from 'ava'
import { moduleAddress } from '../../../../src/app/evmd/address.ts'
import { bech32Of } from '../../../../src/codec/bech32.ts'
import { startChain } from '../../../helpers/evmdChain.ts'
import { genesisWithCoin, sixDecimals } from '../../../helpers/ownCoin.ts'

const holder = bech32Of('cosmos', new Uint8Array(20).fill(7))
const reserve = bech32Of('cosmos', moduleAddress('precisebank'))

type Fractions = { readonly balances: readonly { address: string; amount: string }[]; readonly remainder: string }

/** Returns a document with fractions of the coin, and a reserve of so many whole ones. */
const withFractions = (precisebank: Fractions, reserved: string): string =>
  genesisWithCoin(sixDecimals, ({ app_state: state }) => {
    state.precisebank = precisebank
    state.bank.balances.push({ address: reserve, coins: [{ denom: 'utest', amount: reserved }] })
    state.bank.supply = []
  })

test('fractions of the document are part of balances', (t) => {
  const fractions = { balances: [{ address: holder, amount: '999999999999' }], remainder: '1' }
  const { ethereum, state } = startChain({ document: withFractions(fractions, '1') })
  t.is(ethereum.account(state, new Uint8Array(20).fill(7)).wei, 999_999_999_999n)
  t.is(ethereum.account(state, moduleAddress('precisebank')).wei, 0n)
})

const refused = test.macro((t, document: string, message: string) => {
  t.throws(() => startChain({ document }), { code: 'INVALID_GENESIS', message: `genesis: ${message}` })
})

test(
  'fractions that no reserve covers are refused',
  refused,
  withFractions({ balances: [{ address: holder, amount: '999999999999' }], remainder: '1' }, '2'),
  'app_state.precisebank must be fractions and a remainder of 2000000000000atest, which its module account holds, ' +
    'together; they are 1000000000000',
)
test(
  'a fraction of a whole coin is refused',
  refused,
  withFractions({ balances: [{ address: holder, amount: '1000000000000' }], remainder: '0' }, '1'),
  'app_state.precisebank.balances[0].amount must be from 0 to 999999999999, because the coin has 6 decimals',
)
test(
  'a coin with more decimals than wei is refused',
  refused,
  genesisWithCoin({ ...sixDecimals, decimals: 19 }),
  'app_state.evm.params.evm_denom must be of 1 to 18 decimals',
)
test(
  'fewer decimals without a name for wei are refused',
  refused,
  genesisWithCoin({ ...sixDecimals, extendedDenom: '' }),
  'app_state.evm.params.extended_denom_options.extended_denom must be the denomination of wei, because utest has 6 decimals',
)

const elsewhere = bech32Of('own', new Uint8Array(20).fill(7))
const prefix =
  "must be an address that begins with cosmos: hrp does not match bech32 prefix: expected 'cosmos' " +
  "got 'own': internal logic error"

test(
  'a balance of an address of another chain is refused with its place',
  refused,
  genesisWithCoin(sixDecimals, ({ app_state: { bank } }) => bank.balances.unshift({ address: elsewhere, coins: [] })),
  `app_state.bank.balances[0].address ${prefix}`,
)
test(
  'an account with an address of another chain is refused with its place',
  refused,
  genesisWithCoin(sixDecimals, ({ app_state: { auth } }) =>
    auth.accounts.unshift({ '@type': '/cosmos.auth.v1beta1.BaseAccount', address: elsewhere }),
  ),
  `app_state.auth.accounts[0].address ${prefix}`,
)
