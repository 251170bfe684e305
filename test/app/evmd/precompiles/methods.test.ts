/** What the precompiles do and answer, called from Solidity and directly. */
import { generateKeyPairSync, sign } from 'node:crypto'
import { toBech32 } from '@cosmjs/encoding'
import test from 'ava'
import { GoPanic } from '../../../../src/codec/comet.ts'
import {
  decodeAbiParameters,
  decodeErrorResult,
  decodeEventLog,
  decodeFunctionResult,
  encodeFunctionData,
  getAddress,
  type Hex,
  hexToBytes,
  parseAbi,
  parseAbiParameters,
  stringToHex,
  toHex,
} from 'viem'
import type { EvmLog } from '../../../../src/evm/types.ts'
import { allBalances, everyBalance, getSupply } from '../../../../src/app/evmd/modules/bank/balances.ts'
import {
  abi,
  alice,
  type Answer,
  at,
  caller,
  type CallerChain,
  contextOf,
  failureOf,
  fundsOfCaller,
  methods,
  startCaller,
} from '../../../helpers/precompiles.ts'

const heir = '0x00000000000000000000000000000000000a11ce'
const errors = parseAbi(['error Error(string)'])
const events = parseAbi([
  'event Delegate(address indexed, address indexed, uint256, uint256)',
  'event FundCommunityPool(address indexed, string, uint256)',
  'event Transfer(address indexed, address indexed, uint256)',
  'event Approval(address indexed, address indexed, uint256)',
  'event Deposit(address indexed, uint256)',
  'event Withdrawal(address indexed, uint256)',
  'event SubmitProposal(address indexed, uint64)',
])

const own = (functionName: string, args: readonly unknown[]): Hex => encodeFunctionData({ abi, functionName, args })

function logged({ logs }: { readonly logs: readonly EvmLog[] }): readonly (readonly unknown[])[] {
  return logs.map(({ topics, data }) => {
    const [first, ...rest] = topics.map((topic) => toHex(topic))
    if (first === undefined) throw new Error('a log without a signature')
    const { eventName, args } = decodeEventLog({ abi: events, topics: [first, ...rest], data: toHex(data) })
    return [eventName, ...args]
  })
}

function reasonOf({ output }: Answer): unknown {
  return decodeErrorResult({ abi: errors, data: output }).args[0]
}

/** Coins are neither made nor lost, and what the EVM shows is what the bank has. */
function booksBalance({ chain, wei }: CallerChain): boolean {
  const context = contextOf(chain)
  let sum = 0n
  for (const { denom, amount } of everyBalance(context)) if (denom === 'atest') sum += amount
  const [held] = allBalances(context, hexToBytes(caller))
  return sum === getSupply(context, 'atest') && (held?.amount ?? 0n) === wei(caller)
}

test('a contract delegates, reads its stake and takes it back', async (t) => {
  const world = await startCaller()
  const { call, send, validator, wei } = world
  const stake = 10n ** 17n
  const before = call(caller, own('stake', [validator, stake]))
  t.deepEqual(
    logged(before).map(([name, , , amount]) => [name, amount]),
    [['Delegate', stake]],
  )
  t.is(failureOf(await send(caller, own('stake', [validator, stake]))), undefined)
  t.is(wei(caller), fundsOfCaller - stake)
  const asked = encodeFunctionData({ abi: methods, functionName: 'delegation', args: [caller, validator] })
  const [shares, [denom, tokens]] = decodeFunctionResult({
    abi: methods,
    functionName: 'delegation',
    data: call(at.staking, asked).output,
  })
  t.deepEqual([shares, denom, tokens], [stake * 10n ** 18n, 'atest', stake])
  t.is(failureOf(await send(caller, own('unstake', [validator, stake]))), undefined)
  t.is(failureOf(await send(caller, own('unstake', [validator, 1n]))), 'execution reverted')
  t.true(booksBalance(world))
})

