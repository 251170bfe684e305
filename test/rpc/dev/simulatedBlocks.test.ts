/** Blocks that eth_simulateV1 makes, by geth's rules. */
import test from 'ava'
import { keccak256, serializeTransaction, type Hex } from 'viem'
import { mnemonicToAccount } from 'viem/accounts'
import { start } from '../../../src/index.ts'

const alice = mnemonicToAccount('test test test test test test test test test test test junk').address
const bob = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const poor = '0x00000000000000000000000000000000c01bba5e'
const watching = '0x00000000000000000000000000000000000ccccc'

async function asking() {
  const chain = await start({ ports: 'none' })
  const ask = <Answer = unknown>(method: string, ...params: unknown[]) => chain.eth.request<Answer>({ method, params })
  return { chain, ask }
}

type Log = {
  address: Hex
  topics: Hex[]
  data: Hex
  logIndex: string
  blockHash: string
  transactionHash: string
}
type Block = {
  number: string
  hash: string
  parentHash: string
  gasLimit: string
  gasUsed: string
  baseFeePerGas: string
  transactions: { hash: string; nonce: string; gas: string }[]
  calls: { status: string; returnData: string; gasUsed: string; logs: Log[]; error?: { message: string } }[]
}

const word = (value: bigint) => `0x${value.toString(16).padStart(64, '0')}` as const

test('a request that no block could fulfil is an error, as in geth', async (t) => {
  const { chain, ask } = await asking()
  await using _ = chain
  const refusals: readonly [given: object, code: number, message: RegExp, more?: object][] = [
    [{ blockOverrides: { number: '0x1' } }, -38020, /^block numbers must be in order: 1 <= 1$/],
    [{ blockOverrides: { time: '0x1' } }, -38021, /^block timestamps must be in order: 1 <= \d+$/],
    [{ blockOverrides: { number: '0x102' } }, -38026, /^too many blocks$/],
    [{ calls: [{ from: poor, to: bob, value: '0x1' }] }, -38014, /insufficient funds for gas \* price \+ value/],
    [{ calls: [{ from: alice, to: bob, gas: '0x1' }] }, -38013, /intrinsic gas too low/],
    [{ calls: [{ from: alice, data: `0x${'5b'.repeat(50_000)}` }] }, -38025, /max initcode size exceeded/],
    [{ calls: Array(2).fill({ from: alice, to: bob, gas: '0x1c9c380' }) }, -38015, /^block gas limit reached: 21000/],
    [{ calls: [{ from: alice, to: bob }] }, -32602, /max fee per gas less than block base fee/, { validation: true }],
    [{ calls: [{ from: alice, to: bob, maxPriorityFeePerGas: '0x1' }] }, -32602, /^max priority fee per gas higher/],
  ]
  const priced = { from: alice, to: bob, gas: '0x5208', maxFeePerGas: '0x77359400' }
  const rows: typeof refusals = [
    ...refusals,
    [{ calls: [priced, { ...priced, nonce: '0x0' }] }, -38010, /nonce too low/, { validation: true }],
    [{ calls: [{ ...priced, nonce: '0x9' }] }, -38011, /nonce too high/, { validation: true }],
  ]
  for (const [given, code, message, more] of rows) {
    const error = await t.throwsAsync(ask('eth_simulateV1', { blockStateCalls: [given], ...more }, 'latest'))
    t.like(error, { code }, JSON.stringify(given))
    t.regex(error?.message ?? '', message)
  }
})

