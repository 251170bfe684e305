/** How calls are counted by method. */
import test from 'ava'
import { localSimulation } from '../helpers/ethSimulation.ts'
import { countsOf, otherMethods, recentCalls } from '../../src/simulation/journal.ts'

test('every call is counted, also those that are no longer held', (t) => {
  const chain = localSimulation()
  for (let call = 0; call < 700; call++) chain.call(call % 7 === 0 ? 'eth_chainId' : 'eth_blockNumber')
  const { journal } = chain.simulation()
  t.deepEqual(
    [...countsOf(journal)],
    [
      ['eth_chainId', 100],
      ['eth_blockNumber', 600],
    ],
  )
  t.true(recentCalls(journal).length < 700)
})

test('a client that makes up method names fills no memory: beyond 1,000 they are counted together', (t) => {
  const chain = localSimulation()
  for (let call = 0; call < 1600; call++) chain.call(`eth_madeUp${call}`)
  chain.call('eth_madeUp0')
  const counts = countsOf(chain.simulation().journal)
  t.true(counts.size <= 1001, `${counts.size} names`)
  t.is(counts.get('eth_madeUp0'), 2)
  t.is(counts.get(otherMethods), 600)
  t.is(
    [...counts.values()].reduce((sum, count) => sum + count, 0),
    1601,
  )
})
