/**
 * Watches for saved files while a chain runs: a scenario with its imports, a home, or a recording.
 */
import { resolve } from 'node:path'
import { isExpected } from '../errors.ts'
import type { Chosen } from './cli/options.ts'
import { settingsChange } from '../settings/changes.ts'
import { assertDone } from './control/act.ts'
import { isBelow } from './paths.ts'
import type { Problems } from './problems.ts'
import type { Sinks } from './queue.ts'
import type { Reloader } from './reloader.ts'
import type { Running } from './server.ts'

export type Watching = { readonly close: () => Promise<void> }

/** Time after the last save until a reload, because a save may take several steps or files. */
const settleMs = 60

/**
 * Watches a scenario and reloads it on each save. An invalid file changes nothing and is reported.
 */
export function watchScenario(
  path: string,
  reloader: Reloader,
  { problems, log }: Pick<Teller, 'problems' | 'log'>,
): Promise<Watching> {
  return watchFiles([path, ...reloader.closure()], { log, problems, source: path }, async () => {
    await reloader.reload()
    return reloader.closure()
  })
}

/** Watches the files of a home. Applies the settings that can change live; reports the others. */
export async function watchHome(
  home: string,
  { settings, again, warnings }: Pick<Chosen, 'settings' | 'again' | 'warnings'>,
  running: () => Running,
  log: Sinks['log'],
): Promise<Watching> {
  let before = settings
  let told = new Set(await warnings())
  return watchFiles(
    ['config.toml', 'app.toml'].map((name) => resolve(home, 'config', name)),
    {
      log,
      problems: () => running().problems,
      source: home,
    },
    async () => {
      const after = await again()
      for (const text of await warnings()) if (!told.has(text)) log('warn', text)
      told = new Set(await warnings())
      const { live, later } = settingsChange(before, after)
      if (Object.keys(live).length > 0) {
        assertDone(await running().operate('reload', { type: 'changeSettings', settings: live, noted: {} }).settled)
        log(
          'info',
          `changed settings: ${Object.entries(live)
            .map(([name, value]) => `${name} = ${JSON.stringify(value)}`)
            .join(', ')}`,
        )
      }
      before = after
      if (later.length > 0) log('warn', `restart to apply ${later.join(', ')}`)
      return []
    },
  )
}

/**
 * Watches the patches and rules of a recording during a playback. It watches their folder to notice
 * new ones, but ignores the other files in it.
 */
export function watchRecording(
  {
    folder,
    reload,
    watched,
  }: {
    folder: string
    reload: () => Promise<void>
    watched: readonly string[]
  },
  running: () => Running,
  log: Sinks['log'],
): Promise<Watching> {
  const isForeign = (path: string) => {
    const given = resolve(path)
    if (given === resolve(folder)) return false
    return !watched.some((one) => given === resolve(one) || isBelow(resolve(one), given))
  }
  return watchFiles(
    [folder],
    {
      log,
      problems: () => running().problems,
      source: 'recording',
      isForeign,
    },
    async () => {
      await reload()
      log('info', 'reloaded the patches and rules of the recording')
      return []
    },
  )
}

type Teller = {
  readonly log: Sinks['log']
  readonly problems: () => Problems
  readonly source: string
  /** Returns whether a path below the watched paths is ignored. */
  readonly isForeign?: (path: string) => boolean
}

/** Calls `reload` after saves; it resolves with more files to watch. An error changes nothing. */
async function watchFiles(
  paths: readonly string[],
  { log, problems, source, isForeign = () => false }: Teller,
  reload: () => Promise<readonly string[]>,
): Promise<Watching> {
  const { watch } = await import('chokidar')
  const watcher = watch([...paths], { ignoreInitial: true, atomic: true, ignored: isForeign })
  let timer: NodeJS.Timeout | undefined
  const settled = () => {
    void reload().then(
      (more) => {
        watcher.add([...more])
        problems().clear(source)
      },
      (error: unknown) => {
        problems().set(source, errorReport(error))
        log('error', `not reloaded, nothing has changed:\n${errorReport(error)}`)
      },
    )
  }
  watcher.on('all', () => {
    clearTimeout(timer)
    timer = setTimeout(settled, settleMs)
  })
  watcher.on('error', (error) => log('warn', `cannot watch files: ${errorReport(error)}`))
  await new Promise<void>((done) => {
    watcher.once('ready', () => done())
  })
  return {
    close: async () => {
      clearTimeout(timer)
      await watcher.close()
    },
  }
}

function errorReport(error: unknown): string {
  if (!isExpected(error)) {
    return error instanceof Error ? (error.stack ?? error.message) : String(error)
  }
  return error.hint === undefined ? error.message : `${error.message}\n${error.hint}`
}
