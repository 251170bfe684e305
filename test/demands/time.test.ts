/**
 * What users asked of other tools (`peers.md` §4), B: time and determinism, and G: the same on
 * Cosmos.
 */
import anyTest, { type TestFn } from 'ava'
import { withChain, type ChainContext } from '../../src/shell/testing/ava.ts'
import { scenarioOf, scenarioRun } from '../helpers/scenarioRun.ts'

const test = anyTest as TestFn<ChainContext>
withChain(test, { settings: { pace: 'manual' } })

type Chain = ChainContext['chain']
type Block = {
  readonly number: string
  readonly timestamp: string
  readonly hash: string
  readonly parentHash: string
}
const block = (chain: Chain, tag: string) =>
  chain.eth.request<Block>({ method: 'eth_getBlockByNumber', params: [tag, false] })
const seconds = async (chain: Chain) => Number((await block(chain, 'latest')).timestamp)
const call = (chain: Chain, method: string, ...params: unknown[]) => chain.eth.request({ method, params })
const every = (chain: Chain, intervalMs: bigint) => {
  chain.operate({ type: 'setBlockPolicy', policy: { mode: 'interval', intervalMs } })
}
const status = async (chain: Chain) =>
  (await chain.comet.call<{ sync_info: Record<string, string> }>('status')).sync_info

test('demand 11: going back to a snapshot brings its time back', async (t) => {
  const { chain } = t.context
  chain.mine()
  const before = await seconds(chain)
  const id = await call(chain, 'evm_snapshot')
  await call(chain, 'evm_increaseTime', 86_400)
  chain.mine()
  t.true((await seconds(chain)) >= before + 86_400)
  await call(chain, 'evm_revert', id)
  chain.mine()
  t.true((await seconds(chain)) < before + 60)
})

test('demand 12: one state is gone back to many times, and is not used up', async (t) => {
  const { chain } = t.context
  chain.mine()
  const { hash } = await block(chain, 'latest')
  for (let round = 0; round < 3; round++) {
    const point = chain.checkpoint()
    chain.mine(2)
    point.restore()
    t.is((await block(chain, 'latest')).hash, hash)
  }
})

test('demand 12, by name: a scenario restores what it called by a name, three times over', (t) => {
  const round = `{ do: [{ mine: 3 }], expect: { height: { min: 6, max: 6 } } },
    { do: [{ restore: 'here' }], expect: { height: { min: 3, max: 3 } } }`
  const run = scenarioRun(scenarioOf(`{ do: [{ mine: 2 }, { snapshot: 'here' }] }, ${round}, ${round}, ${round}`)).run()
  t.is(run.simulation().progress.state, 'passed', run.said.join('\n'))
})

test('demand 13: blocks come faster than once a second, and their times never go back', async (t) => {
  const { chain } = t.context
  every(chain, 200n)
  await chain.advance('3s')
  const height = Number((await block(chain, 'latest')).number)
  t.true(height >= 14, String(height))
  const times: number[] = []
  for (let at = 1; at <= height; at++) {
    times.push(Number((await block(chain, `0x${at.toString(16)}`)).timestamp))
  }
  t.deepEqual(
    times,
    times.toSorted((a, b) => a - b),
  )
})

test('demand 14: skipped blocks are whole: each has its header, its parent and its event', async (t) => {
  const { chain } = t.context
  const first = Number((await block(chain, 'latest')).number)
  await call(chain, 'hardhat_mine', '0x1f4', '0x3c')
  t.is(Number((await block(chain, 'latest')).number), first + 500)
  for (const at of [first + 1, first + 250, first + 499]) {
    const [one, next] = [await block(chain, `0x${at.toString(16)}`), await block(chain, `0x${(at + 1).toString(16)}`)]
    t.is(next.parentHash, one.hash)
    t.is(Number(next.timestamp) - Number(one.timestamp), 60)
    t.truthy(await chain.comet.call('block_results', { height: String(at) }))
  }
})

test('demand 15: finalized is behind latest as far as one says', async (t) => {
  const { chain } = t.context
  chain.mine(10)
  await chain.fault('lag', {
    match: { method: 'eth_getBlockByNumber', params: ['finalized'] },
    effect: { stale: { lag: '4 blocks' } },
  })
  const [latest, finalized] = [await block(chain, 'latest'), await block(chain, 'finalized')]
  t.is(Number(latest.number) - Number(finalized.number), 4)
})

test('demand 16: block time of the Cosmos side moves on command', async (t) => {
  const { chain } = t.context
  chain.mine()
  const before = Date.parse((await status(chain))['latest_block_time'] ?? '')
  chain.moveTime('720h')
  chain.mine()
  t.true(Date.parse((await status(chain))['latest_block_time'] ?? '') - before >= 30 * 86_400_000)
})

test('demand 17: many blocks in no time leave block time where its step says', async (t) => {
  const { chain } = t.context
  chain.mine()
  const before = await seconds(chain)
  chain.mine(100)
  const passed = (await seconds(chain)) - before
  t.true(passed >= 99 && passed <= 600, `${passed} s`)
})

test('demand 44: a block is made as soon as there is something to put in it', async (t) => {
  const { chain } = t.context
  const height = BigInt((await block(chain, 'latest')).number)
  const [from] = await chain.eth.request<string[]>({ method: 'eth_accounts' })
  const hash = await call(chain, 'eth_sendTransaction', { from, to: from, value: '0x1' })
  t.is(
    (await chain.eth.request<{ blockNumber: string }>({ method: 'eth_getTransactionReceipt', params: [hash] }))
      .blockNumber,
    `0x${(height + 1n).toString(16)}`,
  )
})

test('demand 45: heights and times do not depend on the machine: time stands until it is moved', async (t) => {
  const { chain } = t.context
  every(chain, 1000n)
  const { latest_block_height: before = '' } = await status(chain)
  await new Promise((done) => {
    setTimeout(done, 50)
  })
  t.is((await status(chain))['latest_block_height'], before)
  await chain.advance('5s')
  t.is(Number((await status(chain))['latest_block_height']), Number(before) + 5)
})

test('demand 46: the first answer has a block', async (t) => {
  const { chain } = t.context
  const { latest_block_height: height, latest_block_hash: hash } = await status(chain)
  t.true(Number(height) >= 1)
  t.regex(hash ?? '', /^[0-9A-F]{64}$/)
})

test('demand 47: blocks come exactly at their interval', async (t) => {
  const { chain } = t.context
  const height = async () => Number((await status(chain))['latest_block_height'])
  every(chain, 2000n)
  const first = await height()
  for (let made = 0; made < 10; made++) {
    await chain.advance('1999ms')
    t.is(await height(), first + made)
    await chain.advance('1ms')
    t.is(await height(), first + made + 1)
  }
})

test('demand 49: three weeks pass in an instant, for both sides', async (t) => {
  const { chain } = t.context
  chain.mine()
  const before = await seconds(chain)
  chain.moveTime('504h')
  chain.mine()
  t.true((await seconds(chain)) - before >= 21 * 86_400)
})
