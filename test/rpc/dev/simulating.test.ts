/**
 * Messages one after the other that leave nothing: as viem asks for them, and as Erigon's clients
 * do.
 */
import test from 'ava'
import { toBech32 } from '@cosmjs/encoding'
import {
  createPublicClient,
  custom,
  decodeFunctionResult,
  encodeDeployData,
  encodeFunctionData,
  getContractAddress,
  parseAbi,
  parseEther,
  type Abi,
  type Hex,
} from 'viem'
import { mnemonicToAccount } from 'viem/accounts'
import { start } from '../../../src/index.ts'
import { demoToken } from '../../helpers/contracts.ts'
import { chainOf } from '../../helpers/server.ts'

const alice = mnemonicToAccount('test test test test test test test test test test test junk').address
const bob = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const poor = '0x00000000000000000000000000000000c01bba5e'
const { abi, bytecode } = demoToken() as { abi: Abi; bytecode: Hex }
const token = getContractAddress({ from: alice, nonce: 0n })
const transfer = (amount: bigint) => encodeFunctionData({ abi, functionName: 'transfer', args: [bob, amount] })
const balance = encodeFunctionData({ abi, functionName: 'balanceOf', args: [bob] })

async function chainAndClient() {
  const chain = await start({ ports: 'none' })
  const client = createPublicClient({ chain: chainOf('http://x'), transport: custom(chain.eth) })
  const ask = <Answer = unknown>(method: string, ...params: unknown[]) => chain.eth.request<Answer>({ method, params })
  return { chain, client, ask }
}

test('viem simulates blocks: a contract is made, called, and asked, and nothing of it stays', async (t) => {
  const { chain, client, ask } = await chainAndClient()
  await using _ = chain
  const [before, node] = [chain.digest('node'), chain.simulation().node.chain]
  const [first, second] = await client.simulateBlocks({
    blocks: [
      {
        calls: [
          { account: alice, to: null, data: encodeDeployData({ abi, bytecode, args: [] }) } as never,
          { account: alice, to: token, data: transfer(5n) },
        ],
      },
      {
        blockOverrides: { time: 2_000_000_000n },
        stateOverrides: [{ address: poor, balance: parseEther('2') }],
        calls: [
          { account: alice, to: token, data: transfer(2n) },
          { to: token, data: balance },
          { account: poor, to: bob, value: parseEther('1') },
          { account: poor, to: token, data: transfer(1n) },
        ],
      },
    ],
  })
  t.deepEqual(
    first?.calls.map(({ status }) => status),
    ['success', 'success'],
  )
  t.is(first?.calls[1]?.logs?.[0]?.address, token.toLowerCase() as Hex)
  t.is(second?.timestamp, 2_000_000_000n)
  t.is(second?.number, (first?.number ?? 0n) + 1n)
  t.deepEqual<unknown, unknown>(second?.parentHash, first?.hash)
  t.is(BigInt(second?.calls[1]?.data ?? '0x0'), 7n)
  t.deepEqual(
    second?.calls.map(({ status }) => status),
    ['success', 'success', 'success', 'failure'],
  )
  t.is(await ask('eth_getCode', token, 'latest'), '0x')
  t.is(chain.simulation().node.chain, node)
  t.not(chain.digest('node'), before) // two calls were counted
})

test('failures say why: a revert with its data, the EVM with its reason', async (t) => {
  const { chain, ask } = await chainAndClient()
  await using _ = chain
  type Call = { status: string; error?: { code: number; message: string; data?: string } }
  const [{ calls }] = await ask<[{ calls: Call[] }]>(
    'eth_simulateV1',
    {
      blockStateCalls: [
        {
          stateOverrides: {
            // REVERT with one byte; INVALID.
            [bob]: { code: '0x60015f526001601ffd' },
            [poor]: { code: '0xfe' },
          },
          calls: [
            { from: alice, to: bob },
            { from: alice, to: poor, gas: '0x10000' },
          ],
        },
      ],
    },
    'latest',
  )
  t.like(calls[0], { status: '0x0', error: { code: 3, message: 'execution reverted', data: '0x01' } })
  t.like(calls[1], { status: '0x0', error: { code: -32015 } })
  t.regex(calls[1]?.error?.message ?? '', /invalid opcode/)
})

test('eth_callMany runs bundles over one state', async (t) => {
  const { chain, ask } = await chainAndClient()
  await using _ = chain
  const data = encodeDeployData({ abi, bytecode, args: [] })
  const answers = await ask<{ value?: string; error?: string }[][]>(
    'eth_callMany',
    [
      {
        transactions: [
          { from: alice, data },
          { from: alice, to: token, data: transfer(5n) },
        ],
      },
      {
        transactions: [
          { to: token, data: balance },
          { from: poor, to: token, data: transfer(9n) },
        ],
        blockOverride: { number: '0x99' },
      },
    ],
    { blockNumber: 'latest' },
    { [poor]: { nonce: '0x4' } },
  )
  t.is(answers[0]?.length, 2)
  t.is(BigInt(answers[1]?.[0]?.value ?? '0x0'), 5n)
  t.regex(answers[1]?.[1]?.error ?? '', /execution reverted/)
  await t.throwsAsync(ask('eth_callMany', [], { blockNumber: 'latest', transactionIndex: 0 }), {
    message: /expected no transactionIndex/,
  })
})

test('what precompiles do is there for the next message', async (t) => {
  const { chain, ask } = await chainAndClient()
  await using _ = chain
  const staking = '0x0000000000000000000000000000000000000800'
  const { miner } = await ask<{ miner: string }>('eth_getBlockByNumber', 'latest', false)
  const operator = toBech32('cosmosvaloper', Buffer.from(miner.slice(2), 'hex'))
  const calls = parseAbi([
    'function delegate(address who, string validator, uint256 amount) returns (bool)',
    'function delegation(address who, string validator) view returns (uint256 shares, (string denom, uint256 amount) balance)',
  ])
  const asked = {
    to: staking,
    data: encodeFunctionData({ abi: calls, functionName: 'delegation', args: [alice, operator] }),
  }
  const delegate = encodeFunctionData({
    abi: calls,
    functionName: 'delegate',
    args: [alice, operator, 7n * 10n ** 18n],
  })
  const [[before, , after] = []] = await ask<{ value: Hex }[][]>('eth_callMany', [
    { transactions: [asked, { from: alice, to: staking, data: delegate }, asked] },
  ])
  const stakeOf = (answer: { value: Hex } | undefined) =>
    decodeFunctionResult({ abi: calls, functionName: 'delegation', data: answer?.value ?? '0x' })[1].amount
  t.is(stakeOf(after), stakeOf(before) + 7n * 10n ** 18n)
  t.is(stakeOf({ value: await ask<Hex>('eth_call', asked, 'latest') }), stakeOf(before))
})