test('an unbonding that does not exist is not cancelled, in the words of the node', async (t) => {
  const { call, validator } = await startCaller()
  const abi = parseAbi(['function cancelUnbondingDelegation(address,string,uint256,uint256) returns (bool)'])
  const data = encodeFunctionData({ abi, args: [alice.address, validator, 5n, 3n] })
  const delegator = toBech32('cosmos', hexToBytes(alice.address))
  const why = `unbonding delegation with delegator ${delegator} not found for validator ${validator}`
  t.is(reasonOf(call(at.staking, data)), `rpc error: code = NotFound desc = ${why}`)
})

test('a contract that pays on both sides of a precompile keeps one balance', async (t) => {
  const world = await startCaller()
  const result = await world.send(caller, own('mix', [heir, 1_000n]))
  t.is(failureOf(result), undefined)
  t.is(world.wei(heir), 2_000n)
  t.is(world.wei(caller), fundsOfCaller - 3_000n)
  t.true(booksBalance(world))
  t.deepEqual(
    logged(world.call(caller, own('fund', [7n]))).map(([name, , denom, amount]) => [name, denom, amount]),
    [['FundCommunityPool', 'atest', 7n]],
  )
})

test('the coin as a token moves the coin, and wrapping it moves nothing', async (t) => {
  const world = await startCaller()
  t.is(failureOf(await world.send(caller, own('pay', [heir, 5n]))), undefined)
  t.is(world.wei(heir), 5n)
  t.deepEqual(logged(world.call(caller, own('pay', [heir, 5n]))), [['Transfer', caller, getAddress(heir), 5n]])
  t.deepEqual(logged(world.call(caller, own('wrap', [9n]))), [
    ['Deposit', caller, 9n],
    ['Withdrawal', caller, 9n],
  ])
  t.is(failureOf(await world.send(caller, own('wrap', [9n]))), undefined)
  t.is(world.wei(caller), fundsOfCaller - 5n)
  t.true(booksBalance(world))
})

test('an allowance is spent by transferFrom, whose Approval says 0', async (t) => {
  const { call, send, wei } = await startCaller()
  const data = encodeFunctionData({ abi: methods, functionName: 'approve', args: [caller, 10n] })
  t.is(failureOf(await send(at.coin, data)), undefined)
  const spend = (amount: bigint): Hex =>
    own('forward', [
      at.coin,
      encodeFunctionData({
        abi: methods,
        functionName: 'transferFrom',
        args: [alice.address, heir, amount],
      }),
    ])
  t.is(reasonOf(call(caller, spend(11n))), 'ERC20: insufficient allowance')
  t.is(reasonOf(call(caller, spend(0n))), 'coin 0atest amount is not positive')
  t.deepEqual(
    logged(call(caller, spend(4n))).map((each) => each.at(-1)),
    [4n, 0n],
  )
  t.is(failureOf(await send(caller, spend(4n))), undefined)
  t.is(wei(heir), 4n)
  const left = encodeFunctionData({ abi: methods, functionName: 'allowance', args: [alice.address, caller] })
  t.is(BigInt(call(at.coin, left).output), 6n)
})

test('a contract proposes with JSON, and the proposal can be read', async (t) => {
  const { call, send } = await startCaller()
  const json = stringToHex('{"metadata":"m","title":"A title","summary":"What for"}')
  t.is(failureOf(await send(caller, own('propose', [json, 1_000n]))), undefined)
  const asked = encodeFunctionData({ abi: methods, functionName: 'getProposal', args: [1n] })
  const proposal = decodeFunctionResult({
    abi: methods,
    functionName: 'getProposal',
    data: call(at.gov, asked).output,
  })
  t.deepEqual([proposal[10], proposal[11], proposal[12]], ['A title', 'What for', caller])
  t.is(
    reasonOf(call(at.gov, encodeFunctionData({ abi: methods, functionName: 'getProposal', args: [9n] }))),
    "rpc error: code = NotFound desc = proposal 9 doesn't exist",
  )
})

test('addresses go to bech32 and back; what is no address takes all gas', async (t) => {
  const { call } = await startCaller()
  const trip = call(caller, own('roundTrip', ['anything']))
  t.deepEqual(decodeAbiParameters(parseAbiParameters('bool'), trip.output), [true])
  const bad = encodeFunctionData({ abi: methods, functionName: 'bech32ToHex', args: ['cosmos1xx'] })
  const { status, gasUsed, detail } = call(at.bech32, bad)
  t.deepEqual([status, gasUsed], ['halt', 5_000_000n])
  t.is(detail, 'decoding bech32 failed: invalid separator index 6')
})

