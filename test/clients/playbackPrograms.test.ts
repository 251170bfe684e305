/** Clients of many kinds, recorded on one chain at once, play against that traffic alone. */
import test from 'ava'
import { cast } from './playbackPrograms/all.ts'
import { playsAgain, recordCast } from './playbackPrograms/recorded.ts'

test('five clients see what they saw although each starts when it likes', async (t) => {
  t.timeout(180_000)
  const delays = [0, 900, 300, 1200, 0]
  const late = cast.map(([program, afterMs], index) => [program, afterMs + (delays[index] ?? 0)] as const)
  // On a busy machine, a client that polls can skip a block while it is recorded, and ask for it later. Nothing can answer
  // that, so another recording is made, at most twice.
  for (let left = 2; ; left -= 1) {
    const tried = await t.try(async (inner) => playsAgain(inner, await recordCast(cast), { cast: late }))
    if (tried.passed || left === 0) return tried.commit()
    tried.discard()
  }
})
