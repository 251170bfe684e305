/**
 * A reorganisation that Ethereum JSON-RPC alone shows: other hashes, the same transactions, one state.
 */
import test from 'ava'
import { start } from '../../../src/index.ts'
import { rpc, startControlled } from '../../helpers/control.ts'
import { allGone, eventually } from '../../helpers/server.ts'
import { createPublicClient, webSocket } from 'viem'

const alice = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266'
const bob = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8'
const logger = '0x000000000000000000000000000000000000c0de'

type Block = {
  readonly hash: string
  readonly parentHash: string
  readonly number: string
  readonly transactions: readonly string[]
  readonly stateRoot: string
}

type Shown = {
  readonly blockHash: string
  readonly removed?: boolean
  readonly transactionHash: string
}

async function chainWithLogs() {
  const chain = await start({ ports: 'none' })
  const ask = <Answer = unknown>(method: string, ...params: unknown[]) => chain.eth.request<Answer>({ method, params })
  await ask('anvil_setCode', logger, '0x5f5fa0')
  chain.mine(1)
  const call = () => ask<string>('eth_sendTransaction', { from: alice, to: logger, gas: '0x186a0' })
  const blocks = (from: number, to: number) =>
    Promise.all(
      Array.from({ length: to - from + 1 }, (_, index) =>
        ask<Block>('eth_getBlockByNumber', `0x${(from + index).toString(16)}`, false),
      ),
    )
  return { chain, ask, call, blocks }
}

test('Ethereum JSON-RPC has other hashes that follow each other, and CometBFT RPC has its own as before', async (t) => {
  const { chain, ask, call, blocks } = await chainWithLogs()
  await using _ = chain
  const hashes = [await call(), await call(), await call()]
  const old = await blocks(1, 5)
  const comet = await Promise.all([3, 4, 5].map((height) => chain.comet.call('block', { height: String(height) })))
  const digest = chain.simulation().node.chain.app.appHash
  await ask('chainstage_reorg', 2, 'evm')
  const now = await blocks(1, 5)
  t.deepEqual(now.slice(0, 3), old.slice(0, 3))
  for (const [index, block] of now.entries()) {
    t.is(block.parentHash, (now[index - 1] ?? { hash: block.parentHash }).hash)
  }
  for (const index of [3, 4]) {
    t.not(now[index]?.hash, old[index]?.hash)
    t.like(now[index], {
      transactions: old[index]?.transactions,
      stateRoot: old[index]?.stateRoot,
      number: old[index]?.number,
    })
    t.is(await ask('eth_getBlockByHash', old[index]?.hash, false), null)
    t.deepEqual(await ask('eth_getBlockByHash', now[index]?.hash, false), now[index])
    const receipt = await ask<Shown>('eth_getTransactionReceipt', hashes[index - 2])
    t.deepEqual([receipt.blockHash], [now[index]?.hash])
    t.deepEqual(
      (await ask<Shown[]>('eth_getLogs', { blockHash: now[index]?.hash })).map((one) => one.blockHash),
      [now[index]?.hash],
    )
  }
  t.deepEqual(
    await Promise.all([3, 4, 5].map((height) => chain.comet.call('block', { height: String(height) }))),
    comet,
  )
  const bytes = Buffer.from((old[4]?.hash ?? '').slice(2), 'hex').toString('base64')
  t.like(await chain.comet.call('block_by_hash', { hash: bytes }), { block: { header: { height: '5' } } })
  const replaced = Buffer.from((now[4]?.hash ?? '').slice(2), 'hex').toString('base64')
  t.is((await chain.comet.call<{ block: unknown }>('block_by_hash', { hash: replaced })).block, null)
  t.is(chain.simulation().node.chain.app.appHash, digest)
})

