import test from 'ava'
import type { Application } from '../../src/app/application.ts'
import type { Chain, ChainWorld } from '../../src/chain/chain.ts'
import { recordAt } from '../../src/chain/history.ts'
import type { ChainCommand } from '../../src/chain/command.ts'
import { heldByComet, waiting } from '../../src/chain/mempool.ts'
import type { Submitted } from '../../src/chain/outcome.ts'
import { step } from '../../src/chain/step.ts'
import { kvChain } from '../helpers/kvChain.ts'
import { nonceApp } from '../helpers/nonceApp.ts'

type Given = NonNullable<Parameters<typeof kvChain>[0]>

function start(app: Application, given: Given = {}): { world: ChainWorld; chain: Chain } {
  const { world, chain } = kvChain({ policy: { mode: 'manual' }, ...given })
  return { world: { ...world, app }, chain }
}

const bytes = (text: string) => new TextEncoder().encode(text)
const textOf = (tx: Uint8Array) => new TextDecoder().decode(tx)

function run(world: ChainWorld, chain: Chain, command: ChainCommand): Chain {
  return step(world, chain, command, 0n).chain
}

function submit(
  world: ChainWorld,
  chain: Chain,
  text: string,
): {
  chain: Chain
  said: string
  submitted: Submitted
  events: string[]
  wantsBlock: boolean
} {
  const {
    chain: next,
    outcome,
    events,
    then,
  } = step(world, chain, { type: 'submitTx', tx: bytes(text), mode: 'admit' }, 0n)
  if (outcome.type !== 'submitted') throw new Error(outcome.type)
  const said =
    outcome.refusal ?? (outcome.check?.code === 0 ? (outcome.admitted ? 'ok' : 'gone') : (outcome.check?.log ?? ''))
  return {
    chain: next,
    said,
    submitted: outcome,
    events: events.map(({ type }) => type),
    wantsBlock: then.length > 0,
  }
}

function submitAll(world: ChainWorld, chain: Chain, texts: readonly string[]): Chain {
  return texts.reduce((before, text) => submit(world, before, text).chain, chain)
}

const shown = ({ mempool }: Chain) =>
  waiting(mempool).map(({ tx, queued, held }) => `${textOf(tx)}${queued ? '?' : ''}${held ? '*' : ''}`)
const included = ({ history }: Chain, height: number) => recordAt(history, BigInt(height))?.block.txs.map(textOf)

// The order and the words of comet-rpc.md §6.1.
const refusing = test.macro({
  title: (_given, limits: object, texts: readonly string[], said: string) =>
    `${Object.entries(limits).join(' ')}: of ${texts.join(' ')} the last is told "${said}"`,
  exec: (t, limits: NonNullable<Given['limits']>, texts: readonly string[], said: string) => {
    const { world, chain } = start(nonceApp(), { limits })
    const before = submitAll(world, chain, texts.slice(0, -1))
    t.is(submit(world, before, texts.at(-1) ?? '').said, said)
  },
})
test(refusing, {}, ['a:0'], 'ok')
test(refusing, {}, ['a:0', 'a:0'], 'tx already exists in cache')
test(refusing, {}, ['a:1'], 'expected 0, got 1')
test(refusing, {}, ['nothing'], 'no transaction')
test(refusing, {}, ['a:1', 'a:1'], 'expected 0, got 1')
test(refusing, { keepInvalid: true }, ['a:1', 'a:1'], 'tx already exists in cache')
test(
  refusing,
  { size: 1 },
  ['a:0', 'b:0'],
  'mempool is full: number of txs 1 (max: 1), total txs bytes 3 (max: 1000000)',
)
test(
  refusing,
  { size: 1 },
  ['a:0', 'a:0'],
  'mempool is full: number of txs 1 (max: 1), total txs bytes 3 (max: 1000000)',
)
test(
  refusing,
  { maxTxsBytes: 5n },
  ['a:0', 'b:0'],
  'mempool is full: number of txs 1 (max: 5000), total txs bytes 3 (max: 5)',
)
test(refusing, { maxTxBytes: 3 }, ['a:10'], 'Tx too large. Max size is 3, but got 4')
test(refusing, { cacheSize: 1 }, ['a:0', 'b:0', 'a:0'], 'expected 1, got 0')
test(refusing, { cacheSize: 2 }, ['a:0', 'b:0', 'a:0', 'c:0', 'a:0'], 'tx already exists in cache')