test('a signature on P-256 is good for its message only', async (t) => {
  const { call } = await startCaller()
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' })
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  const message = Buffer.from('what was signed')
  const signature = sign('sha256', message, { key: privateKey, dsaEncoding: 'ieee-p1363' })
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', message))
  const coordinates = [x, y].map((each) => Buffer.from(each, 'base64url'))
  const input = Buffer.concat([digest, signature, ...coordinates])
  t.is(BigInt(call(at.p256, toHex(input)).output), 1n)
  input[0] = (input[0] ?? 0) ^ 1
  t.is(call(at.p256, toHex(input)).output, '0x')
  t.is(call(at.p256, toHex(input.subarray(1))).output, '0x')
})

const page = ['0x', 0n, 0n, false, true] as const

test('validators, their signing and the bank are there to read', async (t) => {
  const { call, wei } = await startCaller()
  const infos = decodeFunctionResult({
    abi: methods,
    functionName: 'getSigningInfos',
    data: call(
      at.slashing,
      encodeFunctionData({
        abi: methods,
        functionName: 'getSigningInfos',
        args: [page],
      }),
    ).output,
  })
  t.is(infos[0].length, Number(infos[1][1]))
  t.true(infos[0].length > 0)
  const balances = decodeFunctionResult({
    abi: methods,
    functionName: 'balances',
    data: call(
      at.bank,
      encodeFunctionData({
        abi: methods,
        functionName: 'balances',
        args: [caller],
      }),
    ).output,
  })
  t.deepEqual(balances, [[at.coin, wei(caller)]])
})

/** Calls that fail, with what they say. */
const refusals: Readonly<Record<string, (world: CallerChain) => readonly [Answer, string]>> = {
  'another account': ({ call, validator }) => [
    call(
      at.staking,
      encodeFunctionData({
        abi: methods,
        functionName: 'delegate',
        args: [caller, validator, 1n],
      }),
    ),
    `msg.sender address ${alice.address} does not match the requester address ${caller}`,
  ],
  'an unknown method': ({ call }) => [call(at.gov, '0xdeadbeef'), 'no method with id: 0xdeadbeef'],
  'short calldata': ({ call }) => [call(at.bank, '0x1234'), 'execution reverted'],
  'missing arguments': ({ call }) => [
    call(at.bank, '0x27e235e3'),
    'abi: attempting to unmarshal an empty string while arguments are expected',
  ],
  'value for the bank': ({ call }) => [
    call(at.bank, '0x18160ddd', 1n),
    'failed to set account: cosmos1qqqqqqqqqqqqqqqqqqqqqqqqqqqqqzqycds7n7 is not allowed to ' +
      'receive funds: unauthorized',
  ],
  'too much of the coin': ({ call }) => [
    call(
      caller,
      own('forward', [
        at.coin,
        encodeFunctionData({
          abi: methods,
          functionName: 'transfer',
          args: [heir, fundsOfCaller + 1n],
        }),
      ]),
    ),
    'ERC20: transfer amount exceeds balance',
  ],
  'no IBC channel': ({ call }) => [
    call(
      at.ics20,
      encodeFunctionData({
        abi: parseAbi(['function transfer(string,string,string,uint256,address,string,(uint64,uint64),uint64,string)']),
        args: ['transfer', 'channel-0', 'atest', 1n, alice.address, 'cosmos1', [0n, 0n], 0n, ''],
      }),
    ),
    'port ID (transfer) channel ID (channel-0): channel not found',
  ],
}

for (const [name, refused] of Object.entries(refusals)) {
  test(`a call with ${name} reverts with the node's text`, async (t) => {
    const [answer, text] = refused(await startCaller())
    t.is(answer.status, 'revert')
    t.is(reasonOf(answer), text)
  })
}

test('an address that is listed and has nothing behind it makes the node panic', async (t) => {
  const { call } = await startCaller()
  t.throws(() => call(at.vesting, '0x12345678'), {
    instanceOf: GoPanic,
    message: `precompiled contract not stored in memory: ${at.vesting}`,
  })
})
