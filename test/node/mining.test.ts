/** Blocks that are mined in slices: what others see in between, and that nothing else changes. */
import test from 'ava'
import { plainHexOf } from '../../src/codec/hex.ts'
import { blocksPerSlice } from '../../src/node/mining.ts'
import type { Output } from '../../src/node/output.ts'
import type { Settings } from '../../src/settings/settings.ts'
import { chainDigest } from '../../src/simulation/digest.ts'
import { ethSimulation, localSimulation, type Asked, type Reply } from '../helpers/ethSimulation.ts'

const count = 3 * blocksPerSlice + 2
const start = (chain: Asked, method: string, ...params: unknown[]) =>
  chain.send(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }))
const replies = (outputs: readonly Output[]) => outputs.filter(({ kind }) => kind === 'reply')
const works = (outputs: readonly Output[]) => outputs.some((one) => one.kind === 'wake' && one.works === true)
const height = (chain: Asked) => Number(chain.call('eth_blockNumber').result)

/** Ticks until somebody is answered; returns the answers and the heights seen before each tick. */
function mined(chain: Asked): { readonly answers: readonly string[]; readonly seen: number[] } {
  const seen: number[] = []
  for (let ticks = 0; ticks < 10 * count; ticks++) {
    seen.push(height(chain))
    const answers = chain.tick(500).filter((text) => 'id' in (JSON.parse(text) as object))
    if (answers.length > 0) return { answers, seen }
  }
  throw new Error('nobody was answered')
}

test('a long job is answered with its last block, and others are answered before', (t) => {
  const chain = ethSimulation()
  const first = start(chain, 'anvil_mine', count)
  t.deepEqual(replies(first), [])
  t.true(works(first))
  const { answers, seen } = mined(chain)
  t.deepEqual(
    answers.map((text) => JSON.parse(text) as unknown),
    [{ jsonrpc: '2.0', id: 1, result: null }],
  )
  t.deepEqual(
    seen,
    [1, 2, 3].map((slices) => seen[0]! + (slices - 1) * blocksPerSlice),
  )
  t.is(height(chain), seen[0]! - blocksPerSlice + count)
  t.deepEqual(chain.simulation().node.mining, [])
})

test('a short job is answered at once', (t) => {
  const chain = ethSimulation()
  const outputs = start(chain, 'anvil_mine', blocksPerSlice)
  t.is(replies(outputs).length, 1)
  t.false(works(outputs))
})

const alike = test.macro((t, changed: Partial<Settings>, seconds: number | undefined) => {
  const sliced = localSimulation(changed)
  const whole = localSimulation(changed)
  sliced.tick(7)
  whole.tick(7)
  start(sliced, 'anvil_mine', count, seconds)
  mined(sliced)
  const gap = seconds === undefined ? {} : { gapMs: BigInt(seconds) * 1000n }
  whole.command({ type: 'produceBlock', count, ...gap })
  t.is(chainDigest(sliced.simulation().node), chainDigest(whole.simulation().node))
})

test('slices make the blocks that one moment would make, of simulated time', alike, {}, undefined)
test(
  'slices make the blocks that one moment would make, of wall time',
  alike,
  { time: 'wall', startTimeMs: 1_800_000_000_000 },
  undefined,
)
test('blocks of several slices are an interval apart', alike, {}, 12)

test('the same inputs give the same answers', (t) => {
  const run = () => {
    const chain = localSimulation()
    start(chain, 'anvil_mine', count)
    const sent = chain.call('eth_sendTransaction', {
      from: '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266',
      to: `0x${'11'.repeat(20)}`,
      value: '0x1',
    })
    const { answers } = mined(chain)
    return { sent, answers, digest: chainDigest(chain.simulation().node), height: height(chain) }
  }
  const first = run()
  t.deepEqual(run(), first)
  t.regex(String(first.sent.result), /^0x[0-9a-f]{64}$/)
  // The blocks that were asked for, the first block, and the block of the transaction.
  t.is(first.height, count + 2)
})

test('anvil_mine_detailed names the blocks of all slices', (t) => {
  const chain = localSimulation()
  start(chain, 'anvil_mine_detailed', { blocks: count })
  const [text = ''] = mined(chain).answers
  const { result } = JSON.parse(text) as Reply & { result: readonly { number: string }[] }
  t.deepEqual(
    result.map(({ number }) => Number(number)),
    Array.from({ length: count }, (_, index) => index + 2),
  )
})

test('a batch goes on when its long job is done', (t) => {
  const chain = ethSimulation()
  chain.send(
    JSON.stringify([
      { jsonrpc: '2.0', id: 1, method: 'anvil_mine', params: [count] },
      { jsonrpc: '2.0', id: 2, method: 'eth_blockNumber', params: [] },
    ]),
  )
  const base = height(chain) - blocksPerSlice
  for (let ticks = 0; ticks < 3; ticks++) {
    const [text] = chain.tick(1)
    if (text !== undefined) {
      t.is(ticks, 2)
      t.deepEqual(JSON.parse(text), [
        { jsonrpc: '2.0', id: 1, result: null },
        { jsonrpc: '2.0', id: 2, result: `0x${(base + count).toString(16)}` },
      ])
    }
  }
})

test('two jobs are done one after the other, and each caller is answered', (t) => {
  const chain = ethSimulation()
  const before = height(chain)
  start(chain, 'anvil_mine', count)
  start(chain, 'hardhat_mine', `0x${count.toString(16)}`)
  t.is((JSON.parse(mined(chain).answers[0] ?? '') as Reply).result, null)
  t.is((JSON.parse(mined(chain).answers[0] ?? '') as Reply).result, true)
  t.is(height(chain), before + 2 * count)
})

