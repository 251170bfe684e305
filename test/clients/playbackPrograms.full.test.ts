/** Clients of many kinds, each recorded alone, play against their own traffic. */
import test from 'ava'
import { cometSockets } from './playbackPrograms/cometSockets.ts'
import { ethersSockets } from './playbackPrograms/ethersSockets.ts'
import { lateExplorer } from './playbackPrograms/lateExplorer.ts'
import { rawSockets } from './playbackPrograms/rawSockets.ts'
import { playsAgain, recordCast } from './playbackPrograms/recorded.ts'
import { viemFilters } from './playbackPrograms/viemFilters.ts'
import { web3Mixed } from './playbackPrograms/web3Mixed.ts'

const programs = { viemFilters, ethersSockets, web3Mixed, cometSockets, rawSockets, lateExplorer }

for (const [name, program] of Object.entries(programs)) {
  test(`${name} sees in playback what it saw of the chain`, async (t) => {
    t.timeout(120_000)
    const recorded = await recordCast([[program, 0]])
    await playsAgain(t, recorded, { cast: [[program, 0]] })
  })
}
