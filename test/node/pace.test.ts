import test from 'ava'
import type { Settings } from '../../src/settings/settings.ts'
import { incremented } from '../../src/chain/validators.ts'
import { agendaEntries } from '../../src/data/agenda.ts'
import { createNode } from '../../src/node/createNode.ts'
import { withPace } from '../../src/node/pace.ts'
import type { World } from '../../src/node/world.ts'
import { profileSettings } from '../../src/settings/profiles.ts'
import { kvChain } from '../helpers/kvChain.ts'
import { KvSimulation } from '../helpers/kvSimulation.ts'

const settings: Settings = {
  ...profileSettings('documented'),
  timeoutCommit: '2s',
  timeoutPropose: '3s',
  timeoutProposeDelta: '500ms',
  timeoutPrecommit: '1s',
  timeoutPrecommitDelta: '250ms',
}

/**
 * When the next interval block of seven validators is due, of which the first proposers are down.
 */
function due(given: Partial<Settings>, downProposers: number): bigint[] {
  const { world: chainWorld, chain } = kvChain({ validators: 7 })
  const world = { ...chainWorld, keyring: [], version: 'test' } as unknown as World
  const node = createNode(world, { ...settings, ...given }, chain.genesis)
  const proposers = Array.from({ length: downProposers }, (_, round) => {
    const { validators, proposer } = round === 0 ? node.chain.validators : incremented(node.chain.validators, round)
    return Buffer.from(validators[proposer]?.address ?? []).toString('hex')
  })
  const down = new Set(proposers)
  const paced = withPace(world, { ...node, chain: { ...node.chain, down } })
  return [...agendaEntries(paced.agenda)].flatMap(({ timeMs, item }) =>
    item.type === 'interval' && item.epoch === paced.intervalEpoch ? [timeMs] : [],
  )
}

const everySecond: Partial<Settings> = { blocks: 'interval', lazy: true, timeoutCommit: '1s' }
const tx = (text: string) => ({ type: 'submitTx', mode: 'admit', tx: new TextEncoder().encode(text) }) as const

/** The milliseconds at which blocks come in twelve seconds, with a transaction at 5.3 s. */
function times(given: Partial<Settings>): number[] {
  const chain = new KvSimulation({ settings: { ...everySecond, ...given } })
  const made: number[] = []
  for (let ms = 100; ms <= 12_000; ms += 100) {
    const before = chain.height
    chain.tick(100)
    if (ms === 5300) chain.command(tx('a=b'))
    for (let height = before; height < chain.height; height++) made.push(ms)
  }
  return made
}

const comes = test.macro((t, given: Partial<Settings>, expected: number[]) => {
  t.deepEqual(times(given), expected)
})
const seconds = (...list: number[]) => list.map((second) => second * 1000)

test('blocks come empty', comes, {}, seconds(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12))
test(
  'without empty blocks there are the first, one with the transaction at once, and one with its app hash',
  comes,
  { createEmptyBlocks: false },
  [1000, 5300, 6300],
)
test(
  'an empty block comes after its interval, and the pause after it is kept',
  comes,
  { createEmptyBlocksInterval: '3s' },
  seconds(1, 5, 6, 7, 11),
)
test(
  'a transaction does not wait for the interval of empty blocks',
  comes,
  { createEmptyBlocksInterval: '1m' },
  [1000, 5300, 6300],
)
test(
  'the interval of empty blocks counts where there are none otherwise',
  comes,
  { createEmptyBlocks: false, createEmptyBlocksInterval: '2500ms' },
  [1000, 4500, 5500, 6500, 10_000],
)
test(
  'empty blocks are left out at an interval that was asked for too',
  comes,
  { createEmptyBlocks: false, interval: '2s' },
  [2000, 5300, 7300],
)

test('a chain that waits for a transaction goes on when it may make empty blocks again', (t) => {
  const chain = new KvSimulation({ settings: { ...everySecond, createEmptyBlocks: false } })
  chain.tick(10_000)
  t.is(chain.height, 1n)
  chain.command({ type: 'changeSettings', settings: { createEmptyBlocks: true } })
  chain.command({ type: 'setBlockPolicy', policy: { intervalMs: 500n } })
  chain.tick(1000)
  t.is(chain.height, 3n)
})

test('a chain that waits takes what a checkpoint brings back', (t) => {
  const chain = new KvSimulation({ settings: { ...everySecond, createEmptyBlocks: false } })
  chain.tick(1000)
  chain.command(tx('a=b'))
  chain.command({ type: 'checkpoint' })
  chain.tick(10_000)
  t.is(chain.height, 3n)
  chain.command({ type: 'restore', id: '0x1' })
  chain.tick(0)
  t.is(chain.height, 2n)
})

const paces = test.macro((t, given: Partial<Settings>, down: number, ms: bigint) => {
  t.deepEqual(due(given, down), [ms])
})

test('blocks are timeout_commit apart', paces, {}, 0, 2000n)
test('a proposer that is down costs its round', paces, {}, 1, 2000n + 4000n)
test('an interval is kept whatever the timeouts', paces, { interval: '700ms' }, 1, 700n)
test('a chain without a pause still lets time pass', paces, { timeoutCommit: '0s' }, 0, 1n)
test('skip_timeout_commit goes on at once', paces, { skipTimeoutCommit: true }, 0, 1n)
test('skip_timeout_commit waits where a precommit is missing', paces, { skipTimeoutCommit: true }, 1, 2000n + 4000n)
test('timeout_propose and its delta are waited for', paces, { timeoutPropose: '10s' }, 1, 2000n + 11_000n)
test('timeout_precommit is waited for', paces, { timeoutPrecommit: '5s' }, 1, 2000n + 8000n)
test('a second proposer that is down costs both deltas too', paces, {}, 2, 2000n + 4000n + 4750n)
test(
  'timeout_propose_delta is added to the second round',
  paces,
  { timeoutProposeDelta: '1s' },
  2,
  2000n + 4000n + 5250n,
)
test(
  'timeout_precommit_delta is added to the second round',
  paces,
  { timeoutPrecommitDelta: '1s' },
  2,
  2000n + 4000n + 5500n,
)
test(
  'prevotes are never split, so that timeout_prevote costs nothing',
  paces,
  { timeoutPrevote: '9s' },
  1,
  2000n + 4000n,
)
test(
  'where empty blocks are left out, the pause comes before the rounds of proposers that are down',
  paces,
  { createEmptyBlocks: false },
  1,
  2000n,
)
