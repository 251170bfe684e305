import test from 'ava'
import { reloadStorm } from './helpers/reloadStorm.ts'

test('two hundred saves while transactions come lose, double and cut nothing, and replay', async (t) => {
  t.timeout(20 * 60_000)
  await reloadStorm(t, 200)
})
