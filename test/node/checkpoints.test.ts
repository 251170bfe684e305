import { createHash } from 'node:crypto'
import fc from 'fast-check'
import test from 'ava'
import type { Chain } from '../../src/chain/chain.ts'
import { recordAt } from '../../src/chain/history.ts'
import { txByHash } from '../../src/chain/lookups.ts'
import { waiting } from '../../src/chain/mempool.ts'
import { createRandom } from '../../src/data/random.ts'
import { mapEntries } from '../../src/data/persistentMap.ts'
import { apply } from '../../src/node/apply.ts'
import type { NodeCommand } from '../../src/node/command.ts'
import { createNode } from '../../src/node/createNode.ts'
import type { Node } from '../../src/node/node.ts'
import type { World } from '../../src/node/world.ts'
import { profileSettings } from '../../src/settings/profiles.ts'
import { kvChain } from '../helpers/kvChain.ts'

const sha256 = (bytes: Uint8Array) => new Uint8Array(createHash('sha256').update(bytes).digest())
const bytes = (text: string) => new TextEncoder().encode(text)
const textOf = (tx: Uint8Array) => new TextDecoder().decode(tx)

function kvNode(): { world: World; node: Node } {
  const { world, chain } = kvChain()
  const full: World = {
    ...world,
    keyring: [],
    version: 'test',
    random: createRandom(bytes('seed'), sha256),
  }
  return {
    world: full,
    node: createNode(full, { ...profileSettings('local'), blocks: 'manual' }, chain.genesis),
  }
}

/** What a chain should be, as simple as can be said. */
type Model = {
  readonly blocks: readonly (readonly string[])[]
  readonly waiting: readonly string[]
  readonly seen: readonly string[]
  readonly offsetMs: bigint
}
type Saved = {
  readonly id: string
  readonly model: Model
  readonly digest: string
  readonly chain: Chain
}
type State = { readonly node: Node; readonly model: Model; readonly saved: readonly Saved[] }

const empty: Model = { blocks: [], waiting: [], seen: [], offsetMs: 0n }

/** Everything that a client could ask about a chain, as text. */
function contents({ height, mempool, history, clock, app }: Chain): string {
  const blocks: string[] = []
  for (let at = 1n; at <= height; at++) {
    const record = recordAt(history, at)
    blocks.push(
      `${Buffer.from(record?.id.hash ?? []).toString('hex')} ${record?.block.txs.map(textOf).join(',')} ${record?.block.header.time.seconds}`,
    )
  }
  return [
    ...blocks,
    waiting(mempool)
      .map(({ tx }) => textOf(tx))
      .join(','),
    clock.offsetMs,
    [...mapEntries(app.edits)].join(';'),
  ].join('\n')
}

type Act =
  | { readonly type: 'send'; readonly text: string }
  | { readonly type: 'mine'; readonly count: number }
  | { readonly type: 'move'; readonly ms: bigint }
  | { readonly type: 'save' }
  | { readonly type: 'restore'; readonly which: number }

const act: fc.Arbitrary<Act> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      type: fc.constant('send' as const),
      text: fc
        .tuple(fc.integer({ min: 0, max: 9 }), fc.integer({ min: 0, max: 4 }))
        .map(([key, value]) => `k${key}=${value}`),
    }),
  },
  { weight: 3, arbitrary: fc.record({ type: fc.constant('mine' as const), count: fc.integer({ min: 1, max: 3 }) }) },
  {
    weight: 1,
    arbitrary: fc.record({ type: fc.constant('move' as const), ms: fc.bigInt({ min: 1n, max: 100_000n }) }),
  },
  { weight: 2, arbitrary: fc.constant({ type: 'save' as const }) },
  {
    weight: 2,
    arbitrary: fc.record({ type: fc.constant('restore' as const), which: fc.nat({ max: 5 }) }),
  },
)

