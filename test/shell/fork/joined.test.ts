/** Answers that a fork and the other chain give together. */
import { join } from 'node:path'
import test from 'ava'
import { encodeFunctionData, type Hex } from 'viem'
import { start } from '../../../src/index.ts'
import { scratch } from '../../helpers/cli.ts'
import { clientsOf, forkOf, friend, raw, startUpstream, tokenAbi, type Upstream } from '../../helpers/forked.ts'

let upstream: Upstream
test.before(async () => {
  upstream = await startUpstream()
})
test.after.always(() => upstream.close())

type Call = readonly [method: string, ...params: readonly unknown[]]

/** Returns the results of a batch. */
async function batch(url: string, calls: readonly Call[]): Promise<readonly unknown[]> {
  const body = calls.map(([method, ...params], id) => ({ jsonrpc: '2.0', id, method, params }))
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  return ((await answer.json()) as readonly { readonly result?: unknown }[]).map(({ result }) => result)
}

type Log = { readonly blockNumber: Hex }
const heightsOf = (logs: unknown) => (logs as readonly Log[]).map(({ blockNumber }) => Number(blockNumber))

/** Returns the call that sends the friend five tokens of the account that has them. */
function transfer(): Call {
  const from = clientsOf(upstream, 1).account.address
  const data = encodeFunctionData({ abi: tokenAbi, functionName: 'transfer', args: [friend, 5n] })
  return ['eth_sendTransaction', { from, to: upstream.token, data }]
}

async function impersonate(url: string): Promise<void> {
  await raw(url, 'anvil_impersonateAccount', [clientsOf(upstream, 1).account.address])
}

const logsOfToken = (): Call => ['eth_getLogs', { address: upstream.token, fromBlock: '0x1', topics: [] }]

test.serial('logs and fees of both chains include what earlier calls of the batch did', async (t) => {
  await using fork = await forkOf([upstream.urls.eth])
  await impersonate(fork.urls.eth)
  const head = fork.simulation().node.chain.height
  const [, logs, fees] = await batch(fork.urls.eth, [
    transfer(),
    logsOfToken(),
    ['eth_feeHistory', '0x6', 'latest', [50]],
  ])
  t.is(heightsOf(logs).at(-1), Number(head) + 1)
  t.deepEqual(heightsOf(logs).slice(0, -1), heightsOf((await batch(upstream.urls.eth, [logsOfToken()]))[0]))
  const { oldestBlock, baseFeePerGas, gasUsedRatio, reward } = fees as {
    readonly oldestBlock: Hex
    readonly baseFeePerGas: readonly Hex[]
    readonly gasUsedRatio: readonly number[]
    readonly reward: readonly unknown[]
  }
  t.is(Number(oldestBlock), Number(head) + 1 - 5)
  t.deepEqual([baseFeePerGas.length, gasUsedRatio.length, reward.length], [7, 6, 6])
  const { reader } = clientsOf(fork, upstream.settings.evmChainId)
  const { baseFeePerGas: fee } = await reader.getBlock({ blockNumber: head + 1n })
  t.is(Number(baseFeePerGas[5]), Number(fee))
})

test.serial('faults change our part of an answer that both chains give', async (t) => {
  await using fork = await forkOf([upstream.urls.eth])
  await impersonate(fork.urls.eth)
  await batch(fork.urls.eth, [transfer()])
  const [all] = await batch(fork.urls.eth, [logsOfToken()])
  const end = await fork.fault('late', { match: { method: 'eth_getLogs' }, effect: { indexLag: '1 block' } })
  const [lagging] = await batch(fork.urls.eth, [logsOfToken()])
  t.deepEqual(heightsOf(lagging), heightsOf(all).slice(0, -1))
  await end()
  t.deepEqual((await batch(fork.urls.eth, [logsOfToken()]))[0], all)
})

