import test from 'ava'
import { Comet38Client } from '@cosmjs/tendermint-rpc'
import { createPublicClient, createWalletClient, http, webSocket, type Abi, type Address, type Hex } from 'viem'
import { mnemonicToAccount } from 'viem/accounts'
import { recordAt } from '../../../src/chain/history.ts'
import { start } from '../../../src/index.ts'
import { demoToken } from '../../helpers/contracts.ts'
import { rpc, startControlled } from '../../helpers/control.ts'
import { allGone, chainOf, eventually } from '../../helpers/server.ts'
import { complaints } from '../../helpers/lightClient.ts'

const alice = mnemonicToAccount('test test test test test test test test test test test junk')
const bob = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'

test('a rollback takes blocks, states, transactions and logs off both sides', async (t) => {
  await using chain = await start({ ports: 'none' })
  const ask = (method: string, ...params: unknown[]) => chain.eth.request<string>({ method, params })
  const send = (value: string) => ask('eth_sendTransaction', { from: alice.address, to: bob, value })
  await send('0x1')
  const kept = JSON.stringify(await ask('eth_getBlockByNumber', 'latest', true))
  const gone = await send('0x2')
  chain.mine(3)
  await ask('anvil_rollback', 4)
  t.is(await ask('eth_blockNumber'), '0x2')
  t.is(JSON.stringify(await ask('eth_getBlockByNumber', 'latest', true)), kept)
  t.is(await ask('eth_getTransactionByHash', gone), null as unknown as string)
  t.is(await ask('eth_getTransactionCount', alice.address, 'pending'), '0x1')
  const found = await chain.comet.call<{ total_count: string }>('tx_search', { query: 'tx.height>0' })
  t.is(found.total_count, '1')
  await t.throwsAsync(chain.comet.call('block', { height: '3' }))
  // What comes instead is a chain like any other: commits and hashes follow each other.
  await send('0x3')
  chain.mine(2)
  const comet = Comet38Client.create(chain.comet)
  t.is((await comet.status()).syncInfo.latestBlockHeight, 5)
  const { history } = chain.simulation().node.chain
  const records = [1n, 2n, 3n, 4n, 5n].flatMap((height) => recordAt(history, height) ?? [])
  t.deepEqual(
    records.flatMap((record, index) =>
      complaints(record, records[index + 1]?.block.lastCommit ?? record.seenCommit, records[index - 1]),
    ),
    [],
  )
  const again = await chain.comet.call<{ total_count: string }>('tx_search', { query: 'tx.height>0' })
  t.is(again.total_count, '2')
  t.is(BigInt(await ask('eth_getBalance', bob, 'latest')), 10_000n * 10n ** 18n + 4n)
})

test('what an operator set for senders and coming blocks outlives a reorganisation', async (t) => {
  await using chain = await start({ ports: 'none' })
  const ask = (method: string, ...params: unknown[]) => chain.eth.request<string>({ method, params })
  const whale = '0x1111111111111111111111111111111111111111'
  await ask('anvil_setBalance', whale, '0xde0b6b3a7640000')
  chain.mine(3)
  await ask('anvil_impersonateAccount', whale)
  await ask('anvil_setCoinbase', whale)
  await ask('anvil_reorg', 1, [[{ from: whale, to: bob, value: '0x1' }, 0]])
  t.like(await ask('eth_getBlockByNumber', 'latest', true), { miner: whale, transactions: [{ from: whale }] })
  await ask('anvil_stopImpersonatingAccount', whale)
  await ask('anvil_setCoinbase', null)
  await ask('anvil_rollback', 1)
  chain.mine(1)
  t.not(((await ask('eth_getBlockByNumber', 'latest', false)) as unknown as { miner: string }).miner, whale)
  await t.throwsAsync(ask('eth_sendTransaction', { from: whale, to: bob }))
})

test('a reorganisation with a transaction that the chain refuses changes nothing and gives the reason', async (t) => {
  await using chain = await start({ ports: 'none' })
  const ask = (method: string, ...params: unknown[]) => chain.eth.request<string>({ method, params })
  chain.mine(3)
  const head = await ask('eth_getBlockByNumber', 'latest', false)
  const good = { from: alice.address, to: bob }
  const cheap = { ...good, gas: '0x5208', gasPrice: '0x1' }
  const message = /provided fee < minimum global fee|max fee per gas less than block base fee/
  const txs = [
    [good, 0],
    [cheap, 1],
  ]
  const calls = [
    ['anvil_reorg', 2, txs],
    ['chainstage_reorg', 2, 'chain', txs],
  ] as const
  for (const [method, ...rest] of calls) {
    await t.throwsAsync(ask(method, ...rest), { message }, method)
    t.deepEqual(await ask('eth_getBlockByNumber', 'latest', false), head)
  }
})

