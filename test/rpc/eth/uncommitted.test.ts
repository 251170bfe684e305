/** Ethereum transactions that ran and could not be committed, as Ethereum JSON-RPC shows them. */
import { cosmosAddressing } from '../../helpers/addressing.ts'
import test from 'ava'
import type { Hex } from 'viem'
import { accountText, feeCollector } from '../../../src/app/evmd/address.ts'
import { evmChainId } from '../../helpers/evmdChain.ts'
import { alice } from '../../helpers/precompiles.ts'
import { startLocal } from '../../helpers/server.ts'

const fees = { maxFeePerGas: 3_000_000_000n, maxPriorityFeePerGas: 0n } as const
const blocked: Hex = `0x${Buffer.from(feeCollector).toString('hex')}`
const open: Hex = `0x${'dead'.padStart(40, '0')}`

type Answer = { readonly result?: unknown; readonly error?: { code: number; message: string } }

const asking =
  (url: string) =>
  async (method: string, ...params: readonly unknown[]): Promise<Answer> => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
    const headers = { 'content-type': 'application/json' }
    const answer = await fetch(url, { method: 'POST', headers, body })
    return (await answer.json()) as Answer
  }

const signed = (to: Hex, nonce: number) =>
  alice.signTransaction({ type: 'eip1559', chainId: evmChainId, gas: 100_000n, nonce, to, value: 5n, ...fees })

test('what could not be committed has no receipt, and the chain goes on', async (t) => {
  await using server = await startLocal()
  const ask = asking(server.urls.eth)
  const { result: hash } = await ask('eth_sendRawTransaction', await signed(blocked, 0))
  t.is(typeof hash, 'string')
  const { error } = await ask('eth_getTransactionReceipt', hash)
  t.deepEqual(error, { code: -32000, message: 'failed to get receipts from comet block' })
  const { result: height } = await ask('eth_blockNumber')
  await ask('evm_mine')
  t.is(Number((await ask('eth_blockNumber')).result), Number(height) + 1)
})

type Sent = { readonly ask: ReturnType<typeof asking>; readonly hashes: readonly unknown[]; readonly height: string }

/** Four transfers in one block, of which the first and the third could not be committed. */
async function mineFour(url: string): Promise<Sent> {
  const ask = asking(url)
  const hashes: unknown[] = []
  for (const [nonce, to] of [blocked, open, blocked, open].entries()) {
    hashes.push((await ask('eth_sendRawTransaction', await signed(to, nonce))).result)
  }
  await ask('evm_mine')
  return { ask, hashes, height: (await ask('eth_blockNumber')).result as string }
}

test('a block with what could not be committed is shown, and what comes after it is traced', async (t) => {
  await using server = await startLocal({ blocks: 'manual' })
  const { ask, hashes, height } = await mineFour(server.urls.eth)
  t.like((await ask('eth_getBlockByNumber', height, false)).result, { transactions: hashes })
  t.like((await ask('eth_getTransactionByHash', hashes[3])).result, { transactionIndex: '0x3' })
  const { result, error } = await ask('debug_traceTransaction', hashes[1], { tracer: 'callTracer' })
  t.is(error, undefined)
  t.like(result, { to: open, value: '0x5' })
})

