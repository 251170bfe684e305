import test from 'ava'
import { erc20Flow } from '../helpers/erc20Flow.ts'
import { startLocal } from '../helpers/server.ts'

test('200 sessions run the ERC-20 flow side by side, each alone with its chain', async (t) => {
  await using server = await startLocal()
  const before = process.memoryUsage().rss
  const amounts = Array.from({ length: 200 }, (_, index) => BigInt(index + 1))
  const seen = await Promise.all(amounts.map((amount) => erc20Flow(`${server.urls.eth}/s/flow-${amount}`, amount)))
  t.deepEqual(
    seen,
    amounts.map((balance) => ({ logs: 1, height: 3n, balance })),
  )
  t.is(server.simulation().node.chain.height, 1n)
  t.log(`memory of 200 sessions: ${((process.memoryUsage().rss - before) / 2 ** 20).toFixed(0)} MiB`)
})
