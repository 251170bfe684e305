/** Blocks and transactions of the other chain that a fork is asked for by their hashes. */
import test from 'ava'
import type { Hex } from 'viem'
import { mapEntries } from '../../../src/data/persistentMap.ts'
import { start } from '../../../src/index.ts'
import { countsOf } from '../../../src/simulation/journal.ts'
import { startLocal } from '../../helpers/server.ts'
import { clientsOf, forkOf, friend, raw, startUpstream, type Upstream } from '../../helpers/forked.ts'

let upstream: Upstream
test.before(async () => {
  upstream = await startUpstream()
})
test.after.always(() => upstream.close())

const unknown = `0x${'ee'.repeat(32)}`

test.serial('the receipt of an unknown hash is null at once, though the other node waits for it', async (t) => {
  await using fork = await forkOf([upstream.urls.eth])
  const before = receiptsAsked()
  const text = await raw(fork.urls.eth, 'eth_getTransactionReceipt', [unknown])
  t.deepEqual(JSON.parse(text), { jsonrpc: '2.0', id: 1, result: null })
  t.is(receiptsAsked(), before)
})

/** Returns how many receipts the other node has been asked for, answered or not. */
function receiptsAsked(): number {
  const { journal, node } = upstream.simulation()
  return (countsOf(journal).get('eth_getTransactionReceipt') ?? 0) + node.owed.length
}

test.serial('blocks and transactions that the other chain mined after the fork are unknown', async (t) => {
  await using fork = await forkOf([upstream.urls.eth, upstream.urls.comet])
  const { reader, wallet, account } = clientsOf(upstream, upstream.settings.evmChainId)
  const hash = await wallet.sendTransaction({ to: friend, value: 1n })
  const { blockHash } = await reader.waitForTransactionReceipt({ hash })
  const resultOf = async (method: string, params: readonly unknown[]) => {
    const text = await raw(fork.urls.eth, method, params)
    return (JSON.parse(text) as { result?: unknown }).result
  }
  t.is(await resultOf('debug_traceTransaction', [hash, { tracer: 'callTracer' }]), undefined)
  t.is(await resultOf('eth_getBalance', [account.address, { blockHash }]), undefined)
  t.is(await resultOf('eth_getLogs', [{ blockHash }]), undefined)
  for (const method of ['eth_getTransactionReceipt', 'eth_getTransactionLogs', 'eth_getTransactionByHash']) {
    t.is(await resultOf(method, [hash]), null, method)
  }
  t.is(await resultOf('eth_getBlockTransactionCountByHash', [blockHash]), null)
  t.is(await resultOf('eth_getBlockByHash', [blockHash, false]), null)
})

test.serial('answers about a block below the fork by its hash are those of the other chain, errors too', async (t) => {
  await using fork = await forkOf([upstream.urls.eth])
  const { reader, account } = clientsOf(upstream, upstream.settings.evmChainId)
  const { hash: blockHash } = await reader.getBlock({ blockNumber: upstream.blockOfTransfer })
  const reverting: Hex = '0x60006000fd'
  const calls: readonly (readonly [method: string, params: readonly unknown[]])[] = [
    ['eth_getBalance', [account.address, { blockHash }]],
    ['eth_getBlockTransactionCountByHash', [blockHash]],
    ['eth_getTransactionByBlockHashAndIndex', [blockHash, '0x0']],
    ['eth_getTransactionByBlockHashAndIndex', [blockHash, '0x9']],
    ['eth_call', [{ data: reverting }, { blockHash }]],
  ]
  for (const [method, params] of calls) {
    t.is(await raw(fork.urls.eth, method, params), await raw(upstream.urls.eth, method, params), method)
  }
})