const meanwhile = 'meanwhile the chain was reset, restored or reloaded, or lacked a quorum'
const cutShort = `only ${blocksPerSlice} of ${count} blocks were mined: ${meanwhile}`

const toldOf = (outputs: readonly Output[]) =>
  outputs.flatMap((one) => (one.kind === 'reply' ? [(JSON.parse(one.body) as Reply).error?.message] : []))

test('a reset ends the job and tells its caller', (t) => {
  const chain = ethSimulation()
  start(chain, 'anvil_mine', count)
  const outputs = start(chain, 'anvil_reset')
  t.deepEqual(toldOf(outputs), [undefined, cutShort])
  t.false(works(outputs))
})

test('a revert ends the job and tells its caller; one to an unknown checkpoint does not', (t) => {
  const chain = ethSimulation()
  const { result } = chain.call('evm_snapshot')
  const at = height(chain)
  start(chain, 'anvil_mine', count)
  t.is(chain.call('evm_revert', '0x99').result, false)
  t.is(chain.simulation().node.mining?.length, 1)
  const outputs = start(chain, 'evm_revert', result)
  t.deepEqual(toldOf(outputs), [undefined, cutShort])
  t.false(works(outputs))
  chain.tick(500)
  t.is(height(chain), at)
})

test('a chain that loses its quorum ends the job', (t) => {
  const chain = localSimulation()
  start(chain, 'anvil_mine', count)
  const {
    validators: { validators },
  } = chain.simulation().node.chain
  const address = Buffer.from(validators[0]!.address).toString('hex').toUpperCase()
  chain.comet('set_signing_status', { private_key_address: address, status: 'down' })
  const at = height(chain)
  const { answers } = mined(chain)
  t.is(answers.length, 1)
  const { error } = JSON.parse(answers[0] ?? '') as Reply
  t.like(error, { code: -32000 })
  const why = 'the validators that sign have 0 of 1000 power; a block needs more than two thirds'
  t.is(error?.message, `only ${blocksPerSlice} of ${count} blocks were mined: ${why}`)
  t.is(height(chain), at)
})

test('a call that a halt cuts short says how many blocks it mined, and keeps them', (t) => {
  const chain = localSimulation()
  const first = height(chain)
  const plan = { name: 'v2', info: 'get it', height: BigInt(first + 3) }
  chain.command({ type: 'edit', edits: [{ type: 'planUpgrade', plan }] })
  const why = `UPGRADE "v2" NEEDED at height: ${first + 3}: get it`
  const told = (method: string, ...params: unknown[]) => chain.call(method, ...params).error?.message
  t.is(told('anvil_mine', 4), `only 2 of 4 blocks were mined: ${why}`)
  t.is(height(chain), first + 2)
  t.is(told('anvil_mine_detailed'), why)
  t.is(told('evm_increaseBlocks', '0x2'), why)
  const [reply] = chain.comet('advance_blocks', { num_blocks: '2' }).filter((one) => one.kind === 'reply')
  t.is((JSON.parse(reply?.body ?? '') as { error: { data: string } }).error.data, why)
  t.is(height(chain), first + 2)
})

test('a chain without a quorum mines nothing for clients and tells them, and the log says so once', (t) => {
  const chain = localSimulation({ validators: 3 })
  const addresses = chain.simulation().node.chain.validators.validators.map(({ address }) => plainHexOf(address))
  const [, second = ''] = addresses
  const set = (status: string) =>
    chain.comet('set_signing_status', { private_key_address: second.toUpperCase(), status })
  const mine = () => {
    const outputs = chain.send(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'evm_mine', params: [] }))
    const [answer] = outputs.flatMap((one) => (one.kind === 'reply' ? [one.body] : []))
    const lines = outputs.flatMap((one) => (one.kind === 'log' && one.level === 'warn' ? [one.text] : []))
    const { result, error } = JSON.parse(answer ?? '') as Reply
    return { result, told: error?.message, lines: lines.length, text: lines[0] ?? '' }
  }
  const before = height(chain)
  set('down')
  const first = mine()
  t.regex(first.text, /^no block was mined: the validators that sign have 2000 of 3000 power; a block needs more than/)
  const why = 'the validators that sign have 2000 of 3000 power; a block needs more than two thirds'
  t.like(first, { result: undefined, told: why, lines: 1 })
  t.like(mine(), { result: undefined, told: why, lines: 0 })
  t.is(height(chain), before)
  set('up')
  t.like(mine(), { result: '0x0', lines: 0 })
  set('down')
  t.like(mine(), { told: why, lines: 1 })
})

test('the last block before an upgrade logs that the chain halts', (t) => {
  const chain = localSimulation()
  const last = height(chain) + 2
  const plan = { name: 'v2', info: 'get it', height: BigInt(last + 1) }
  chain.command({ type: 'edit', edits: [{ type: 'planUpgrade', plan }] })
  const warnings = () =>
    start(chain, 'anvil_mine', 2).flatMap((one) => (one.kind === 'log' && one.level === 'warn' ? [one.text] : []))
  const [text, ...others] = warnings()
  t.deepEqual(others, [])
  t.true(text?.startsWith(`the chain halts after block ${last}: UPGRADE "v2" NEEDED at height: ${last + 1}: get it (`))
  t.deepEqual(warnings(), [])
  t.is(height(chain), last)
})

test('progress of a very long job is logged at every tenth', (t) => {
  const chain = ethSimulation()
  start(chain, 'anvil_mine', 1000)
  const lines: string[] = []
  while ((chain.simulation().node.mining ?? []).length > 0) {
    for (const one of chain.outputs(1)) if (one.kind === 'log') lines.push(one.text)
  }
  t.deepEqual(
    lines,
    Array.from({ length: 9 }, (_, tenth) => `mined ${(tenth + 1) * 100} of 1000 blocks`),
  )
})
