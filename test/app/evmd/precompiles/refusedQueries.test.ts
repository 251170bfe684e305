/** Calls of precompiles that a node of Cosmos EVM 0.5.0 refused, in its words. */
import test from 'ava'
import { decodeErrorResult, decodeFunctionResult, encodeFunctionData, parseAbi, zeroAddress } from 'viem'
import { alice, at, startCaller } from '../../../helpers/precompiles.ts'

const abi = parseAbi([
  'struct Page { bytes key; uint64 offset; uint64 limit; bool countTotal; bool reverse; }',
  'function getDeposit(uint64, address)',
  'function validatorCommission(string)',
  'function validatorOutstandingRewards(string)',
  'function validatorSlashes(string, uint64, uint64, Page)',
  'function delegation(address, string)',
  'function unbondingDelegation(address, string)',
  'function redelegation(address, string, string)',
  'function redelegations(address, string, string, Page)',
  'function validators(string, Page) view returns ((string,string,bool,uint8,uint256,uint256,(string,string,string,string,string),int64,int64,uint256,uint256)[], (bytes, uint64))',
  'function getVotes(uint64, Page)',
  'function getSigningInfos(Page) view returns ((address,int64,int64,int64,bool,int64)[], (bytes, uint64))',
  'function denomHash(string)',
  'function denoms(Page)',
  'struct Coin { string denom; uint256 amount; }',
  'function fundCommunityPool(address, Coin[])',
  'function depositValidatorRewardsPool(address, string, Coin[])',
  'function deposit(address, uint64, Coin[])',
])
const errors = parseAbi(['error Error(string)'])
const unknown = '0x96e5ad4117ac31a12e3939a2b3bba33324810345'
const page = { key: '0x', offset: 0n, limit: 0n, countTotal: false, reverse: false } as const
const zeroKey = { ...page, key: '0x00', offset: 1n } as const
const both = 'invalid request, either offset or key is expected, got both'
const operators = [
  'cosmosvaloper10jmp6sgh4cc6zt3e8gw05wavvejgr5pw4xyrql',
  'cosmosvaloper1wzvhjux9rqfdcwspp37srdgwp5tac7wgwztcn4',
] as const
const slashes = (validator: string, from: bigint, to: bigint) =>
  encodeFunctionData({ abi, functionName: 'validatorSlashes', args: [validator, from, to, page] })

const nameless = [
  { denom: '', amount: 5n },
  { denom: 'x', amount: 0n },
] as const
const pool = (coins: readonly { readonly denom: string; readonly amount: bigint }[], validator: string) =>
  encodeFunctionData({ abi, functionName: 'depositValidatorRewardsPool', args: [alice.address, validator, coins] })

const deposit =
  `("1", "cosmos17w0adeg64ky0daxwd2ugyuneellmjgnxramjtq")' of type ` +
  'github.com/cosmos/gogoproto/cosmos.gov.v1.Deposit'