function play(world: World, state: State, one: Act): State {
  const run = (command: NodeCommand) => apply(world, state.node, command)
  const { model, saved } = state
  switch (one.type) {
    case 'send': {
      const { node } = run({ type: 'submitTx', tx: bytes(one.text), mode: 'admit' })
      if (model.seen.includes(one.text)) return { ...state, node }
      return {
        ...state,
        node,
        model: { ...model, waiting: [...model.waiting, one.text], seen: [...model.seen, one.text] },
      }
    }
    case 'mine': {
      const made = Array.from({ length: one.count }, (_, index) => (index === 0 ? model.waiting : []))
      return {
        ...state,
        node: run({ type: 'produceBlock', count: one.count }).node,
        model: { ...model, blocks: [...model.blocks, ...made], waiting: [] },
      }
    }
    case 'move':
      return {
        ...state,
        node: run({ type: 'advanceTime', ms: one.ms }).node,
        model: { ...model, offsetMs: model.offsetMs + one.ms },
      }
    case 'save': {
      const { node, outcome } = run({ type: 'checkpoint' })
      const id = outcome.type === 'id' ? outcome.id : ''
      return {
        ...state,
        node,
        saved: [...saved, { id, model, digest: contents(node.chain), chain: node.chain }],
      }
    }
    case 'restore': {
      const target = saved[one.which]
      if (target === undefined) return state
      return {
        node: run({ type: 'restore', id: target.id }).node,
        model: target.model,
        saved: saved.slice(0, one.which),
      }
    }
  }
}

function agrees({ chain }: Node, model: Model): boolean {
  const blocks = Array.from({ length: Number(chain.height) }, (_, index) =>
    recordAt(chain.history, BigInt(index + 1))?.block.txs.map(textOf),
  )
  const found = model.blocks.flat().every((text) => {
    const indexed = txByHash(chain.history, sha256(bytes(text)))
    return indexed !== undefined && textOf(indexed.tx) === text
  })
  const unfound = model.waiting.every((text) => txByHash(chain.history, sha256(bytes(text))) === undefined)
  return (
    JSON.stringify(blocks) === JSON.stringify(model.blocks) &&
    found &&
    unfound &&
    chain.clock.offsetMs === model.offsetMs &&
    JSON.stringify(waiting(chain.mempool).map(({ tx }) => textOf(tx))) === JSON.stringify(model.waiting)
  )
}

test('any list of commands leaves the chain that a plain model says, and no checkpoint changes', (t) => {
  fc.assert(
    fc.property(fc.array(act, { maxLength: 40 }), (acts) => {
      const { world, node } = kvNode()
      let state: State = { node, model: empty, saved: [] }
      const ever: Saved[] = []
      for (const one of acts) {
        const before = state.saved.length
        state = play(world, state, one)
        if (one.type === 'save' && state.saved.length > before) ever.push(...state.saved.slice(-1))
        if (!agrees(state.node, state.model)) return false
      }
      // Every chain that was ever held is as it was, whatever came after it.
      return ever.every(({ chain, digest }) => contents(chain) === digest)
    }),
    { seed: 7, numRuns: 150 },
  )
  t.pass()
})

test('the same commands give the same bytes', (t) => {
  fc.assert(
    fc.property(fc.array(act, { maxLength: 25 }), (acts) => {
      const { world, node } = kvNode()
      const end = () => acts.reduce((state, one) => play(world, state, one), { node, model: empty, saved: [] } as State)
      const [first, second] = [end(), end()]
      return contents(first.node.chain) === contents(second.node.chain)
    }),
    { seed: 8, numRuns: 40 },
  )
  t.pass()
})

test('once a chain has gone back, a checkpoint holds no block that was mined after it', (t) => {
  const { world, node } = kvNode()
  const after = (before: Node, ...commands: readonly NodeCommand[]) =>
    commands.reduce((one, command) => apply(world, one, command).node, before)
  const mine: NodeCommand = { type: 'produceBlock', count: 3 }
  const save: NodeCommand = { type: 'checkpoint' }
  const forward = after(node, mine, save, mine)
  t.is(forward.checkpoints[0]?.chain.history.records.storage, forward.chain.history.records.storage)
  const later = after(forward, { type: 'restore', id: forward.checkpoints[0]?.id ?? '' }, mine, save, mine, mine)
  t.is(later.chain.height, 12n)
  const [checkpoint] = later.checkpoints
  t.truthy(checkpoint)
  if (checkpoint === undefined) return
  const { records, states, events, blockEvents, logs } = checkpoint.chain.history
  for (const { length, storage } of [records, states, events]) t.deepEqual([length, storage.length], [6, 6])
  for (const { limit, layer } of [blockEvents, logs]) t.is(layer.limit, limit)
})
