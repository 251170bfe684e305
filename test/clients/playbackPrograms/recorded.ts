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

type Recorded = { readonly seen: readonly unknown[]; readonly library: Library }

const origin = { version: '1', recordedAt: '2026-01-01T00:00:00Z', level: 0 } as const

/**
 * Resolves with what programs saw at once on one chain, and the traffic of that; where it is whole,
 * with every block, as `chainstage record` has it.
 */
async function recordCast(cast: Cast, isWhole = false): Promise<Recorded> {
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
  return { seen, library: readFolder(writeFolder(importTap(lines.join('\n'), cometNames), origin), cometNames) }
}

async function play(cast: Cast, where: Where): Promise<readonly unknown[]> {
  return await Promise.all(
    cast.map(async ([program, afterMs]) => {
      await sleep(afterMs)
      return await program(where)
    }),
  )
}

/** `isWhole` records every block. */
type Playing = { readonly cast: Cast; readonly isWhole?: boolean; readonly options?: Partial<PlayerOptions> }

/**
 * In playback each recorded program sees what it saw, whenever it starts, and asks for nothing unknown.
 *
 * On a busy machine, a client that polls can skip a block while it is recorded, and ask for it later.
 * Nothing can answer that, so another recording is made, at most twice.
 */
export async function playsAgain(
  t: ExecutionContext,
  recorded: Cast,
  { cast, isWhole = false, options = {} }: Playing,
): Promise<void> {
  for (let left = 2; ; left -= 1) {
    const tried = await t.try(async (inner) => {
      const { seen, library } = await recordCast(recorded, isWhole)
      await using playing = await startPlayback(library, options)
      inner.deepEqual(await play(cast, playing.running.urls), seen)
      inner.deepEqual(playing.player.misses(), [])
    })
    if (tried.passed || left === 0) return tried.commit()
    tried.discard()
  }
}
