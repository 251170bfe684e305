/** Precompiles in every kind of frame: what fails or is taken back leaves nothing behind. */
import test from 'ava'
import { decodeErrorResult, decodeFunctionResult, encodeFunctionData, type Hex, parseAbi, stringToHex } from 'viem'
import {
  abi,
  alice,
  at,
  attributeOf,
  caller,
  failureOf,
  fundsOfCaller,
  methods,
  startCaller,
  stateOf,
} from '../../../helpers/precompiles.ts'

const errors = parseAbi(['error Error(string)'])
const heir = '0x00000000000000000000000000000000000a11ce'
const amount = 12_345n
const stores = ['staking', 'distribution', 'gov', 'erc20']

const own = (functionName: string, args: readonly unknown[]): Hex => encodeFunctionData({ abi, functionName, args })

const more = parseAbi([
  'function setWithdrawAddress(address,string) returns (bool)',
  'function submitProposal(address,bytes,(string,uint256)[]) returns (uint64)',
  'function unjail(address) returns (bool)',
  'function getParams() view returns ((int64,(uint256,uint8),int64,(uint256,uint8),(uint256,uint8)))',
  'function getConstitution() view returns (string)',
  'function denomHash(string) view returns (string)',
  'function transfer(string,string,string,uint256,address,string,(uint64,uint64),uint64,string)',
  'function totalSupply() view returns (uint256)',
])

/** Calls that change module state and log, by name. */
const changes: Readonly<Record<string, (validator: string) => readonly [Hex, Hex]>> = {
  delegate: (validator) => [
    at.staking,
    encodeFunctionData({
      abi: methods,
      functionName: 'delegate',
      args: [caller, validator, amount],
    }),
  ],
  fundCommunityPool: () => [
    at.distribution,
    encodeFunctionData({
      abi: methods,
      functionName: 'fundCommunityPool',
      args: [caller, [['atest', amount]]],
    }),
  ],
  setWithdrawAddress: () => [
    at.distribution,
    encodeFunctionData({
      abi: more,
      functionName: 'setWithdrawAddress',
      args: [caller, alice.address],
    }),
  ],
  submitProposal: () => [
    at.gov,
    encodeFunctionData({
      abi: more,
      functionName: 'submitProposal',
      args: [caller, stringToHex('{"metadata":"m","title":"t","summary":"s"}'), [['atest', 1000n]]],
    }),
  ],
  transfer: () => [
    at.coin,
    encodeFunctionData({
      abi: methods,
      functionName: 'transfer',
      args: [heir, amount],
    }),
  ],
  approve: () => [
    at.coin,
    encodeFunctionData({
      abi: methods,
      functionName: 'approve',
      args: [heir, amount],
    }),
  ],
}

for (const [name, callOf] of Object.entries(changes)) {
  test(`${name} in a frame that stands changes state and logs`, async (t) => {
    const { chain, send, validator } = await startCaller()
    const before = stateOf(chain, [...stores, 'bank'])
    const result = await send(caller, own('forward', callOf(validator)))
    t.is(failureOf(result), undefined)
    t.notDeepEqual(stateOf(chain, [...stores, 'bank']), before)
  })

  test(`${name} in a transaction that reverts changes and logs nothing`, async (t) => {
    const { chain, send, validator, wei } = await startCaller()
    const empty = await startCaller()
    const result = await send(caller, own('forwardThenRevert', callOf(validator)))
    await empty.send(caller, own('ask', [at.bank, '0x']))
    t.is(failureOf(result), 'execution reverted')
    t.is(wei(caller), fundsOfCaller)
    t.is(wei(heir), 0n)
    t.is(attributeOf(result.events, 'delegate', 'amount'), undefined)
    t.deepEqual(stateOf(chain, ['gov', 'erc20']), stateOf(empty.chain, ['gov', 'erc20']))
    t.deepEqual(amountsOf(chain), amountsOf(empty.chain))
  })

  test(`${name} inside a frame that reverts changes nothing, and the rest stands`, async (t) => {
    const { call, chain, send, validator, wei } = await startCaller()
    const result = await send(caller, own('forwardInside', callOf(validator)))
    t.is(failureOf(result), undefined)
    const caught = call(caller, own('caught', []))
    t.is(decodeFunctionResult({ abi, functionName: 'caught', data: caught.output }), 1n)
    t.is(wei(caller), fundsOfCaller)
    t.is(wei(heir), 0n)
    t.false(result.events.some(({ type }) => type === 'delegate'))
    const empty = await startCaller()
    await empty.send(caller, own('ask', [at.bank, '0x']))
    t.deepEqual(stateOf(chain, ['gov', 'erc20']), stateOf(empty.chain, ['gov', 'erc20']))
    t.deepEqual(amountsOf(chain), amountsOf(empty.chain))
  })

  for (const kind of ['ask', 'borrow']) {
    test(`${name} through ${kind === 'ask' ? 'a static' : 'a delegate'} call is refused`, async (t) => {
      const { call, validator } = await startCaller()
      const answer = call(caller, own(kind, callOf(validator)))
      const [done, data] = pair(
        decodeFunctionResult({
          abi,
          functionName: kind,
          data: answer.output,
        }),
      )
      t.false(done)
      t.deepEqual(decodeErrorResult({ abi: errors, data }).args, ['write protection'])
    })
  }

  test(`${name} in an eth_call leaves the state alone`, async (t) => {
    const { call, chain, validator } = await startCaller()
    const before = stateOf(chain, [...stores, 'bank'])
    t.is(call(caller, own('forward', callOf(validator))).status, 'success')
    t.deepEqual(stateOf(chain, [...stores, 'bank']), before)
  })
}

