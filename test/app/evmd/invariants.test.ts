import test from 'ava'
import { playRandom, replay } from '../../helpers/invariants.ts'

test('2,000 random messages leave the books in order, twice the same', (t) => {
  const { chain, steps, broken, succeeded } = playRandom(7, 2000)
  t.deepEqual(broken, [])
  t.is(succeeded.size, 20, `succeeded: ${[...succeeded.keys()].join()}`)
  t.is(replay(steps), Buffer.from(chain.state.appHash).toString('hex'))
})