test('simulated blocks are whole: numbers without gaps, hashes, roots, transactions and gas in turn', async (t) => {
  const { chain, ask } = await asking()
  await using _ = chain
  // Returns the gas left and the hash of the block before, and logs.
  const code = '0x5f5fa05a5f52600143034060205260405ff3'
  const asked = {
    blockStateCalls: [
      {
        stateOverrides: { [poor]: { code } },
        blockOverrides: { gasLimit: '0x30000' },
        calls: [
          { from: alice, to: poor },
          { from: alice, to: poor },
        ],
      },
      { blockOverrides: { number: '0x4' }, calls: [{ from: alice, to: poor }] },
    ],
    returnFullTransactions: true,
  }
  const blocks = await ask<Block[]>('eth_simulateV1', asked, 'latest')
  const [first, gap, last] = blocks
  t.deepEqual(
    blocks.map(({ number, parentHash }) => [number, parentHash]),
    [
      ['0x2', (await ask<Block>('eth_getBlockByNumber', '0x1', false)).hash],
      ['0x3', first?.hash],
      ['0x4', gap?.hash],
    ],
  )
  t.deepEqual(gap?.transactions, [])
  t.is(last?.gasLimit, '0x30000')
  t.is(gap?.hash, `0x${last?.calls[0]?.returnData.slice(66) ?? ''}`)
  const gasLeft = first?.calls.map(({ returnData }) => BigInt(returnData.slice(0, 66))) ?? []
  t.is((gasLeft[0] ?? 0n) - (gasLeft[1] ?? 0n), BigInt(first?.calls[0]?.gasUsed ?? 0))
  t.is(BigInt(first?.gasUsed ?? 0), 2n * BigInt(first?.calls[0]?.gasUsed ?? 0))
  t.deepEqual(
    first?.transactions.map(({ nonce }) => nonce),
    ['0x0', '0x1'],
  )
  const logs = first?.calls.flatMap((call) => call.logs) ?? []
  t.deepEqual(
    logs.map((log) => [log.logIndex, log.blockHash, log.transactionHash]),
    [
      ['0x0', first?.hash, first?.transactions[0]?.hash],
      ['0x1', first?.hash, first?.transactions[1]?.hash],
    ],
  )
  const { gas, hash } = first?.transactions[0] ?? { gas: '0x0', hash: '' }
  const zeros = { r: word(0n), s: word(0n), yParity: 0 }
  const raw = serializeTransaction({ type: 'eip1559', chainId: 31337, to: poor, gas: BigInt(gas) }, zeros)
  t.is(hash, keccak256(raw))
  const [other] = await ask<Block[]>('eth_simulateV1', { blockStateCalls: [{ calls: [] }] }, 'latest')
  t.not(other?.hash, first?.hash)
})
test('transfers are logs where they happen, and those of failed calls are not there', async (t) => {
  const { chain, ask } = await asking()
  await using _ = chain
  const [outer, inner] = ['0x00000000000000000000000000000000000aaaaa', '0x00000000000000000000000000000000000bbbbb']
  // Calls with a value: `to`, then logs. The inner one of two sends on and reverts.
  const callOf = (to: string, value: string) => `5f5f5f5f60${value}73${to.slice(2)}5af150`
  const stateOverrides = {
    [outer]: { code: `0x5f5fa0${callOf(bob, '02')}5f5fa0${callOf(inner, '03')}5f5fa033ff` },
    [inner]: { code: `0x${callOf(bob, '01')}5f5ffd` },
  }
  const asked = { blockStateCalls: [{ stateOverrides, calls: [{ from: alice, to: outer, value: '0x9' }] }] }
  const [traced] = await ask<Block[]>('eth_simulateV1', { ...asked, traceTransfers: true }, 'latest')
  const [plain] = await ask<Block[]>('eth_simulateV1', asked, 'latest')
  const logs = traced?.calls[0]?.logs ?? []
  const short = ({ address, topics, data }: Log) =>
    topics.length === 3 ? `${topics[1]?.slice(-5)} ${topics[2]?.slice(-5)} ${BigInt(data)}` : address.slice(-5)
  const of = (address: string) => address.slice(-5).toLowerCase()
  t.deepEqual(logs.map(short), [
    `${of(alice)} aaaaa 9`,
    'aaaaa',
    `aaaaa ${of(bob)} 2`,
    'aaaaa',
    'aaaaa',
    `aaaaa ${of(alice)} 7`,
  ])
  t.deepEqual(
    logs.map(({ logIndex }) => Number(logIndex)),
    [0, 1, 2, 3, 4, 5],
  )
  t.is(plain?.calls[0]?.logs.length, 3)
  t.is(plain?.hash, traced?.hash)
})

test('validated blocks have the chain’s base fee, and fees are paid', async (t) => {
  const { chain, ask } = await asking()
  await using _ = chain
  const rich = { stateOverrides: { [poor]: { balance: '0x2386f26fc10000' } } }
  const paid = { from: poor, to: bob, gas: '0x5208', maxFeePerGas: '0x77359400', maxPriorityFeePerGas: '0x0' }
  // Returns the balance of `poor`.
  const balanceOf = { from: alice, to: watching, gas: '0xc350', maxFeePerGas: '0x77359400' }
  const watcher = { [watching]: { code: `0x73${poor.slice(2)}315f5260205ff3` } }
  const blocks = await ask<Block[]>(
    'eth_simulateV1',
    {
      blockStateCalls: [
        { stateOverrides: { ...rich.stateOverrides, ...watcher }, calls: [paid, balanceOf] },
        { calls: [balanceOf] },
      ],
      validation: true,
    },
    'latest',
  )
  const [first, second] = blocks.map(({ baseFeePerGas }) => BigInt(baseFeePerGas))
  const next = await ask<Block>('eth_getBlockByNumber', 'pending', false)
  t.is(first, BigInt(next.baseFeePerGas))
  t.true((second ?? 0n) > 0n && (second ?? 0n) < (first ?? 0n))
  t.is(BigInt(blocks[0]?.calls[1]?.returnData ?? 0), 10n ** 16n - 21_000n * (first ?? 0n))
})

test('an override replaces a precompile, or moves it, for the calls of its block', async (t) => {
  const { chain, ask } = await asking()
  await using _ = chain
  const [sha256, bech32] = ['0x0000000000000000000000000000000000000002', '0x0000000000000000000000000000000000000400']
  const stateOverrides = { [sha256]: { movePrecompileToAddress: poor }, [bech32]: { code: '0x60015f5260205ff3' } }
  const calls = [poor, sha256, bech32].map((to) => ({ from: alice, to }))
  const [first, second] = await ask<Block[]>(
    'eth_simulateV1',
    { blockStateCalls: [{ stateOverrides, calls }, { calls: calls.slice(0, 2) }] },
    'latest',
  )
  const empty = '0xe3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'
  const outputs = (block?: Block) => block?.calls.map(({ returnData }) => returnData)
  t.deepEqual(outputs(first), [empty, '0x', word(1n)])
  t.deepEqual(outputs(second), ['0x', empty])
  const [[moved, left] = []] = await ask<{ value: string }[][]>(
    'eth_callMany',
    [{ transactions: calls.slice(0, 2) }],
    { blockNumber: 'latest' },
    stateOverrides,
  )
  t.deepEqual([moved?.value, left?.value], [empty, '0x'])
})

test('a transfer that the bank refuses fails alone', async (t) => {
  const { chain, ask } = await asking()
  await using _ = chain
  const distribution = '0x93354845030274cd4bf1686abd60ab28ec52e1a7'
  const calls = [
    { from: alice, to: distribution, value: '0x1' },
    { from: alice, to: bob, value: '0x1' },
  ]
  const [block] = await ask<Block[]>('eth_simulateV1', { blockStateCalls: [{ calls }] }, 'latest')
  t.deepEqual(
    block?.calls.map(({ status }) => status),
    ['0x0', '0x1'],
  )
  t.regex(block?.calls[0]?.error?.message ?? '', /is not allowed to receive funds/)
})
