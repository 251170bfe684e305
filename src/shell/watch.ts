/**
 * Watches for saved files while a chain runs: a scenario with its imports, a home, or a recording.
 */
import { realpathSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { isExpected } from '../errors.ts'
import { InvalidScenario } from '../scenario/diagnostic.ts'
import type { Chosen } from './cli/options.ts'
import { settingsChange } from '../settings/changes.ts'
import { assertDone } from './control/act.ts'
import { isBelow, portablePath } from './paths.ts'
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
  const named = async (error: unknown) => [path, ...reloader.closure(), ...(await filesNamed(path, error))]
  return watchFiles([path, ...reloader.closure()], { log, problems, source: path, named }, async () => {
    await reloader.reload()
    return reloader.closure()
  })
}

/** The most characters of a file that is parsed for its imports while the chain serves. */
const parsedMost = 32_768

/** Resolves with the files of an invalid scenario, and with those that they import, which may be missing. */
async function filesNamed(path: string, error: unknown): Promise<readonly string[]> {
  if (!(error instanceof InvalidScenario)) return []
  const { artifactsOf, importsOf } = await import('../scenario/imports.ts')
  const named = new Set(error.files.keys())
  const parsed = new Set<string>()
  const follow = (file: string) => {
    const text = error.files.get(file)
    if (text === undefined || text.length > parsedMost || parsed.has(file)) return
    parsed.add(file)
    for (const artifact of artifactsOf(file, text)) named.add(artifact)
    for (const imported of importsOf(file, text)) {
      named.add(imported)
      follow(imported)
    }
  }
  follow(portablePath(path))
  return [...named]
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
  /** Resolves with the files whose next save may correct this error of `reload`. */
  readonly named?: (error: unknown) => Promise<readonly string[]>
}

/** Calls `reload` after saves; it resolves with more files to watch. An error changes nothing. */
async function watchFiles(
  paths: readonly string[],
  { log, problems, source, isForeign = () => false, named = async () => [] }: Teller,
  reload: () => Promise<readonly string[]>,
): Promise<Watching> {
  const { watch } = await import('chokidar')
  const watcher = watch([...paths], { ignoreInitial: true, atomic: true, ignored: isForeign })
  let timer: NodeJS.Timeout | undefined
  const saved = () => {
    clearTimeout(timer)
    timer = setTimeout(settled, settleMs)
  }
  const watched = new Set(paths)
  const unwatched = lookout(saved)
  let isRefused = false
  const settled = () => {
    unwatched.pause()
    void reload().then(
      (more) => {
        if (isRefused) log('info', 'the saved files are valid again')
        isRefused = false
        watcher.add([...more])
        for (const file of more) watched.add(file)
        unwatched.look(more.filter(isLinked))
        problems().clear(source)
      },
      async (error: unknown) => {
        isRefused = true
        const files = await named(error)
        unwatched.look(files.filter((file) => !watched.has(file) || stampOf(file) === undefined))
        problems().set(source, errorReport(error))
        log('error', `not reloaded, nothing has changed:\n${errorReport(error)}`)
      },
    )
  }
  watcher.on('all', saved)
  watcher.on('error', (error) => log('warn', `cannot watch files: ${errorReport(error)}`))
  await new Promise<void>((done) => {
    watcher.once('ready', () => done())
  })
  unwatched.look(paths.filter(isLinked))
  return {
    close: async () => {
      clearTimeout(timer)
      unwatched.close()
      await watcher.close()
    },
  }
}

/** Time between two looks at files that are not watched, in milliseconds. */
const lookMs = 300

/**
 * Calls `saved` when a file is written that is not watched reliably: one that only an invalid scenario names, one
 * that was missing, or one behind a symbolic link. chokidar does not tell since when it watches a file. It loses a
 * file whose folder is deleted, as between two branches of a repository. Of a changed link, it watches the old target.
 */
function lookout(saved: () => void) {
  /** Linked files and files that were missing once, with their stamps when the last reload began. */
  const lost = new Map<string, string | undefined>()
  let timer: NodeJS.Timeout | undefined
  let isClosed = false
  return {
    /** Stops until the next `look`, because a reload begins. */
    pause: () => {
      clearInterval(timer)
      for (const file of lost.keys()) lost.set(file, stampOf(file))
    },
    look: (files: readonly string[]) => {
      clearInterval(timer)
      const before = new Map(files.map((file) => [file, stampOf(file)]))
      for (const [file, stamp] of before) {
        if (stamp === undefined || isLinked(file)) lost.set(file, lost.has(file) ? lost.get(file) : stamp)
      }
      for (const [file, stamp] of lost) before.set(file, stamp)
      if (isClosed || before.size === 0) return
      timer = setInterval(() => {
        const isSaved = [...before].some(([file, stamp]) => ![undefined, stamp].includes(stampOf(file)))
        if (isSaved) saved()
      }, lookMs).unref()
    },
    close: () => {
      isClosed = true
      clearInterval(timer)
    },
  }
}

/** Returns whether a file is a symbolic link or is reached through one, as in a Kubernetes ConfigMap. */
function isLinked(file: string): boolean {
  try {
    return statSync(file).isFile() && realpathSync(file) !== resolve(file)
  } catch {
    return false
  }
}

/** Returns a text that changes when a file is written, or undefined if it cannot be read. */
function stampOf(file: string): string | undefined {
  try {
    const { mtimeNs, size, ino } = statSync(file, { bigint: true })
    return `${mtimeNs} ${size} ${ino}`
  } catch {
    return undefined
  }
}

function errorReport(error: unknown): string {
  if (!isExpected(error)) {
    return error instanceof Error ? (error.stack ?? error.message) : String(error)
  }
  return error.hint === undefined ? error.message : `${error.message}\n${error.hint}`
}