test.serial(
  'while the other chain is away a hash that it may know is an error, and our own are answered',
  async (t) => {
    const mortal = await startUpstream()
    await using fork = await start({
      ports: 'free',
      fork: { from: [mortal.urls.eth, mortal.urls.comet], timeoutMs: 300_000 },
      settings: { blocks: 'manual' },
    })
    const { reader } = clientsOf(mortal, mortal.settings.evmChainId)
    const { transactions } = await reader.getBlock({ blockNumber: mortal.blockOfTransfer })
    await raw(fork.urls.eth, 'evm_mine', [])
    const { wallet } = clientsOf(fork, mortal.settings.evmChainId)
    const fees = { gas: 50_000n, maxFeePerGas: 10n ** 10n, maxPriorityFeePerGas: 1n, nonce: 0 }
    const own = await wallet.sendTransaction({ to: friend, value: 1n, ...fees })
    await mortal.close()
    const answerOf = async (url: string, method: string, params: unknown) =>
      JSON.parse(await raw(url, method, params)) as { result?: unknown; error?: { code: number } }
    const past = await answerOf(fork.urls.eth, 'eth_getTransactionReceipt', transactions)
    t.is(past.error?.code, -32071)
    const waiting = fork.simulation().node.chain.mempool
    t.is((await answerOf(fork.urls.eth, 'eth_getTransactionReceipt', [own])).result, null)
    const [hash = ''] = [...mapEntries(waiting.txs)].map(([key]) => key)
    const search = (query: string) => answerOf(fork.urls.comet, 'tx_search', { query })
    t.deepEqual((await search(`tx.hash='${hash.toUpperCase()}'`)).result, { txs: [], total_count: '0' })
    t.is((await search(`tx.hash='${'EE'.repeat(32)}'`)).error?.code, -32071)
  },
)

test.serial('traces and explorers see the blocks before the fork, if the other node has the method', async (t) => {
  await using other = await startLocal({ blocks: 'auto' })
  const { reader, wallet } = clientsOf(other, other.settings.evmChainId)
  const hash = await wallet.sendTransaction({ to: friend, value: 1n })
  const { blockHash, blockNumber } = await reader.waitForTransactionReceipt({ hash })
  await using fork = await forkOf([other.urls.eth])
  const at = `0x${blockNumber.toString(16)}`
  const calls: readonly (readonly [method: string, params: readonly unknown[]])[] = [
    ['trace_transaction', [hash]],
    ['trace_replayTransaction', [hash, ['trace']]],
    ['trace_block', [at]],
    ['ots_traceTransaction', [hash]],
    ['ots_getBlockDetails', [at]],
    ['ots_getBlockDetailsByHash', [blockHash]],
    ['eth_getRawTransactionByHash', [hash]],
  ]
  for (const [method, params] of calls) {
    t.is(await raw(fork.urls.eth, method, params), await raw(other.urls.eth, method, params), method)
  }
  await clientsOf(fork, other.settings.evmChainId).wallet.sendTransaction({ to: friend, value: 1n })
  const framesAt = async (page: object) => {
    const text = await raw(fork.urls.eth, 'trace_filter', [{ fromBlock: '0x1', ...page }])
    const { result } = JSON.parse(text) as { result: readonly { blockNumber: number }[] }
    return result.map((frame) => BigInt(frame.blockNumber))
  }
  const both = [blockNumber, blockNumber + 2n]
  t.deepEqual(await framesAt({}), both)
  t.deepEqual(await framesAt({ after: 1, count: 1 }), both.slice(1))
  t.deepEqual(await framesAt({ count: 1 }), both.slice(0, 1))
})

test.serial('a method that only the fork has says that the other node lacks it', async (t) => {
  await using fork = await forkOf([upstream.urls.eth])
  const { reader } = clientsOf(upstream, upstream.settings.evmChainId)
  const { transactions } = await reader.getBlock({ blockNumber: upstream.blockOfTransfer })
  t.deepEqual(JSON.parse(await raw(fork.urls.eth, 'trace_transaction', transactions)), {
    jsonrpc: '2.0',
    id: 1,
    error: {
      code: -32000,
      message: 'the node of the forked chain does not have trace_transaction, which was asked about its blocks',
    },
  })
  t.like(JSON.parse(await raw(fork.urls.eth, 'trace_transaction', [unknown])), { result: [] })
})