test('a transaction that fits no block is told so before the cache is asked', (t) => {
  const { world, chain } = start(nonceApp(), { limits: { maxTxBytes: 5000 } })
  const small: Chain = {
    ...chain,
    consensusParams: { ...chain.consensusParams, block: { maxBytes: 1000n, maxGas: -1n } },
  }
  // 1000 - 11 - 626 - 94 - 111 for the one validator.
  t.is(submit(world, small, `a:0:${'1'.repeat(200)}`).said, 'tx pre check: tx size is too big: 207, max: 158')
})

test('more gas than a block has passes its check and is gone all the same', (t) => {
  const { world, chain } = start(nonceApp({ gasWanted: 101n }))
  const small: Chain = {
    ...chain,
    consensusParams: { ...chain.consensusParams, block: { maxBytes: 10_000n, maxGas: 100n } },
  }
  const { said, chain: after } = submit(world, small, 'a:0')
  t.is(said, 'gone')
  t.deepEqual(shown(after), [])
})

test('after a block a good transaction stays in the cache and a failed one may come again', (t) => {
  const { world, chain } = start(nonceApp())
  const mined = run(world, submitAll(world, chain, ['a:0', 'b:0:1:1!']), { type: 'produceBlock' })
  t.deepEqual(included(mined, 1), ['a:0', 'b:0:1:1!'])
  t.is(submit(world, mined, 'a:0').said, 'tx already exists in cache')
  t.is(submit(world, mined, 'b:0:1:1!').said, 'expected 1, got 0')
})

test('what a block makes invalid leaves with the recheck, unless there is none', (t) => {
  const { world, chain } = start(nonceApp(), { limits: { recheck: false } })
  const one = submit(world, chain, 'a:0')
  const held = run(world, one.chain, { type: 'holdTx', hash: one.submitted.hash, held: true })
  // Without a recheck the block forgets that the held one was checked, so another of its nonce
  // passes.
  const rival = submit(world, run(world, held, { type: 'produceBlock' }), 'a:0:20')
  t.is(rival.said, 'ok')
  const stale = run(world, rival.chain, { type: 'produceBlock' })
  t.deepEqual(shown(stale), ['a:0*'])
  const checking: ChainWorld = { ...world, limits: { ...world.limits, recheck: true } }
  const { chain: clean, events } = step(checking, stale, { type: 'produceBlock' }, 0n)
  t.deepEqual(shown(clean), [])
  t.like(events.at(-1), { type: 'txEvicted', why: 'recheck' })
  t.is(submit(checking, clean, 'a:0').said, 'expected 1, got 0')
})

test('a transaction beyond a gap waits without a block, and the gap that closes brings both in order', (t) => {
  const { world, chain } = start(nonceApp({ pooled: true }), { policy: { mode: 'auto' } })
  const gapped = submit(world, chain, 'a:1')
  t.is(gapped.said, 'ok')
  t.false(gapped.wantsBlock)
  t.deepEqual(shown(gapped.chain), ['a:1?'])
  const further = submit(world, gapped.chain, 'a:2').chain
  const closed = submit(world, further, 'a:0')
  t.true(closed.wantsBlock)
  t.deepEqual(closed.events, ['txAccepted', 'txAccepted', 'txAccepted'])
  t.deepEqual(shown(closed.chain), ['a:1', 'a:2', 'a:0'])
  t.deepEqual(included(run(world, closed.chain, { type: 'produceBlock', ifWaiting: true }), 1), ['a:0', 'a:1', 'a:2'])
})

test('a higher fee and tip replace by ten percent at least, and the order in the block holds', (t) => {
  const { world: given, chain } = start(nonceApp({ pooled: true }), { limits: { priceBumpPercent: 10n } })
  const before = submitAll(given, chain, ['a:0:100:100', 'a:1:100:100'])
  for (const text of ['a:0:100:200', 'a:0:200:100', 'a:0:109:110', 'a:0:105:105']) {
    t.is(submit(given, before, text).said, 'replacement transaction underpriced', text)
  }
  const { said, events, chain: after } = submit(given, before, 'a:0:110:110')
  t.is(said, 'ok')
  t.deepEqual(events, ['txReplaced', 'txAccepted'])
  t.deepEqual(shown(after).toSorted(), ['a:0:110:110', 'a:1:100:100'])
  t.is(submit(given, after, 'a:0:100:100').said, 'tx already exists in cache')
  t.deepEqual(included(run(given, after, { type: 'produceBlock' }), 1), ['a:0:110:110', 'a:1:100:100'])
})

