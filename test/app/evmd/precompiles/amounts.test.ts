/** Coins in calls of precompiles that are invalid, or none at all. */
import test from 'ava'
import { encodeFunctionData, parseAbi } from 'viem'
import { alice, at, startCaller } from '../../../helpers/precompiles.ts'

const abi = parseAbi([
  'function transfer(string,string,string,uint256,address,string,(uint64,uint64),uint64,string) returns (uint64)',
  'function fundCommunityPool(address,(string,uint256)[]) returns (bool)',
])

const transfers = [
  [
    'x',
    'channel-0',
    'atest',
    1n,
    'invalid source port ID x: identifier x has invalid length: 1, must be between 2-128',
  ],
  ['transfer', 'chan', 'atest', 1n, 'invalid source channel ID chan: identifier chan has invalid length: 4, must be'],
  ['transfer', 'channel-0', 'atest', 0n, '0atest: invalid coins'],
  ['transfer', 'channel-0', '1', 5n, '51: invalid coins'],
] as const

test('an IBC transfer that is invalid whatever the channel is refused in the words of the node', async (t) => {
  const { call } = await startCaller()
  for (const [port, channel, denom, amount, why] of transfers) {
    const args = [port, channel, denom, amount, alice.address, 'cosmos1x', [0n, 0n], 0n, ''] as const
    const { status, output } = call(at.ics20, encodeFunctionData({ abi, functionName: 'transfer', args }))
    t.is(status, 'revert')
    t.true(Buffer.from(output.slice(2), 'hex').toString().includes(why), why)
  }
})

test('the community pool accepts no coins at all', async (t) => {
  const { call } = await startCaller()
  const data = encodeFunctionData({ abi, functionName: 'fundCommunityPool', args: [alice.address, []] })
  t.like(call(at.distribution, data), { status: 'success', output: `0x${'0'.repeat(63)}1` })
})
