/**
 * Watches for saved files while a chain runs: a scenario with its imports, a home, or a recording.
 */
import { join } from 'node:path'
import { InvalidScenario } from '../scenario/diagnostic.ts'
import type { Chosen } from './cli/options.ts'
import { settingsChange } from '../settings/changes.ts'
import { assertDone } from './control/act.ts'
import { portablePath } from './paths.ts'
import type { Sinks } from './queue.ts'
import type { Opened } from './recordings/openPlaying.ts'
import type { Reloader } from './reloader.ts'
import { type Watched, type Watching, watchFiles } from './savedFiles.ts'
import type { Running } from './server.ts'

/**
 * Watches a scenario and reloads it on each save. An invalid file changes nothing and is reported.
 */
export function watchScenario(
  path: string,
  reloader: Reloader,
  { problems, log }: Pick<Watched, 'problems' | 'log'>,
): Promise<Watching> {
  return watchFiles({
    files: async (error) => [path, ...reloader.closure(), ...(await filesNamed(path, error))],
    reload: async () => {
      await reloader.reload()
    },
    source: path,
    problems,
    log,
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
  return watchFiles({
    files: () => ['config.toml', 'app.toml'].map((name) => join(home, 'config', name)),
    reload: async () => {
      const after = await again()
      const now = await warnings()
      for (const text of now) if (!told.has(text)) log('warn', text)
      told = new Set(now)
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
    },
    source: home,
    problems: () => running().problems,
    log,
  })
}

/** Watches the patches and rules of a recording during a playback, also new ones. */
export function watchRecording(
  { watched, reload }: Pick<Opened, 'watched' | 'reload'>,
  running: () => Running,
  log: Sinks['log'],
): Promise<Watching> {
  return watchFiles({
    files: () => watched,
    reload: async () => {
      await reload()
      log('info', 'reloaded the patches and rules of the recording')
    },
    source: 'recording',
    problems: () => running().problems,
    log,
  })
}
