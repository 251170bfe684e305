/** Clients of many kinds, each recorded alone, then all at once, play against their own traffic. */
import test from 'ava'
import { cast, programs } from './playbackPrograms/all.ts'
import { type Cast, playsAgain } from './playbackPrograms/recorded.ts'

for (const [name, program] of Object.entries(programs)) {
  test.serial(`${name} sees in playback what it saw of the chain`, async (t) => {
    t.timeout(180_000)
    const alone: Cast = [[program, 0]]
    await playsAgain(t, alone, { cast: alone })
  })
}

for (const scale of [0.5, 1, 4]) {
  test.serial(`five clients see what they saw, at ${scale} times the speed`, async (t) => {
    t.timeout(180_000)
    // Who is four times as fast reads blocks that nobody read then.
    await playsAgain(t, cast, { cast, isWhole: scale > 1, options: { scale } })
  })
}
