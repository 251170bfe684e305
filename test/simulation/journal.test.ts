/** How calls are counted by method. */
import test from 'ava'
import { localSimulation } from '../helpers/ethSimulation.ts'
import { memoryInUse } from '../helpers/memoryInUse.ts'
import { callsSince, countsOf, emptyJournal, noted, otherMethods, recentCalls } from '../../src/simulation/journal.ts'

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

test('the journal does not hold the requests of which it shows a part', async (t) => {
  const chain = localSimulation()
  const filler = 'x'.repeat(200_000)
  const ask = (account: number) =>
    chain.send(
      JSON.stringify({
        ...{ jsonrpc: '2.0', id: 1, filler, method: 'eth_getBalance' },
        params: [`0x${String(account).padStart(40, '0')}`, 'latest'],
      }),
    )
  ask(0)
  const before = await memoryInUse()
  for (let account = 1; account <= 300; account++) ask(account)
  const grown = (await memoryInUse()) - before
  t.true(recentCalls(chain.simulation().journal).length >= 256)
  t.true(grown < 10e6, `${Math.round(grown / 1e6)} MB more, of 60 MB of requests`)
})

test('the journal does not hold the long URLs of which it shows a part', async (t) => {
  const chain = localSimulation()
  const ask = (query: number) => chain.get(`/abci_query?path="/store/bank/key"&data="${query}${'x'.repeat(200_000)}"`)
  ask(0)
  const before = await memoryInUse()
  for (let query = 1; query <= 300; query++) ask(query)
  const grown = (await memoryInUse()) - before
  t.true(recentCalls(chain.simulation().journal).length >= 256)
  t.true(grown < 10e6, `${Math.round(grown / 1e6)} MB more, of 60 MB of requests`)
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

test('the journal holds thousands of older calls for expectations, and tells when it has lost some', (t) => {
  const chain = localSimulation()
  chain.call('eth_chainId')
  const [call] = recentCalls(chain.simulation().journal)
  if (call === undefined) return t.fail('the call was not noted')
  let journal = emptyJournal
  for (let at = 0; at < 6000; at++) {
    journal = noted(journal, [{ ...call, timeMs: BigInt(at) }], ({ timeMs }) => timeMs % 2n === 0n)
  }
  const { calls, isWhole } = callsSince(journal, 100n)
  t.true(isWhole)
  t.is(calls.filter(({ timeMs }) => timeMs % 2n === 0n).length, 2950)
  for (let at = 6000; at < 16_000; at++) {
    journal = noted(journal, [{ ...call, timeMs: BigInt(at) }], ({ timeMs }) => timeMs % 2n === 0n)
  }
  t.false(callsSince(journal, 100n).isWhole)
  t.true(callsSince(journal, 12_000n).isWhole)
  t.true(callsSince(journal, 0n).calls.length < 5000)
})
