import test from 'ava'
import type { Settings } from '../../src/settings/settings.ts'
import { agendaEntries } from '../../src/data/agenda.ts'
import { createNode } from '../../src/node/createNode.ts'
import { withPace } from '../../src/node/pace.ts'
import type { World } from '../../src/node/world.ts'
import { profileSettings } from '../../src/settings/profiles.ts'
import { kvChain } from '../helpers/kvChain.ts'

const settings: Settings = {
  ...profileSettings('documented'), timeoutCommit: '2s', timeoutPropose: '3s', timeoutProposeDelta: '500ms',
  timeoutPrecommit: '1s', timeoutPrecommitDelta: '250ms',
}

/** When the next interval block of four validators is due, of which the first proposers are down. */
function due(given: Partial<Settings>, downProposers: number): bigint[] {
  const { world: chainWorld, chain } = kvChain({ validators: 4 })
  const world = { ...chainWorld, keyring: [], version: 'test' } as unknown as World
  const node = createNode(world, { ...settings, ...given }, chain.genesis)
  const { validators, proposer } = node.chain.validators
  const first = validators[proposer]?.address ?? new Uint8Array(0)
  const down = new Set(downProposers > 0 ? [Buffer.from(first).toString('hex')] : [])
  const paced = withPace(world, { ...node, chain: { ...node.chain, down } })
  return [...agendaEntries(paced.agenda)].flatMap(({ timeMs, item }) =>
    (item.type === 'interval' && item.epoch === paced.intervalEpoch ? [timeMs] : []))
}

const paces = test.macro((t, given: Partial<Settings>, down: number, ms: bigint) => { t.deepEqual(due(given, down), [ms]) })

test('blocks are timeout_commit apart', paces, {}, 0, 2000n)
test('a proposer that is down costs its round', paces, {}, 1, 2000n + 4000n)
test('an interval is kept whatever the timeouts', paces, { interval: '700ms' }, 1, 700n)
test('a chain without a pause still lets time pass', paces, { timeoutCommit: '0s' }, 0, 1n)
