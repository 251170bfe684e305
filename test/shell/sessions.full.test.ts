import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import test from 'ava'
import { erc20Flow } from '../helpers/erc20Flow.ts'
import { startLocal } from '../helpers/server.ts'

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

/** Resolves with the bytes in use after garbage was collected. */
async function inUse(): Promise<number> {
  await new Promise((go) => {
    setImmediate(go)
  })
  collect()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

test('200 sessions run the ERC-20 flow side by side, each alone with its chain', async (t) => {
  await using server = await startLocal({ maxSessions: 201 })
  await erc20Flow(`${server.urls.eth}/s/warm`, 1n)
  const before = await inUse()
  const amounts = Array.from({ length: 200 }, (_, index) => BigInt(index + 1))
  const seen = await Promise.all(amounts.map((amount) => erc20Flow(`${server.urls.eth}/s/flow-${amount}`, amount)))
  t.deepEqual(
    seen,
    amounts.map((balance) => ({ logs: 1, height: 3n, balance })),
  )
  t.is(server.simulation().node.chain.height, 1n)
  const left = await inUse()
  t.log(`memory of 200 sessions: ${((left - before) / 1e6).toFixed(1)} MB`)
  // A session shares the first state of the main chain and has three blocks of its own.
  t.true(left - before < 200 * 600_000, `${left - before} bytes`)
})
