import test from 'ava'
import { replayText } from '../../src/shell/replayer.ts'
import { plantedBugs } from './plantedBugs.ts'
import { recordingOf, stormIn } from './recording.ts'
import { shrink } from './shrink.ts'
import { runStorm, stormOf } from './storm.ts'

/** What the storm says of each planted bug. */
const symptoms: Readonly<Record<string, RegExp>> = {
  'an entry is acknowledged before it is on disk': /was acknowledged, after the crash the last one is/,
  'the folder of a renamed file is not synced':
    /was acknowledged|does not belong to the state file|not what entry|continues from it/,
  'a failed sync is taken for a success': /was acknowledged|truncated|damaged|does not belong to the state file/,
  'the rest of a short write is forgotten': /was acknowledged|truncated|damaged|expected a state file/,
  'an event is pushed twice': /a subscriber received blocks/,
  'an event is lost': /a subscriber received blocks/,
  'a reply is dropped': /was answered 0 times|was not answered/,
  'a reply comes twice': /was answered 2 times/,
  'the REST API shows the balance of another account': /the interfaces name different balances/,
  'every block mints a token without counting it': /the supply of atest is/,
  'a block depends on how many blocks the process has made':
    /is not that of a replay|a replay gives|not what entry|gives a different block/,
  'the file of old blocks is not synced': /expected at least \d+ bytes|are damaged|file not found/,
  'old blocks on disk are read from another place':
    /a replay gives|is not that of a replay|was answered with|different|not what entry|incident \d+|output failed/,
  'a fork adds a wei to the balances of the other chain': /the fork at \d+ gives another balance/,
  'a long read sees the state at its end': /a long read was answered with/,
  'REST does not find Cosmos transactions': /the interfaces name different results/,
  'a connection is kept when its client has left': /expected at most \d connections/,
}

/** Longer storms than those of most seeds, because a bug has only so many of them. */
const [seedsMost, steps] = [60, 25]

/** Where to begin looking, and the way from one seed to the next, for bugs that few storms can find. */
const firstSeeds: Readonly<Record<string, readonly [number, number]>> = {
  'the file of old blocks is not synced': [570, 10],
  'old blocks on disk are read from another place': [290, 10],
  'a failed sync is taken for a success': [26, 1],
  'an event is lost': [11, 1],
}

for (const [bug, plant] of Object.entries(plantedBugs)) {
  test.serial(`a storm finds a planted bug: ${bug}`, async (t) => {
    const [first, stride] = firstSeeds[bug] ?? [1, 1]
    for (let seed = first; seed < first + seedsMost * stride; seed += stride) {
      const failure = await runStorm(stormOf(seed, steps), plant())
      if (failure === undefined) continue
      t.regex(failure.why, symptoms[bug] ?? /^$/)
      t.log(`seed ${seed}, step ${failure.step}: ${failure.why.slice(0, 150)}`)
      return
    }
    t.fail(`${seedsMost} seeds have not found it`)
  })
}

test.serial(
  'a failing storm is shrunk to the steps that it takes, and its recording replays and runs again',
  async (t) => {
    const plant = () => plantedBugs['an event is pushed twice']?.() ?? {}
    for (let seed = 1; ; seed++) {
      const storm = stormOf(seed, steps)
      const failure = await runStorm(storm, plant())
      if (failure === undefined) continue
      const shrunk = await shrink(storm, failure, plant())
      t.true(shrunk.storm.steps.length < failure.step, `${shrunk.storm.steps.length} of ${failure.step} steps are left`)
      const kinds = new Set(shrunk.storm.steps.map((step) => step.do))
      t.true(kinds.has('subscribe'))
      const text = recordingOf(shrunk)
      t.is((await replayText(text)).difference, undefined)
      t.deepEqual(stormIn(text).steps, shrunk.storm.steps)
      t.regex((await runStorm(stormIn(text), plant()))?.why ?? '', /a subscriber received blocks/)
      t.is(await runStorm(stormIn(text)), undefined, 'without the bug everything holds')
      return
    }
  },
)