const method = (functionName: string, args: readonly unknown[] = []): Hex =>
  encodeFunctionData({ abi: [...methods, ...more], functionName, args } as never)

/** One reading call of every precompile. */
const readings: Readonly<Record<string, readonly [Hex, Hex]>> = {
  p256: [at.p256, '0x'],
  bech32: [at.bech32, method('hexToBech32', [caller, 'cosmos'])],
  staking: [at.staking, method('validators', ['', ['0x', 0n, 0n, false, false]])],
  distribution: [at.distribution, method('communityPool')],
  ics20: [at.ics20, method('denomHash', ['transfer/channel-0/atest'])],
  bank: [at.bank, method('balances', [caller])],
  gov: [at.gov, method('getConstitution')],
  slashing: [at.slashing, method('getParams')],
  coin: [at.coin, method('totalSupply')],
}

test('a contract calls every precompile, and reverts after each without a trace', async (t) => {
  const { call, chain, send, wei } = await startCaller()
  const names = ['staking', 'gov', 'erc20', 'slashing', 'transfer', 'evm']
  const accounts = stateOf(chain, ['acc']).length
  for (const [name, [to, data]] of Object.entries(readings)) {
    t.is(call(caller, own('forward', [to, data])).status, 'success', name)
    const before = stateOf(chain, names)
    const result = await send(caller, own('forwardThenRevert', [to, data]))
    t.is(failureOf(result), 'execution reverted', name)
    t.deepEqual(stateOf(chain, names).filter(isLasting), before.filter(isLasting), name)
    t.is(wei(caller), fundsOfCaller, name)
  }
  t.is(stateOf(chain, ['acc']).length, accounts)
  await send(caller, own('forward', readings['bank'] ?? []))
  t.is(stateOf(chain, ['acc']).length, accounts + 2, 'an account, and its number')
})

/** Not what blocks write by themselves: their hashes, past validator sets, who signed. */
const isLasting = (line: string): boolean => !/^staking (50|51)|^slashing 01|^evm 020000f908/.test(line)

/** Precompiles that refuse on this chain, and what a contract reads then. */
const refusing: Readonly<Record<string, readonly [Hex, Hex, string]>> = {
  ics20: [
    at.ics20,
    method('transfer', ['transfer', 'channel-0', 'atest', 1n, caller, 'cosmos1', [0n, 0n], 0n, '']),
    'port ID (transfer) channel ID (channel-0): channel not found',
  ],
  slashing: [at.slashing, method('unjail', [caller]), 'validator does not exist'],
}

for (const [name, [to, data, reason]] of Object.entries(refusing)) {
  test(`a contract reads why ${name} refuses, and keeps what it had`, async (t) => {
    const { call, send, wei } = await startCaller()
    const { output, status } = call(caller, own('forward', [to, data]))
    t.is(status, 'revert')
    t.deepEqual(decodeErrorResult({ abi: errors, data: output }).args, [reason])
    t.is(failureOf(await send(caller, own('forwardInside', [to, data]))), undefined)
    t.is(wei(caller), fundsOfCaller)
  })
}

function pair(value: unknown): readonly [boolean, Hex] {
  if (!Array.isArray(value)) throw new Error('no pair')
  const [done, data]: unknown[] = value
  if (typeof done !== 'boolean' || typeof data !== 'string') throw new Error('no pair')
  return [done, `0x${data.slice(2)}`]
}

/** Delegations and who has withdrawn what: not what depends on fees of the two chains. */
function amountsOf(chain: Parameters<typeof stateOf>[0]): readonly string[] {
  return stateOf(chain, ['staking', 'distribution']).filter((line) =>
    /^(staking (31|32|34)|distribution 03)/.test(line),
  )
}
