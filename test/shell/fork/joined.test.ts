/** Answers that a fork and the other chain give together. */
import test from 'ava'
import { encodeFunctionData, type Hex } from 'viem'
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
