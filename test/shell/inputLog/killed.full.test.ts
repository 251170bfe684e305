import test from 'ava'
import { killNodes } from '../../helpers/killedNodes.ts'

// The longer a chain, the more each start has to check: several homes are as many moments in less time.
test('after kill -9 at 200 moments, while it shortens its log too, a node has what it acknowledged', async (t) => {
  t.timeout(20 * 60_000)
  for (let home = 0; home < 8; home += 1) {
    await killNodes(t, {
      times: 25,
      after: (round) => (home * 50 + round * 61) % 397,
      data: (round) => (round % 4 === 0 ? '0x' : `0x${'00'.repeat(40_000)}`),
    })
    t.log(`home ${home + 1} of 8`)
  }
})
