import test from 'ava'
import { compare } from '../helpers/differential.ts'
import { testEngine } from '../helpers/engine.ts'

test('20,000 random transactions end as in @ethereumjs/vm: status, gas, logs and state root', async (t) => {
  const engine = testEngine()
  for (let seed = 1_001; seed <= 1_800; seed += 1) t.is(await compare(engine, seed, 25), undefined)
})