test('a reorganisation gives other hashes, and listeners hear of logs that are gone', async (t) => {
  await using server = await startControlled()
  const client = createPublicClient({ chain: chainOf(server.urls.eth), transport: http(), cacheTime: 0 })
  const writer = createWalletClient({ chain: chainOf(server.urls.eth), transport: http(), account: alice })
  const { abi, bytecode } = demoToken() as { abi: Abi; bytecode: Hex }
  const { contractAddress } = await client.getTransactionReceipt({
    hash: await writer.deployContract({ abi, bytecode, args: [] }),
  })
  const address = contractAddress as Address
  const listener = createPublicClient({ transport: webSocket(server.urls.ethWs, { reconnect: false }) })
  const heard: [string, boolean][] = []
  await listener.transport.subscribe({
    params: ['logs', { address }] as never,
    onData: ({ result }) => {
      const { transactionHash, removed } = result as { transactionHash: string; removed: boolean }
      heard.push([transactionHash, removed])
    },
  })
  const filter = await rpc(server.urls.eth, 'eth_newBlockFilter')
  const logs = await rpc(server.urls.eth, 'eth_newFilter', { address })
  const first = await writer.writeContract({ address, abi, functionName: 'transfer', args: [bob, 5n] })
  const before = await client.getBlock()
  t.deepEqual(await rpc(server.urls.eth, 'eth_getFilterChanges', filter), [before.hash])
  const [shown] = (await rpc(server.urls.eth, 'eth_getFilterChanges', logs)) as [object]
  t.like(shown, { transactionHash: first, blockHash: before.hash, removed: false })
  await rpc(server.urls.eth, 'anvil_reorg', 1, [[{ from: alice.address, to: bob, value: '0x7' }, 0]])
  const after = await client.getBlock()
  t.is(after.number, before.number)
  t.not(after.hash, before.hash)
  t.is(after.transactions.length, 1)
  await t.throwsAsync(client.getTransactionReceipt({ hash: first }))
  t.is(await client.readContract({ address, abi, functionName: 'balanceOf', args: [bob] }), 0n)
  await eventually(() => heard.length === 2)
  t.deepEqual(heard, [
    [first, false],
    [first, true],
  ])
  t.deepEqual(await rpc(server.urls.eth, 'eth_getFilterChanges', filter), [after.hash])
  t.deepEqual(await rpc(server.urls.eth, 'eth_getFilterChanges', logs), [{ ...shown, removed: true }])
  t.deepEqual(await rpc(server.urls.eth, 'eth_getFilterChanges', logs), [])
  t.is(server.simulation().node.chain.policy.mode, 'auto')
  ;(await listener.transport.getRpcClient()).close()
  await allGone(server)
})

test('a reorg takes its parameters as an object, as the Rust client alloy sends them', async (t) => {
  await using server = await startControlled()
  await rpc(server.urls.eth, 'evm_mine')
  const ask = async (params: object) => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'anvil_reorg', params })
    const headers = { 'content-type': 'application/json' }
    return (await fetch(server.urls.eth, { method: 'POST', headers, body })).json() as Promise<Record<string, unknown>>
  }
  const pairs = [[{ from: alice.address, to: bob, value: '0x7' }, 0]]
  t.like(await ask({ depth: 1, tx_block_pairs: pairs }), { result: null })
  const head = (await rpc(server.urls.eth, 'eth_getBlockByNumber', 'latest', false)) as { transactions: unknown[] }
  t.is(head.transactions.length, 1)
  t.like(await ask({ tx_block_pairs: pairs }), { error: { message: 'missing value for required argument 0' } })
})

test('a depth beyond the chain changes nothing and says how deep it may be', async (t) => {
  await using chain = await start({ ports: 'none' })
  chain.mine(2)
  const before = chain.digest()
  for (const [method, params] of [
    ['anvil_rollback', [3]],
    ['anvil_reorg', [9, []]],
    ['anvil_reorg', [1, [[{ from: alice.address }, 1]]]],
  ] as const) {
    await t.throwsAsync(chain.eth.request({ method, params }), {
      message: /expected a depth of 1 to 2 blocks|expected a block index from 0 to 0, received /,
    })
  }
  await t.throwsAsync(chain.eth.request({ method: 'anvil_rollback', params: ['deep'] }), {
    message: /whole number of blocks/,
  })
  t.is(chain.digest(), before)
  t.is(await chain.eth.request({ method: 'eth_blockNumber' }), '0x3')
})

/** Of each log, its block's number, its place there and whether it is gone. */
const placesOf = (logs: unknown) =>
  (logs as { blockNumber: string; logIndex: string; removed: boolean }[]).map(({ blockNumber, logIndex, removed }) => [
    Number(blockNumber),
    Number(logIndex),
    removed,
  ])

test('a polled filter takes back what it has shown alone, newest first, within its range', async (t) => {
  await using chain = await start({ ports: 'none' })
  const ask = (method: string, ...params: unknown[]) => chain.eth.request<string>({ method, params })
  const logger = '0x000000000000000000000000000000000000c0de'
  // Two logs without topics: LOG0 of nothing, twice.
  await ask('anvil_setCode', logger, '0x5f5fa05f5fa0')
  chain.mine(1) // whose state has the code
  const call = () => ask('eth_sendTransaction', { from: alice.address, to: logger, gas: '0x186a0' })
  const [all, others, late] = [
    await ask('eth_newFilter', { address: logger }),
    await ask('eth_newFilter', { address: bob }),
    await ask('eth_newFilter', { address: logger, fromBlock: '0x4' }),
  ]
  await call()
  await call()
  const shown = await ask('eth_getFilterChanges', all)
  t.deepEqual(placesOf(shown), [
    [3, 0, false],
    [3, 1, false],
    [4, 0, false],
    [4, 1, false],
  ])
  await call() // in block 5, which this filter has not seen when it goes
  t.deepEqual(placesOf(await ask('eth_getFilterChanges', late)), [
    [4, 0, false],
    [4, 1, false],
    [5, 0, false],
    [5, 1, false],
  ])
  await ask('anvil_rollback', 3)
  await call() // the second block 3, gone again before anybody has seen it
  await ask('anvil_rollback', 1)
  await call()
  t.deepEqual(placesOf(await ask('eth_getFilterChanges', all)), [
    [4, 1, true],
    [4, 0, true],
    [3, 1, true],
    [3, 0, true],
    [3, 0, false],
    [3, 1, false],
  ])
  t.deepEqual(placesOf(await ask('eth_getFilterChanges', late)), [
    [5, 1, true],
    [5, 0, true],
    [4, 1, true],
    [4, 0, true],
  ])
  t.deepEqual(placesOf(await ask('eth_getFilterChanges', others)), [])
})
