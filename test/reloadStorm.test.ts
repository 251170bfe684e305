import test from 'ava'
import { reloadStorm } from './helpers/reloadStorm.ts'

test('twenty saves while transactions come lose, double and cut nothing, and replay', async (t) => {
  await reloadStorm(t, 20)
})