const wrong: readonly Readonly<Record<string, string>>[] = [
  { query: 'nonsense' },
  { query: 'tx.height>0', per_page: 'abc' },
  { query: 'tx.height>0', page: 'abc' },
  { query: 'tx.height>0', page: '0' },
  { query: 'tx.height>0', page: '9' },
  { query: 'tx.height>0', order_by: 'x' },
  { query: 'tx.height>0', order_by: '"asc"' },
]

test.serial('a search that a chain refuses has the same error on a fork', async (t) => {
  await using fork = await forkOf([upstream.urls.eth, upstream.urls.comet])
  for (const method of ['tx_search', 'block_search']) {
    for (const params of wrong) {
      const uri = (url: string) => {
        const quoted = Object.entries(params).map(([key, value]) => `${key}="${encodeURIComponent(value)}"`)
        return fetch(`${url}/${method}?${quoted.join('&')}`).then((answer) => answer.text())
      }
      const about = `${method} ${JSON.stringify(params)}`
      const answer = await raw(fork.urls.comet, method, params)
      t.true(answer.includes('"error"'), about)
      t.is(answer, await raw(upstream.urls.comet, method, params), about)
      t.is(await uri(fork.urls.comet), await uri(upstream.urls.comet), about)
    }
  }
})

test.serial('the pages of a search have the sizes that a chain gives them', async (t) => {
  await using fork = await forkOf([upstream.urls.eth, upstream.urls.comet])
  await impersonate(fork.urls.eth)
  await batch(fork.urls.eth, [transfer()])
  const search = async (params: object): Promise<unknown> => {
    const text = await raw(fork.urls.comet, 'tx_search', { query: 'tx.height>0', ...params })
    return (JSON.parse(text) as { result?: unknown }).result
  }
  const all = (await search({})) as { readonly txs: readonly unknown[]; readonly total_count: string }
  t.deepEqual([all.txs.length, all.total_count], [3, '3'])
  for (const size of ['0', '-1', '30', '1000']) t.deepEqual(await search({ per_page: size }), all, size)
  t.deepEqual(await search({ per_page: '2', page: '2' }), { ...all, txs: all.txs.slice(2) })
})

test.serial('the blocks of a search are those of both chains, newest first', async (t) => {
  await using fork = await forkOf([upstream.urls.eth, upstream.urls.comet])
  const head = fork.simulation().node.chain.height
  const text = await raw(fork.urls.comet, 'block_search', { query: 'block.height>0', per_page: '100' })
  const { result } = JSON.parse(text) as { result: { blocks: readonly { block: { header: { height: string } } }[] } }
  const heights = result.blocks.map(({ block }) => Number(block.header.height))
  t.deepEqual(
    heights,
    Array.from({ length: Number(head) }, (_, index) => Number(head) - index),
  )
})

type Ranged = { readonly result: { readonly last_height: string; readonly block_metas: readonly unknown[] } }

test.serial('headers below the fork come with the latest height of the fork', async (t) => {
  await using fork = await forkOf([upstream.urls.eth, upstream.urls.comet])
  fork.mine(3)
  const range = { minHeight: '2', maxHeight: '3' }
  const [ours, theirs] = await Promise.all(
    [fork, upstream].map(async ({ urls }) => JSON.parse(await raw(urls.comet, 'blockchain', range)) as Ranged),
  )
  const last = String(fork.simulation().node.chain.height)
  t.not(theirs?.result.last_height, last)
  t.deepEqual(ours?.result, { last_height: last, block_metas: theirs?.result.block_metas })
  const wrong = { minHeight: '3', maxHeight: '2' }
  t.is(await raw(fork.urls.comet, 'blockchain', wrong), await raw(upstream.urls.comet, 'blockchain', wrong))
})

test.serial('a program continues a saved fork at its own height, although the other chain has moved on', async (t) => {
  const state = join(scratch(), 'chain.state')
  const fork = { from: [upstream.urls.eth, upstream.urls.comet] }
  const first = await start({ ports: 'none', fork })
  const height = first.mine(2)
  await first.save(state)
  await first.close()
  upstream.mine(3)
  await using again = await start({ ports: 'none', fork, state })
  t.is(again.mine(1), height + 1)
})
