/** Validators of a genesis document that are on their way out. */
import { readFileSync } from 'node:fs'
import test from 'ava'
import { start } from '../../../../src/index.ts'

type Validator = Readonly<Record<string, unknown>>
type Document = { app_state: { staking: { validators: Validator[] } } }

const leaving = {
  operator_address: 'cosmosvaloper1fx944mzagwdhx0wz7k9tfztc8g3lkfk6ykdhvy',
  consensus_pubkey: { '@type': '/cosmos.crypto.ed25519.PubKey', key: 'DjHWWdD+oTKvvU1UJUj7rcEJuJEtwO1tWbJrwzMUxAk=' },
  jailed: true,
  status: 'BOND_STATUS_UNBONDING',
  tokens: '0',
  delegator_shares: '0.000000000000000000',
  description: { moniker: 'v2' },
  unbonding_height: '0',
  unbonding_time: '2020-01-01T00:00:00Z',
  commission: {
    commission_rates: {
      rate: '0.100000000000000000',
      max_rate: '0.200000000000000000',
      max_change_rate: '0.010000000000000000',
    },
    update_time: '2020-01-01T00:00:00Z',
  },
  min_self_delegation: '1',
}

test('a validator of the genesis whose unbonding period is over ends unbonding', async (t) => {
  const document = JSON.parse(readFileSync('genesis/evmd.json', 'utf8')) as Document
  document.app_state.staking.validators.push(leaving)
  await using server = await start({ ports: 'free', genesis: JSON.stringify(document) })
  await server.eth.request({ method: 'evm_mine', params: [] })
  const response = await fetch(`${server.urls.rest}/cosmos/staking/v1beta1/validators`)
  const { validators } = (await response.json()) as { validators: Validator[] }
  // One without delegations is removed; the other one comes with its transaction.
  t.deepEqual(
    validators.map(({ status }) => status),
    ['BOND_STATUS_BONDED'],
  )
})
