/** Clients of many kinds, each recorded alone, then all at once, play against their own traffic. */
import test from 'ava'
import { cast, programs } from './playbackPrograms/all.ts'
import { playsAgain, recordCast } from './playbackPrograms/recorded.ts'

for (const [name, program] of Object.entries(programs)) {
  test.serial(`${name} sees in playback what it saw of the chain`, async (t) => {
    t.timeout(180_000)
    await playsAgain(t, await recordCast([[program, 0]]), { cast: [[program, 0]] })
  })
}

for (const scale of [0.5, 1, 4]) {
  test.serial(`five clients see what they saw, at ${scale} times the speed`, async (t) => {
    t.timeout(180_000)
    // Who is four times as fast reads blocks that nobody read then.
    await playsAgain(t, await recordCast(cast, scale > 1), { cast, options: { scale } })
  })
}
