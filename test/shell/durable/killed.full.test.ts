import test from 'ava'
import { killWriters } from '../../helpers/killedWriters.ts'

test('after kill -9 at 200 moments of saving, recording, merging and packing every file is readable', async (t) => {
  await killWriters(t, 200)
})
