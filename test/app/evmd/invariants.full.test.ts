import test from 'ava'
import { playRandom, replay } from '../../helpers/invariants.ts'

for (const seed of [1, 2, 3, 4, 5]) {
  test.serial(`10,000 random messages of seed ${seed} leave the books in order, twice the same`, (t) => {
    const { chain, steps, broken } = playRandom(seed, 10_000)
    t.deepEqual(broken, [])
    t.is(replay(steps), Buffer.from(chain.state.appHash).toString('hex'))
  })
}
