/**
 * Looks for saved files while a chain runs: a scenario with its imports is one unit, a home
 * another.
 */
import { resolve } from 'node:path'
import { SimError } from '../errors.ts'
import type { Settings } from '../settings/settings.ts'
import { changeOf } from './config/reload.ts'
import type { Problems } from './problems.ts'
import type { Sinks } from './queue.ts'
import type { Reloader } from './reloader.ts'
import type { Running } from './server.ts'

export type Watching = { readonly close: () => Promise<void> }

/**
 * Editors save in several steps, people in several files: this long after the last one it counts.
 */
const settleMs = 60

/**
 * Watches a scenario; a good save becomes the plan, a bad one changes nothing and says what is
 * wrong.
 */
export function watchScenario(
  path: string, reloader: Reloader, { problems, log }: Pick<Teller, 'problems' | 'log'>,
): Promise<Watching> {
  return watchFiles([path, ...reloader.closure()], { log, problems, source: path }, async () => {
    await reloader.reload()
    return reloader.closure()
  })
}

/** Watches the files of a home: settings that can change live do, the others say so. */
export function watchHome(
  home: string, { settings, again }: { settings: Settings; again: () => Promise<Settings> },
  running: () => Running, log: Sinks['log'],
): Promise<Watching> {
  let before = settings
  return watchFiles(['config.toml', 'app.toml'].map((name) => resolve(home, 'config', name)), {
    log, problems: () => running().problems, source: home,
  }, async () => {
    const after = await again()
    const { live, later } = changeOf(before, after)
    before = after
    if (Object.keys(live).length > 0) {
      running().operate('reload', { type: 'changeSettings', settings: live })
      log(
        'info',
        `changed: ${Object.entries(live).map(([name, value]) => `${name} = ${JSON.stringify(value)}`).join(', ')}`
      )
    }
    if (later.length > 0) log('warn', `restart needed for ${later.join(', ')}`)
    return []
  })
}

type Teller = {
  readonly log: Sinks['log']; readonly problems: () => Problems; readonly source: string
}

/**
 * Calls `reload` after saves; it resolves with files to watch as well. An error changes nothing.
 */
async function watchFiles(
  paths: readonly string[], { log, problems, source }: Teller,
  reload: () => Promise<readonly string[]>,
): Promise<Watching> {
  const { watch } = await import('chokidar')
  const watcher = watch([...paths], { ignoreInitial: true, atomic: true })
  let timer: NodeJS.Timeout | undefined
  const settled = () => {
    void reload().then((more) => {
      watcher.add([...more])
      problems().clear(source)
    }, (error: unknown) => {
      problems().set(source, textOf(error))
      log('error', `not reloaded, nothing has changed:\n${textOf(error)}`)
    })
  }
  watcher.on('all', () => {
    clearTimeout(timer)
    timer = setTimeout(settled, settleMs)
  })
  watcher.on('error', (error) => log('warn', `files are not watched: ${textOf(error)}`))
  await new Promise<void>((done) => { watcher.once('ready', () => done()) })
  return { close: async () => { clearTimeout(timer); await watcher.close() } }
}

function textOf(error: unknown): string {
  if (!(error instanceof SimError)) {
    return error instanceof Error ? error.stack ?? error.message : String(error)
  }
  return error.hint === undefined ? error.message : `${error.message}\n${error.hint}`
}
