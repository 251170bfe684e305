/** Grants of x/authz and allowances of x/feegrant in a genesis document. */
import { readFileSync } from 'node:fs'
import test from 'ava'
import { start } from '../../../../src/index.ts'

type Document = { genesis_time: string; app_state: Record<string, Record<string, unknown>> }

const granter = 'cosmos1jcltmuhplrdcwp7stlr4hlhlhgd4htqhnu0t2g'
const grantee = 'cosmos1gzsvk8rruqn2sx64acfsskrwy8hvrmafzhvvr0'
const stranger = 'cosmos1qurswpc8qurswpc8qurswpc8qurswpc8nn86qp'
const parties = { granter, grantee }
const generic = { '@type': '/cosmos.authz.v1beta1.GenericAuthorization', msg: '/cosmos.gov.v1.MsgVote' }
const send = {
  '@type': '/cosmos.bank.v1beta1.SendAuthorization',
  spend_limit: [{ denom: 'atest', amount: '123456789012345678901' }],
  allow_list: [granter],
}
const basic = { '@type': '/cosmos.feegrant.v1beta1.BasicAllowance', spend_limit: [], expiration: null }
const before = '2026-11-21T02:36:36.388119335Z'
const atGenesis = '2026-11-21T02:36:36.388119336Z'
const later = '2026-11-21T03:00:00Z'

function documentWith(module: string, name: string, entries: readonly object[]): string {
  const document = JSON.parse(readFileSync('genesis/evmd.json', 'utf8')) as Document
  document.app_state[module] = { [name]: entries }
  return JSON.stringify(document)
}

const withGrants = (...entries: readonly object[]) => documentWith('authz', 'authorization', entries)
const withAllowances = (...entries: readonly object[]) => documentWith('feegrant', 'allowances', entries)

async function ask<Answer>(server: { urls: { rest: string } }, path: string): Promise<Answer> {
  const response = await fetch(`${server.urls.rest}${path}`)
  return (await response.json()) as Answer
}

type Grants = { grants: { authorization: unknown; expiration: string | null }[] }

test('grants of the genesis are loaded, except those that had expired before it', async (t) => {
  const staking = {
    '@type': '/cosmos.staking.v1beta1.StakeAuthorization',
    authorization_type: 'AUTHORIZATION_TYPE_DELEGATE',
    max_tokens: null,
    allow_list: { address: ['cosmosvaloper10jmp6sgh4cc6zt3e8gw05wavvejgr5pw4xyrql'] },
  }
  const genesis = withGrants(
    { ...parties, authorization: generic, expiration: null },
    { ...parties, authorization: send, expiration: later },
    { ...parties, authorization: staking, expiration: before },
  )
  await using server = await start({ ports: 'free', genesis })
  const path = `/cosmos/authz/v1beta1/grants?granter=${granter}&grantee=${grantee}`
  const { grants } = await ask<Grants>(server, path)
  t.deepEqual(grants, [
    { authorization: send, expiration: later },
    { authorization: generic, expiration: null },
  ])
  await server.eth.request({ method: 'evm_increaseTime', params: [3_600] })
  await server.eth.request({ method: 'evm_mine', params: [] })
  const left = await ask<Grants>(server, path)
  t.deepEqual(left.grants, [{ authorization: generic, expiration: null }])
})

test('allowances of the genesis are loaded, and a grantee without an account gets one', async (t) => {
  const allowed = {
    '@type': '/cosmos.feegrant.v1beta1.AllowedMsgAllowance',
    allowance: {
      '@type': '/cosmos.feegrant.v1beta1.PeriodicAllowance',
      basic: { spend_limit: [{ denom: 'atest', amount: '1000' }], expiration: later },
      period: '3600s',
      period_spend_limit: [{ denom: 'atest', amount: '10' }],
      period_can_spend: [{ denom: 'atest', amount: '7' }],
      period_reset: '2026-11-21T02:40:00Z',
    },
    allowed_messages: ['/cosmos.gov.v1.MsgVote'],
  }
  const genesis = withAllowances({ ...parties, allowance: basic }, { granter, grantee: stranger, allowance: allowed })
  await using server = await start({ ports: 'free', genesis })
  const { allowances } = await ask<{ allowances: unknown }>(server, `/cosmos/feegrant/v1beta1/issued/${granter}`)
  t.deepEqual(allowances, [
    { granter, grantee: stranger, allowance: allowed },
    { ...parties, allowance: basic },
  ])
  const { account } = await ask<{ account: { sequence: string } }>(server, `/cosmos/auth/v1beta1/accounts/${stranger}`)
  t.is(account.sequence, '0')
})

const refused = test.macro(async (t, genesis: string, message: string, code?: string) => {
  const error = await t.throwsAsync(start({ ports: 'none', genesis }), { code: code ?? 'INVALID_GENESIS' })
  t.true(error?.message.startsWith(`genesis: ${message}`), error?.message)
})

const grant = 'app_state.authz.authorization[0]'
const allowance = 'app_state.feegrant.allowances[0]'

test(
  'a grant without an authorization is refused with its place',
  refused,
  withGrants(parties),
  `${grant}.authorization must be an authorization`,
)
test(
  'a grant that expires with the genesis is refused, as on the node',
  refused,
  withGrants({ ...parties, authorization: generic, expiration: atGenesis }),
  `${grant} must be an entry that evmd accepts: expiration must be after the current block time`,
)
test(
  'a grant with an unknown member is refused with its place',
  refused,
  withGrants({ ...parties, authorization: { ...generic, extra: 1 } }),
  `${grant} must be a cosmos.authz.v1beta1.GrantAuthorization: can't unmarshal Any nested proto `,
)
test(
  'a grant of something else than an authorization is refused with its place',
  refused,
  withGrants({ ...parties, authorization: basic }),
  `${grant} must be an entry that evmd accepts: no concrete type registered for type URL ${basic['@type']}`,
)
test(
  'a grant to an address of another chain is refused with its place',
  refused,
  withGrants({ granter, grantee: 'osmo1qurswpc8qurswpc8qurswpc8qurswpc8mg52kn', authorization: generic }),
  `${grant}.grantee must be a cosmos address`,
)
// The node loads it, so the document is not invalid.
test(
  'an authorization of IBC transfers is refused by name',
  refused,
  withGrants({ ...parties, authorization: { '@type': '/ibc.applications.transfer.v1.TransferAuthorization' } }),
  `${grant}.authorization is not supported: chainstage does not simulate IBC`,
  'UNREAD_GENESIS',
)
test(
  'an entry without an allowance is refused with its place',
  refused,
  withAllowances(parties),
  `${allowance}.allowance must be an allowance`,
)
test(
  'an allowance that has expired is refused, as on the node',
  refused,
  withAllowances({ ...parties, allowance: { ...basic, expiration: before } }),
  `${allowance} must be an entry that evmd accepts: expiration is before current block time`,
)
test(
  'a second allowance between two accounts is refused with its place',
  refused,
  withAllowances({ ...parties, allowance: basic }, { ...parties, allowance: basic }),
  'app_state.feegrant.allowances[1] must be an entry that evmd accepts: fee allowance already exists',
)
test(
  'an allowance with a malformed amount is refused with its place',
  refused,
  withAllowances({ ...parties, allowance: { ...basic, spend_limit: [{ denom: 'atest', amount: '1.5' }] } }),
  `${allowance} must be a cosmos.feegrant.v1beta1.Grant: `,
)
