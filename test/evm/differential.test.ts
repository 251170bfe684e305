import test from 'ava'
import { compare } from '../helpers/differential.ts'
import { testEngine } from '../helpers/engine.ts'

test('400 random transactions end as in @ethereumjs/vm: status, gas, logs and state root', async (t) => {
  const engine = testEngine()
  for (let seed = 1; seed <= 20; seed += 1) t.is(await compare(engine, seed, 20), undefined)
})
