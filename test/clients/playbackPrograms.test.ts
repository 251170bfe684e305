/** Clients of many kinds, recorded on one chain at once, play against that traffic alone. */
import test from 'ava'
import { cast } from './playbackPrograms/all.ts'
import { playsAgain } from './playbackPrograms/recorded.ts'

test('five clients see what they saw although each starts when it likes', async (t) => {
  t.timeout(180_000)
  const delays = [0, 900, 300, 1200, 0]
  await playsAgain(t, cast, {
    cast: cast.map(([program, afterMs], index) => [program, afterMs + (delays[index] ?? 0)]),
  })
})
