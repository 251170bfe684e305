/** Pages as a real node gives them for unusual requests. */
import test from 'ava'
import { QueryAllBalancesRequest, QueryDenomsMetadataRequest } from 'cosmjs-types/cosmos/bank/v1beta1/query'
import { QueryDenomsMetadataResponse, QuerySendEnabledRequest } from 'cosmjs-types/cosmos/bank/v1beta1/query'
import { QuerySendEnabledResponse, QueryTotalSupplyRequest } from 'cosmjs-types/cosmos/bank/v1beta1/query'
import { QueryAccountsRequest } from 'cosmjs-types/cosmos/auth/v1beta1/query'
import { QuerySigningInfosRequest, QuerySigningInfosResponse } from 'cosmjs-types/cosmos/slashing/v1beta1/query'
import { QueryRedelegationsRequest } from 'cosmjs-types/cosmos/staking/v1beta1/query'
import { QueryValidatorsRequest, QueryValidatorsResponse } from 'cosmjs-types/cosmos/staking/v1beta1/query'
import { ethereumPerson, startMessages } from '../../../helpers/messageChain.ts'

const denoms = ['bbb', 'ccc', 'ddd']
const metadata = (base: string) => ({
  base,
  display: base,
  name: base,
  symbol: base,
  description: '',
  denom_units: [{ denom: base, exponent: 0, aliases: [] }],
})
const chain = startMessages({
  edit: (state) => {
    const { bank } = state as Record<string, Record<string, unknown>>
    Object.assign(bank ?? {}, {
      denom_metadata: [...((bank?.['denom_metadata'] as object[]) ?? []), ...denoms.map(metadata)],
      send_enabled: denoms.map((denom, index) => ({ denom, enabled: index === 1 })),
    })
  },
})

const page = (request: object) => ({ pagination: request }) as never
const bases = (request: object) =>
  QueryDenomsMetadataResponse.decode(
    chain.query(
      '/cosmos.bank.v1beta1.Query/DenomsMetadata',
      QueryDenomsMetadataRequest.encode(QueryDenomsMetadataRequest.fromPartial(page(request))).finish(),
    ),
  )
    .metadatas.map(({ base }) => base)
    .filter((base) => base !== 'atest')
const key = (text: string) => new TextEncoder().encode(text)

test('a reverse page begins with the first entry at or above its key', (t) => {
  t.deepEqual(bases({ key: key('ccc'), reverse: true }), ['ccc', 'bbb'])
  t.deepEqual(bases({ key: key('bbz'), reverse: true }), ['ccc', 'bbb'])
  t.deepEqual(bases({ key: key('b'), reverse: true }), ['bbb'])
})

test('a reverse page without an entry at or above its key begins at the end, and one from the last entry panics', (t) => {
  t.deepEqual(bases({ key: key('zzz'), reverse: true }), ['ddd', 'ccc', 'bbb'])
  t.throws(() => bases({ key: key('ddd'), reverse: true }), { message: /prefixIterator invalid, cannot call Key\(\)/ })
})

test('an offset beyond the end counts signing infos, but not settings of denominations', (t) => {
  const asked = page({ offset: 1000n })
  const enabled = QuerySendEnabledRequest.encode(QuerySendEnabledRequest.fromPartial(asked)).finish()
  const settings = QuerySendEnabledResponse.decode(chain.query('/cosmos.bank.v1beta1.Query/SendEnabled', enabled))
  t.is(settings.pagination?.total, 0n)
  const signers = QuerySigningInfosRequest.encode(QuerySigningInfosRequest.fromPartial(asked)).finish()
  const infos = QuerySigningInfosResponse.decode(chain.query('/cosmos.slashing.v1beta1.Query/SigningInfos', signers))
  t.is(infos.pagination?.total, 1n)
})

test('the sum of offset and limit wraps at 64 bits, as in Go', (t) => {
  const asked = { status: 'BOND_STATUS_UNBONDED', pagination: { limit: 2n ** 64n - 1n } } as never
  const data = QueryValidatorsRequest.encode(QueryValidatorsRequest.fromPartial(asked)).finish()
  const found = QueryValidatorsResponse.decode(chain.query('/cosmos.staking.v1beta1.Query/Validators', data))
  t.is(found.validators.length, 0)
  t.is(found.pagination?.nextKey.length, 21)
})

test('each module has its own error for both a key and an offset', (t) => {
  const both = { key: key('a'), offset: 1n }
  const text = 'invalid request, either offset or key is expected, got both'
  const { address } = ethereumPerson(0)
  const balances = QueryAllBalancesRequest.fromPartial({ address, pagination: both } as never)
  const supply = QueryTotalSupplyRequest.encode(QueryTotalSupplyRequest.fromPartial(page(both))).finish()
  const accounts = QueryAccountsRequest.encode(QueryAccountsRequest.fromPartial(page(both))).finish()
  const asked = { delegatorAddr: address, pagination: both } as never
  const moves = QueryRedelegationsRequest.encode(QueryRedelegationsRequest.fromPartial(asked)).finish()
  for (const [path, data, message] of [
    ['bank.v1beta1.Query/AllBalances', QueryAllBalancesRequest.encode(balances).finish(), `paginate: ${text}`],
    ['bank.v1beta1.Query/TotalSupply', supply, `rpc error: code = Internal desc = ${text}`],
    ['auth.v1beta1.Query/Accounts', accounts, text],
    ['staking.v1beta1.Query/Redelegations', moves, `rpc error: code = Internal desc = ${text}`],
  ] as const) {
    const error = t.throws(() => chain.query(`/cosmos.${path}`, data))
    t.true(error.message.includes(message), error.message)
    t.false(/rpc error.*rpc error/.test(error.message), error.message)
    t.is(error.message.includes('rpc error'), path !== 'auth.v1beta1.Query/Accounts')
  }
})