// Recorded from evmd v0.5.0 with the same four transactions in one block.
test('a node hides a block with what could not be committed, and counts without it by hash', async (t) => {
  await using server = await startLocal({
    blocks: 'manual',
    quirks: ['uncommitted-tx-hides-block', 'undocumented-methods'],
  })
  const { ask, hashes, height } = await mineFour(server.urls.eth)
  const cause =
    'failed to get receipts from comet block: failed to convert tx result to eth receipt: invalid message index: 0'
  const block = (await ask('eth_getTransactionByHash', hashes[0])).result as { readonly blockHash?: string }
  const hidden = [
    ['eth_getBlockByNumber', height, true],
    ['eth_getBlockByHash', block.blockHash, false],
    ['eth_getHeaderByNumber', height],
    ['eth_getHeaderByHash', block.blockHash],
    ['eth_feeHistory', '0x2', 'latest', []],
  ]
  for (const [method = '', ...params] of hidden) {
    const message = `failed to get rpc block from comet block: ${cause}`
    t.deepEqual((await ask(String(method), ...params)).error, { code: -32000, message }, String(method))
  }
  t.is((await ask('eth_getBlockReceipts', height)).error?.message, `${cause}, `)
  t.is((await ask('debug_getRawBlock', height)).error?.message, `failed to get eth block from comet block: ${cause}`)
  t.is((await ask('eth_getBlockTransactionCountByNumber', height)).result, '0x4')
  const indexes = (shown: readonly Answer[]) =>
    shown.map(({ result }) => (result as { readonly transactionIndex?: string } | undefined)?.transactionIndex)
  const byHash = await Promise.all(hashes.map((hash) => ask('eth_getTransactionByHash', hash)))
  t.deepEqual(indexes(byHash), ['0x0', '0x0', '0x1', '0x1'])
  t.deepEqual(indexes(await Promise.all(hashes.map((hash) => ask('eth_getTransactionReceipt', hash)))), [
    undefined,
    '0x0',
    undefined,
    '0x1',
  ])
  const places = ['0x0', '0x1', '0x2', '0x3'].map((index) =>
    ask('eth_getTransactionByBlockNumberAndIndex', height, index),
  )
  const found = await Promise.all(places)
  t.deepEqual(
    found.map(({ result }) => hashes.indexOf((result as { readonly hash?: string } | undefined)?.hash)),
    [0, 2, 2, 3],
  )
  t.deepEqual(indexes(found), ['0x0', '0x1', '0x2', '0x3'])
})

test('a node traces what could not be committed alone, and not in its block', async (t) => {
  await using server = await startLocal({
    blocks: 'manual',
    quirks: ['uncommitted-tx-hides-block', 'trace-charged-gas'],
  })
  const { ask, hashes, height } = await mineFour(server.urls.eth)
  const config = { tracer: 'callTracer' }
  t.like((await ask('debug_traceTransaction', hashes[0], config)).result, { to: blocked, gasUsed: '0xc350' })
  t.deepEqual((await ask('debug_traceTransaction', hashes[0], {})).result, {
    failed: false,
    gas: 50_000,
    returnValue: '0x',
    structLogs: [],
  })
  const error =
    'rpc error: code = Internal desc = failed to commit stateDB: failed to set account: ' +
    `${accountText(cosmosAddressing, feeCollector)} is not allowed to receive funds: unauthorized`
  const traces = (await ask('debug_traceBlockByNumber', height, config)).result
  t.like(traces, [{ error }, { result: { to: open, gasUsed: '0xc350' } }, { error }, { result: { to: open } }])
})

test('logs have the index that a node counts without what could not be committed', async (t) => {
  for (const [quirks, wanted] of [
    [[], ['0x1', '0x3']],
    [['uncommitted-tx-hides-block'], ['0x0', '0x1']],
  ] as const) {
    await using server = await startLocal({ blocks: 'manual', quirks: [...quirks] })
    const set = asking(server.urls.eth)
    await set('anvil_setCode', open, '0x5f5fa000')
    const filter = (await set('eth_newFilter', {})).result
    const { ask, hashes } = await mineFour(server.urls.eth)
    const indexes = ({ result }: Answer) =>
      (result as readonly { transactionIndex: string }[]).map(({ transactionIndex }) => transactionIndex)
    t.deepEqual(indexes(await ask('eth_getLogs', {})), wanted)
    t.deepEqual(indexes(await ask('eth_getFilterChanges', filter)), wanted)
    t.deepEqual(indexes(await ask('eth_getTransactionLogs', hashes[3])), wanted.slice(1))
  }
})
