/**
 * Clients are recorded on a chain of ours as raw traffic, and then play against that traffic alone.
 */
import type { ExecutionContext } from 'ava'
import { start } from '../../../src/index.ts'
import { readFolder } from '../../../src/recording/folder/readFolder.ts'
import { writeFolder } from '../../../src/recording/folder/writeFolder.ts'
import { importTap } from '../../../src/recording/playback/importTap.ts'
import type { Library } from '../../../src/recording/playback/library.ts'
import type { PlayerOptions } from '../../../src/recording/playback/player.ts'
import { cometNames } from '../../../src/shell/playback.ts'
import type { TapLine } from '../../../src/recording/playback/tapLine.ts'
import { startProxy } from '../../../src/shell/recordings/proxy.ts'
import { followTip } from '../../../src/shell/recordings/tip.ts'
import { startPlayback } from '../../helpers/playback.ts'
import { eventually } from '../../helpers/server.ts'
import { sleep, type Program, type Where } from './stage.ts'

/** Programs and when each starts, in ms after the first. */
export type Cast = readonly (readonly [Program, number])[]

export type Recorded = {
  readonly seen: readonly unknown[]
  readonly library: Library
  readonly text: string
}

const origin = { version: '1', recordedAt: '2026-01-01T00:00:00Z', level: 0 } as const

/**
 * Resolves with what programs saw at once on one chain, and the traffic of that; where it is whole,
 * with every block, as `chainstage record` has it.
 */
export async function recordCast(cast: Cast, isWhole = false): Promise<Recorded> {
  const chain = await start({ ports: 'free', settings: { profile: 'evmd', interval: '400ms' } })
  await eventually(() => chain.simulation().node.chain.height >= 4n)
  const lines = [JSON.stringify({ format: 'tap/1' })]
  const note = (line: TapLine) => {
    lines.push(JSON.stringify(line))
  }
  const upstreams = {
    comet: new URL(chain.urls.comet),
    eth: new URL(chain.urls.eth),
    ethWs: new URL(chain.urls.ethWs),
  }
  const proxy = await startProxy({
    upstreams,
    where: { comet: '127.0.0.1:0', eth: '127.0.0.1:0', ethWs: undefined },
    note,
    log: () => {},
  })
  const tip = isWhole ? followTip({ upstreams, everyMs: 200, level: 'blocks', nowMs: proxy.nowMs, note }) : undefined
  const seen = await play(cast, proxy.urls)
  await tip?.stop()
  await proxy.close()
  await chain.close()
  const text = lines.join('\n')
  return {
    seen,
    text,
    library: readFolder(writeFolder(importTap(text, cometNames), origin), cometNames),
  }
}

async function play(cast: Cast, where: Where): Promise<readonly unknown[]> {
  return await Promise.all(
    cast.map(async ([program, afterMs]) => {
      await sleep(afterMs)
      return await program(where)
    }),
  )
}

/** In playback each program sees what it saw, whenever it starts, and asks for nothing unknown. */
export async function playsAgain(
  t: ExecutionContext,
  { seen, library }: Recorded,
  { cast, options = {} }: { cast: Cast; options?: Partial<PlayerOptions> },
): Promise<void> {
  await using playing = await startPlayback(library, options)
  t.deepEqual(await play(cast, playing.running.urls), seen)
  t.deepEqual(playing.player.misses(), [])
}