test('ten percent more is rounded down to whole wei, as wallets and geth compute it', (t) => {
  const { world: given, chain } = start(nonceApp({ pooled: true }), { limits: { priceBumpPercent: 10n } })
  const before = submitAll(given, chain, ['a:0:1000000007:15'])
  for (const text of ['a:0:1100000006:16', 'a:0:1100000007:15']) {
    t.is(submit(given, before, text).said, 'replacement transaction underpriced', text)
  }
  t.is(submit(given, before, 'a:0:1100000007:16').said, 'ok')
})

test("what is promoted or replaces never enters CometBFT's mempool, which keeps what was replaced", (t) => {
  const { world, chain } = start(nonceApp({ pooled: true }), { limits: { priceBumpPercent: 10n } })
  const held = ({ mempool }: Chain) => heldByComet(mempool).map(({ tx }) => textOf(tx))
  const promoted = submitAll(world, chain, ['a:1:100:100', 'a:0:100:100'])
  t.deepEqual(held(promoted), ['a:0:100:100'])
  t.is(submit(world, promoted, 'a:1:100:100').said, 'already known')
  const replaced = submitAll(world, promoted, ['a:0:200:200', 'a:0:400:400'])
  t.deepEqual(held(replaced), ['a:0:100:100'])
  t.is(submit(world, replaced, 'a:0:400:400').said, 'already known')
  t.deepEqual(held(run(world, replaced, { type: 'produceBlock' })), [])
})

test('a dropped transaction is as if it had never come', (t) => {
  const { world, chain } = start(nonceApp())
  const one = submit(world, chain, 'a:0')
  const { chain: none, outcome } = step(world, one.chain, { type: 'dropTx', hash: one.submitted.hash }, 0n)
  t.deepEqual(outcome, { type: 'dropped', found: true })
  t.is(submit(world, none, 'a:0').said, 'ok')
  t.deepEqual(step(world, none, { type: 'dropTx', hash: one.submitted.hash }, 0n).outcome, {
    type: 'dropped',
    found: false,
  })
})

test('flushing forgets everything, and what was checked too unless it is to be kept', (t) => {
  const { world, chain } = start(nonceApp())
  const one = submit(world, chain, 'a:0').chain
  t.is(submit(world, run(world, one, { type: 'flushMempool' }), 'a:0').said, 'ok')
  t.is(submit(world, run(world, one, { type: 'flushMempool', keepChecks: true }), 'a:0').said, 'expected 1, got 0')
})

test('a held transaction is in no block until it is let go, which asks for one', (t) => {
  const { world, chain } = start(nonceApp())
  const one = submit(world, chain, 'a:0')
  const held = run(world, one.chain, { type: 'holdTx', hash: one.submitted.hash, held: true })
  t.is(run(world, held, { type: 'produceBlock', ifWaiting: true }).height, 0n)
  const automatic = run(world, held, { type: 'setBlockPolicy', policy: { mode: 'auto' } })
  const { chain: free, then } = step(world, automatic, { type: 'holdTx', hash: one.submitted.hash, held: false }, 0n)
  t.deepEqual(then, [{ type: 'produceBlock', ifWaiting: true }])
  t.deepEqual(included(run(world, free, { type: 'produceBlock', ifWaiting: true }), 1), ['a:0'])
})

test('a check leaves the mempool alone, but not the state that later checks see', (t) => {
  const { world, chain } = start(nonceApp())
  const { chain: checked, outcome } = step(world, chain, { type: 'submitTx', tx: bytes('a:0'), mode: 'check' }, 0n)
  t.like(outcome, { type: 'submitted', admitted: false, refusal: undefined, check: { code: 0 } })
  t.deepEqual(shown(checked), [])
  t.is(submit(world, checked, 'a:0').said, 'expected 1, got 0')
  t.is(submit(world, run(world, checked, { type: 'produceBlock' }), 'a:0').said, 'ok')
})