const cases = {
  'a deposit that does not exist': [
    at.gov,
    encodeFunctionData({ abi, functionName: 'getDeposit', args: [1n, alice.address] }),
    `rpc error: code = NotFound desc = collections: not found: key '${deposit}`,
  ],
  'the commission of no validator': [
    at.distribution,
    encodeFunctionData({ abi, functionName: 'validatorCommission', args: [unknown] }),
    'validator does not exist',
  ],
  'the rewards of no validator': [
    at.distribution,
    encodeFunctionData({ abi, functionName: 'validatorOutstandingRewards', args: [unknown] }),
    'validator does not exist',
  ],
  'slashes until a height before the first': [
    at.distribution,
    slashes(unknown, 5n, 1n),
    'rpc error: code = InvalidArgument desc = starting height greater than ending height (5 > 1)',
  ],
  'slashes of what is no address': [
    at.distribution,
    slashes('bad', 1n, 5n),
    'rpc error: code = InvalidArgument desc = invalid validator address',
  ],
  'the delegation to no validator': [
    at.staking,
    encodeFunctionData({ abi, functionName: 'delegation', args: [alice.address, ''] }),
    'rpc error: code = InvalidArgument desc = validator address cannot be empty',
  ],
  'the unbonding from no validator': [
    at.staking,
    encodeFunctionData({ abi, functionName: 'unbondingDelegation', args: [alice.address, ''] }),
    'rpc error: code = InvalidArgument desc = validator address cannot be empty',
  ],
  'a redelegation from no validator': [
    at.staking,
    encodeFunctionData({ abi, functionName: 'redelegation', args: [alice.address, '', operators[0]] }),
    'empty address string is not allowed',
  ],
  'a redelegation from an address in hex': [
    at.staking,
    encodeFunctionData({ abi, functionName: 'redelegation', args: [alice.address, unknown, operators[0]] }),
    'decoding bech32 failed: invalid separator index 37',
  ],
  'redelegations from what is no address': [
    at.staking,
    encodeFunctionData({ abi, functionName: 'redelegations', args: [zeroAddress, 'bad', '', page] }),
    'rpc error: code = Internal desc = unknown address format: bad: unknown address',
  ],
  'redelegations of nobody between two validators': [
    at.staking,
    encodeFunctionData({ abi, functionName: 'redelegations', args: [zeroAddress, ...operators, page] }),
    'rpc error: code = Internal desc = empty address string is not allowed: invalid address',
  ],
  'a redelegation that does not exist': [
    at.staking,
    encodeFunctionData({ abi, functionName: 'redelegations', args: [alice.address, ...operators, page] }),
    'rpc error: code = Internal desc = rpc error: code = NotFound desc = redelegation not found for delegator ' +
      `address cosmos17w0adeg64ky0daxwd2ugyuneellmjgnxramjtq from validator address ${operators[0]}`,
  ],
  'validators after a key and from an offset': [
    at.staking,
    encodeFunctionData({ abi, functionName: 'validators', args: ['', { ...zeroKey, key: '0x01' }] }),
    `rpc error: code = Internal desc = ${both}`,
  ],
  'votes after a zero byte and from an offset': [
    at.gov,
    encodeFunctionData({ abi, functionName: 'getVotes', args: [1n, zeroKey] }),
    `rpc error: code = Internal desc = ${both}`,
  ],
  'coins of other chains after a zero byte and from an offset': [
    at.ics20,
    encodeFunctionData({ abi, functionName: 'denoms', args: [zeroKey] }),
    both,
  ],
  'the hash of a coin without a name': [
    at.ics20,
    encodeFunctionData({ abi, functionName: 'denomHash', args: ['transfer/channel-0/'] }),
    'rpc error: code = InvalidArgument desc = base denomination cannot be blank: ' +
      'invalid denomination for cross-chain transfer',
  ],
  'the hash of a coin that came through a bad port': [
    at.ics20,
    encodeFunctionData({ abi, functionName: 'denomHash', args: ['x/channel-0/uatom'] }),
    'rpc error: code = InvalidArgument desc = invalid trace: invalid hop source port ID x: identifier x has ' +
      'invalid length: 1, must be between 2-128 characters: invalid identifier',
  ],
  'a coin without a name for the community pool': [
    at.distribution,
    encodeFunctionData({ abi, functionName: 'fundCommunityPool', args: [alice.address, nameless] }),
    'invalid amount amount arg',
  ],
  'a coin without a name for a proposal': [
    at.gov,
    encodeFunctionData({ abi, functionName: 'deposit', args: [alice.address, 1n, nameless] }),
    'invalid deposits deposit arg ',
  ],
  'a coin without a name for rewards': [at.distribution, pool(nameless, unknown), 'invalid amount: [{ 5} {x 0}]'],
  'a coin with a wrong name for rewards': [
    at.distribution,
    pool([{ denom: 'x', amount: 5n }], unknown),
    'invalid amount: invalid denom: x',
  ],
  'no coins for the rewards of what is no validator': [
    at.distribution,
    pool([{ denom: 'atest', amount: 0n }], 'bad'),
    '0atest: invalid coins',
  ],
} as const

for (const [what, [address, data, text]] of Object.entries(cases)) {
  test(`a precompile refuses ${what}`, async (t) => {
    const { call } = await startCaller()
    t.is(decodeErrorResult({ abi: errors, data: call(address, data).output }).args[0], text)
  })
}

test('a page with the greatest limit ends before the first validator of another status', async (t) => {
  const { call } = await startCaller()
  const ask = (status: string, limit: bigint) => {
    const data = encodeFunctionData({ abi, functionName: 'validators', args: [status, { ...page, limit }] })
    return decodeFunctionResult({ abi, functionName: 'validators', data: call(at.staking, data).output })
  }
  const [none, [next]] = ask('BOND_STATUS_UNBONDED', 2n ** 64n - 1n)
  t.deepEqual([none.length, next.slice(0, 4)], [0, '0x14'])
  t.is(ask('BOND_STATUS_UNBONDED', 2n ** 64n - 2n)[1][0], '0x')
  t.is(ask('BOND_STATUS_BONDED', 2n ** 64n - 1n)[0].length, 1)
})

test('signing infos are counted however far the offset is', async (t) => {
  const { call } = await startCaller()
  const data = encodeFunctionData({ abi, functionName: 'getSigningInfos', args: [{ ...page, offset: 5n }] })
  const shown = decodeFunctionResult({ abi, functionName: 'getSigningInfos', data: call(at.slashing, data).output })
  t.deepEqual(shown, [[], ['0x', 1n]])
})

test('a page backwards from the last entry makes the node panic', async (t) => {
  const { call } = await startCaller()
  const args = [{ ...page, key: '0x00', reverse: true }] as const
  const data = encodeFunctionData({ abi, functionName: 'getSigningInfos', args })
  t.throws(() => call(at.slashing, data), { message: 'prefixIterator invalid, cannot call Key()' })
})
