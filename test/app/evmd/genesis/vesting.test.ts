/** Vesting accounts of a genesis document. */
import { readFileSync } from 'node:fs'
import test from 'ava'
import { start } from '../../../../src/index.ts'

type Document = { app_state: { auth: { accounts: object[] } } }

const address = 'cosmos1qurswpc8qurswpc8qurswpc8qurswpc8nn86qp'
const coins = (amount: string) => [{ denom: 'atest', amount }]
const base = {
  base_account: { address, pub_key: null, account_number: '5', sequence: '3' },
  original_vesting: coins('100'),
  delegated_free: coins('7'),
  delegated_vesting: [],
  end_time: '1800000000',
}
const periods = [
  { length: '60', amount: coins('40') },
  { length: '90', amount: coins('60') },
]

const loads = test.macro(async (t, kind: string, members: object) => {
  const account = { '@type': `/cosmos.vesting.v1beta1.${kind}`, base_vesting_account: base, ...members }
  const document = JSON.parse(readFileSync('genesis/evmd.json', 'utf8')) as Document
  document.app_state.auth.accounts.push(account)
  await using server = await start({ ports: 'free', genesis: JSON.stringify(document) })
  const response = await fetch(`${server.urls.rest}/cosmos/auth/v1beta1/accounts/${address}`)
  const shown = (await response.json()) as { account: unknown }
  t.deepEqual(shown.account, account)
})

test('a delayed vesting account is loaded', loads, 'DelayedVestingAccount', {})
test('a continuous vesting account is loaded with its start', loads, 'ContinuousVestingAccount', {
  start_time: '1700000000',
})
test('a periodic vesting account is loaded with its periods', loads, 'PeriodicVestingAccount', {
  start_time: '1700000000',
  vesting_periods: periods,
})

test('an account of a type that evmd lacks is refused with its place', async (t) => {
  const document = JSON.parse(readFileSync('genesis/evmd.json', 'utf8')) as Document
  document.app_state.auth.accounts.push({ '@type': '/ethermint.types.v1.EthAccount', base_account: base.base_account })
  await t.throwsAsync(start({ ports: 'none', genesis: JSON.stringify(document) }), {
    code: 'INVALID_GENESIS',
    message: /app_state\.auth\.accounts\[5\]\.@type must be BaseAccount, ModuleAccount or a vesting account/,
  })
})
