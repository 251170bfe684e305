import test from 'ava'
import { firstChain, parseGenesis } from '../../src/chain/genesis.ts'
import { nextBlockTime } from '../../src/chain/clock.ts'
import { step } from '../../src/chain/step.ts'
import { kvChain } from '../helpers/kvChain.ts'

const parsed = (document: object) => parseGenesis(JSON.stringify(document), new Uint8Array(32))

test('what a document leaves out has the defaults of CometBFT', (t) => {
  const { initialHeight, consensusParams, appState } = parsed({ chain_id: 'a' })
  t.is(initialHeight, 1n)
  t.deepEqual(consensusParams.block, { maxBytes: 22_020_096n, maxGas: -1n })
  t.deepEqual(appState, {})
})

test('a chain id that is missing or too long is refused by name', (t) => {
  t.throws(() => parsed({}), { code: 'INVALID_GENESIS', message: /chain_id/ })
  t.throws(() => parsed({ chain_id: 'x'.repeat(51) }), { code: 'INVALID_GENESIS', message: /chain_id/ })
  t.throws(() => parseGenesis('{', new Uint8Array(32)), { code: 'INVALID_GENESIS' })
})

test('a height, time or power that is none is refused by name', (t) => {
  t.throws(() => parsed({ chain_id: 'a', initial_height: 'x' }), { code: 'INVALID_GENESIS', message: /initial_height/ })
  t.throws(() => parsed({ chain_id: 'a', genesis_time: 'x' }), { code: 'INVALID_GENESIS', message: /genesis_time/ })
})

test('a chain may begin above height 1', (t) => {
  const { world, chain } = kvChain()
  const later = firstChain(world, { ...chain.genesis, initialHeight: 5n }, { policy: chain.policy, clock: chain.clock })
  t.is(step(world, later, { type: 'produceBlock', count: 2 }, 0n).chain.height, 6n)
})

test('time that is added before the first block counts from genesis, wherever the chain begins', (t) => {
  const { world, chain } = kvChain()
  const later = firstChain(world, { ...chain.genesis, initialHeight: 5n }, { policy: chain.policy, clock: chain.clock })
  const moved = step(world, later, { type: 'advanceTime', ms: 60_000n }, 0n).chain
  t.is(nextBlockTime(moved, 0n).seconds, chain.genesis.time.seconds + 60n)
})
