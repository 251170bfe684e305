/** Coins in calls of precompiles that are invalid, or none at all. */
import test from 'ava'
import { encodeFunctionData, parseAbi } from 'viem'
import { alice, at, attributeOf, startCaller } from '../../../helpers/precompiles.ts'

const abi = parseAbi([
  'function transfer(string,string,string,uint256,address,string,(uint64,uint64),uint64,string) returns (uint64)',
  'function fundCommunityPool(address,(string,uint256)[]) returns (bool)',
  'function withdrawValidatorCommission(string) returns ((string,uint256)[])',
  'function delegate(address,string,uint256) returns (bool)',
  'function undelegate(address,string,uint256) returns (int64)',
])

const good = { port: 'transfer', channel: 'channel-0', denom: 'atest', amount: 1n, timeout: 5n, memo: '' }
const transfers = [
  [{ port: 'x' }, 'invalid source port ID x: identifier x has invalid length: 1, must be between 2-128'],
  [{ channel: 'chan' }, 'invalid source channel ID chan: identifier chan has invalid length: 4, must be'],
  [{ amount: 0n }, '0atest: invalid coins'],
  [{ denom: '1', amount: 5n }, '51: invalid coins'],
  [{ denom: 'ibc/AA' }, '1ibc/AA: invalid coins'],
  [{ receiver: 'x'.repeat(2049) }, 'recipient address must not exceed 2048 bytes: invalid address'],
  [{ memo: 'x'.repeat(32_769) }, 'memo must not exceed 32768 bytes: invalid memo'],
  [{}, 'port ID (transfer) channel ID (channel-0): channel not found'],
  [{ channel: '07-tendermint-0', timeout: 0n }, 'timeout must not be 0: invalid packet timeout'],
  [
    { channel: '07-tendermint-0' },
    'send packet failed for source id: 07-tendermint-0: counterparty not found for client: 07-tendermint-0: ' +
      'counterparty not found',
  ],
  [{ channel: '07-tendermint-0', sender: at.bank }, 'does not match the requester address'],
  [
    { channel: '07-tendermint-0', denom: 'zzz', amount: 2n ** 256n - 1n },
    'empty spendable balance for zzz: invalid token amount',
  ],
] as const

test('an IBC transfer is refused in the words of the node', async (t) => {
  const { call } = await startCaller()
  for (const [change, why] of transfers) {
    const asked = { ...good, sender: alice.address, receiver: 'cosmos1x', ...change }
    const { port, channel, denom, amount, sender, receiver, timeout, memo } = asked
    const args = [port, channel, denom, amount, sender, receiver, [0n, 0n], timeout, memo] as const
    const { status, output } = call(at.ics20, encodeFunctionData({ abi, functionName: 'transfer', args }))
    t.is(status, 'revert')
    t.true(Buffer.from(output.slice(2), 'hex').toString().includes(why), why)
  }
})

test('the commission of what is no validator is refused in the words of the node', async (t) => {
  const { call } = await startCaller()
  const texts = {
    '': 'failed to convert bech32 string to address: empty address string is not allowed',
    bad: 'failed to convert bech32 string to address: decoding bech32 failed: invalid bech32 string length 3',
    [at.bank]: 'failed to convert bech32 string to address: decoding bech32 failed: invalid separator index -1',
    cosmos17w0adeg64ky0daxwd2ugyuneellmjgnxramjtq:
      "invalid validator address: hrp does not match bech32 prefix: expected 'cosmosvaloper'",
  }
  for (const [validator, why] of Object.entries(texts)) {
    const data = encodeFunctionData({ abi, functionName: 'withdrawValidatorCommission', args: [validator] })
    t.true(Buffer.from(call(at.distribution, data).output.slice(2), 'hex').toString().includes(why), why)
  }
})

test('an amount whose shares Go cannot hold makes the node panic', async (t) => {
  const { call, send, validator } = await startCaller()
  const most = 2n ** 256n - 1n
  await send(at.staking, encodeFunctionData({ abi, functionName: 'delegate', args: [alice.address, validator, 10n] }))
  const data = encodeFunctionData({ abi, functionName: 'undelegate', args: [alice.address, validator, most] })
  t.throws(() => call(at.staking, data), { message: 'Int overflow' })
  const { code, log } = await send(at.staking, data)
  t.is(code, 111222)
  t.true(log.includes('Int overflow'))
})

test('the community pool accepts no coins at all', async (t) => {
  const { call } = await startCaller()
  const data = encodeFunctionData({ abi, functionName: 'fundCommunityPool', args: [alice.address, []] })
  t.like(call(at.distribution, data), { status: 'success', output: `0x${'0'.repeat(63)}1` })
})

test('who delegates locked coins also loses as many that could be spent, as on the node', async (t) => {
  const ether = 10n ** 18n
  const world = await startCaller(9_000n * ether)
  const delegating = (amount: bigint) =>
    encodeFunctionData({ abi, functionName: 'delegate', args: [alice.address, world.validator, amount] })
  const before = world.wei(alice.address)
  t.is((await world.send(at.staking, delegating(10n * ether))).code, 0)
  const lost = before - world.wei(alice.address)
  t.true(lost >= 10n * ether && lost < 11n * ether, `${lost}`)
  const most = 2_000n * ether
  t.true(most > before)
  t.is(world.call(at.staking, delegating(most)).status, 'success')
  const { code, log } = await world.send(at.staking, delegating(most))
  t.is(code, 111222)
  t.true(log.includes('integer overflow'))
})

test('a deposit of nothing has a log, and no events of the bank', async (t) => {
  const { send } = await startCaller()
  const moved = async (value: bigint) => {
    const { events } = await send(at.coin, '0xd0e30db0', value)
    t.is(attributeOf(events, 'ethereum_tx', 'ethereumTxFailed'), undefined)
    const transfers = events.filter(({ type }) => type === 'transfer')
    return transfers.map(({ attributes }) => attributes.find(({ key }) => key === 'amount')?.value)
  }
  t.true((await moved(5n)).includes('5atest'))
  t.false((await moved(0n)).includes(''))
})
