/** Looks for saved scenarios while a chain runs: the files of the closure are one unit. */
import { SimError } from '../errors.ts'
import type { Sinks } from './queue.ts'
import { loadScenario } from './scenarioFiles.ts'
import type { Running } from './server.ts'

const settleMs = 60

/** Starts watching; a good save becomes the plan, a bad one changes nothing and says what is wrong. */
export async function watchScenario(
  path: string, closure: readonly string[], running: Running, log: Sinks['log'],
): Promise<{ close: () => Promise<void> }> {
  const { watch } = await import('chokidar')
  const watcher = watch([path, ...closure], { ignoreInitial: true, atomic: true })
  let timer: NodeJS.Timeout | undefined
  watcher.on('all', () => {
    clearTimeout(timer)
    timer = setTimeout(() => { void reload(path, running, log).then((files) => { watcher.add([...files]) }) }, settleMs)
  })
  await new Promise<void>((done) => { watcher.once('ready', () => done()) })
  return { close: async () => { clearTimeout(timer); await watcher.close() } }
}

async function reload(path: string, running: Running, log: Sinks['log']): Promise<readonly string[]> {
  try {
    const { plan, closure } = await loadScenario(path)
    if (plan.digest === running.simulation().plan.digest) return closure
    running.operate('reload', { type: 'loadPlan', plan })
    log('info', `reloaded ${path}: generation ${running.simulation().progress.generation}`)
    return closure
  } catch (error) {
    const text = error instanceof SimError ? `${error.message}${error.hint === undefined ? '' : `\n${error.hint}`}` : String(error)
    log('error', `not reloaded, nothing has changed:\n${text}`)
    return []
  }
}