test('blocks that come after follow the new ones, a second reorganisation replaces them again', async (t) => {
  const { chain, ask, call, blocks } = await chainWithLogs()
  await using _ = chain
  await call()
  await ask('chainstage_reorg', 1, 'evm')
  const [third] = await blocks(3, 3)
  await call()
  chain.mine(2)
  const [fourth, fifth, sixth] = await blocks(4, 6)
  t.is(fourth?.parentHash, third?.hash)
  t.is(fifth?.parentHash, fourth?.hash)
  t.is(sixth?.parentHash, fifth?.hash)
  await ask('chainstage_reorg', 4, 'evm')
  const again = await blocks(2, 6)
  for (const [index, block] of again.entries()) {
    t.is(block.parentHash, (again[index - 1] ?? { hash: block.parentHash }).hash)
  }
  t.not(again[1]?.hash, third?.hash)
  t.is(await ask('eth_getBlockByHash', third?.hash, false), null)
  await ask('anvil_rollback', 5)
  t.is(await ask('eth_getBlockByHash', again[1]?.hash, false), null)
  chain.mine(1)
  const [first, second] = await blocks(1, 2)
  t.is(second?.parentHash, first?.hash)
})

test('subscribers and polled filters hear of logs that are gone and of those in their place', async (t) => {
  await using server = await startControlled()
  const ask = (method: string, ...params: unknown[]) => rpc(server.urls.eth, method, ...params)
  await ask('anvil_setCode', logger, '0x5f5fa0')
  await ask('evm_mine')
  const listener = createPublicClient({ transport: webSocket(server.urls.ethWs, { reconnect: false }) })
  const logs: Shown[] = []
  const heads: Block[] = []
  const subscribe = (params: unknown, onData: (result: never) => void) =>
    listener.transport.subscribe({
      params: params as never,
      onData: ({ result }) => {
        onData(result as never)
      },
    })
  await subscribe(['logs', { address: logger }], (one: Shown) => {
    logs.push(one)
  })
  await subscribe(['newHeads'], (one: Block) => {
    heads.push(one)
  })
  const [polledLogs, polledBlocks] = [await ask('eth_newFilter', { address: logger }), await ask('eth_newBlockFilter')]
  const send = () => ask('eth_sendTransaction', { from: alice, to: logger, gas: '0x186a0' })
  const sent = [await send(), await send()]
  const old = (await ask('eth_getFilterChanges', polledLogs)) as Shown[]
  await ask('eth_getFilterChanges', polledBlocks)
  await ask('chainstage_reorg', 2, 'evm')
  const hashes = await Promise.all(
    ['0x3', '0x4'].map(async (at) => ((await ask('eth_getBlockByNumber', at, false)) as Block).hash),
  )
  await eventually(() => logs.length === 6 && heads.length === 4)
  const wanted = [
    [sent[0], old[0]?.blockHash, false],
    [sent[1], old[1]?.blockHash, false],
    [sent[1], old[1]?.blockHash, true],
    [sent[0], old[0]?.blockHash, true],
    [sent[0], hashes[0], false],
    [sent[1], hashes[1], false],
  ]
  const placesOf = (all: readonly Shown[]) =>
    all.map(({ transactionHash, blockHash, removed }) => [transactionHash, blockHash, removed])
  t.deepEqual(placesOf(logs), wanted)
  t.deepEqual(
    heads.slice(2).map(({ hash }) => hash),
    hashes,
  )
  t.deepEqual(placesOf((await ask('eth_getFilterChanges', polledLogs)) as Shown[]), wanted.slice(2))
  t.deepEqual(await ask('eth_getFilterChanges', polledBlocks), hashes)
  ;(await listener.transport.getRpcClient()).close()
  await allGone(server)
})

test('the view "chain" is anvil_reorg', async (t) => {
  const { chain, ask, call } = await chainWithLogs()
  await using _ = chain
  const gone = await call()
  await ask('chainstage_reorg', 1, 'chain', [[{ from: alice, to: bob, value: '0x7' }, 0]])
  t.is(await ask('eth_getTransactionByHash', gone), null)
  t.like(await chain.comet.call('block', { height: '3' }), { block: { header: { height: '3' } } })
  t.is((await ask<Block>('eth_getBlockByNumber', 'latest', false)).transactions.length, 1)
})
