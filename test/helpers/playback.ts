/** A recording that answers in the place of a chain, in this process, over real sockets. */
import { createPlayer, type Player, type PlayerOptions } from '../../src/recording/playback/player.ts'
import type { Library } from '../../src/recording/playback/library.ts'
import type { Settings } from '../../src/settings/settings.ts'
import { profileSettings } from '../../src/settings/profiles.ts'
import { createAnswering, type AnsweringOptions } from '../../src/shell/recordings/modes.ts'
import { createPlayback } from '../../src/shell/playback.ts'
import { run, type Running } from '../../src/shell/server.ts'
import { noPlan } from '../../src/plan/plan.ts'
import { freePorts } from './server.ts'

export type Playing = {
  readonly running: Running
  readonly player: Player
  readonly [Symbol.asyncDispose]: () => Promise<void>
}

/** Starts a playback on free ports. Dispose of it with `await using`. */
export async function startPlayback(
  library: Library,
  options: Partial<PlayerOptions> = {},
  settings: Partial<Settings> = {},
  answered: Partial<AnsweringOptions> = {},
): Promise<Playing> {
  const player = createPlayer(library, options)
  const answering = createAnswering({
    mode: 'strict',
    player,
    library: () => library,
    upstreams: { comet: undefined, eth: undefined, ethWs: undefined },
    note: () => {},
    maxDegraded: 0,
    ...answered,
  })
  const running = await run({
    settings: {
      ...profileSettings('local'),
      ...freePorts,
      blocks: 'manual',
      ...settings,
    },
    plan: noPlan,
    genesis: undefined,
    home: undefined,
    log: () => {},
    record: () => {},
    playing: { player, answering, createQueue: createPlayback },
  })
  return { running, player, [Symbol.asyncDispose]: running.close }
}
