/** Tasks that need the process: garbage collection, profiles, statistics and long reads. */
import { join, resolve } from 'node:path'
import { thrownText } from '../errors.ts'
import type { Performed } from '../node/input.ts'
import type { Node } from '../node/node.ts'
import type { Task } from '../node/output.ts'
import { wokenByPerformed } from '../node/owed.ts'
import { writeFileWhole } from './durable/writeFile.ts'
import { isBelow } from './paths.ts'
import { readAside } from './readThreads.ts'

/**
 * Resolves with the result of a task as text; never rejects. Files are written inside `home` only.
 */
export async function perform(task: Task, home: string | undefined): Promise<Performed> {
  try {
    return { ok: true, text: await resultOf(task, home) }
  } catch (error) {
    return { ok: false, error: thrownText(error) }
  }
}

/**
 * Resolves with the result that an owed reply waits for; never rejects. Reads run in a thread.
 * `nodeNow` returns the current node.
 */
export async function performOwed(
  nodeNow: () => Node,
  { id, task }: AskedTask,
  home: string | undefined,
): Promise<Performed> {
  if (task.type !== 'read') return perform(task, home)
  const jobNow = () => wokenByPerformed(nodeNow(), id)?.read?.job
  const job = jobNow()
  if (job === undefined) return { ok: false, error: 'no client is waiting for the response' }
  const { settings } = nodeNow()
  return readAside({ job, settings, timeoutMs: task.timeoutMs, isWanted: () => jobNow() === job })
}

export type AskedTask = { readonly id: number; readonly task: Task }

/** These modules are loaded on first use, because they are rarely needed. */
const garbage = () => import('./process/garbage.ts')
const profiles = () => import('./profiles.ts')

async function resultOf(task: Task, home: string | undefined): Promise<string> {
  switch (task.type) {
    case 'collectGarbage':
      await (await import('./process/collectGarbage.ts')).collectGarbage()
      return 'null'
    case 'garbageStatistics':
      return JSON.stringify((await garbage()).garbageStatistics())
    case 'memoryStatistics':
      return JSON.stringify((await garbage()).memoryStatistics())
    case 'garbagePercent':
      return JSON.stringify((await garbage()).setGarbagePercent(task.percent))
    case 'blockRate':
      ;(await profiles()).setBlockRate(task.rate)
      return 'null'
    case 'stacks':
      return JSON.stringify((await profiles()).stacks())
    case 'startProfile':
      await (await profiles()).startProfile(task.profile, pathInside(home, task.path))
      return 'null'
    case 'stopProfile': {
      const { path, content } = await (await profiles()).stopProfile(task.profile)
      return written(path, content)
    }
    case 'pause':
      await new Promise(setImmediate)
      return 'null'
    case 'read':
      throw new Error('reads run in the main thread of a member of a fleet')
    case 'writeProfile':
      return written(pathInside(home, task.path), await profileOf(task))
  }
}

type Write = Extract<Task, { type: 'writeProfile' }>

async function profileOf({ profile, seconds }: Write): Promise<string> {
  const { blockProfile, cpuProfile, heapProfile } = await profiles()
  switch (profile) {
    case 'heap':
      return heapProfile()
    case 'cpu':
      return cpuProfile(seconds)
    case 'block':
      return blockProfile(seconds)
  }
}

async function written(path: string, content: string): Promise<string> {
  await writeFileWhole(path, content)
  return 'null'
}

function pathInside(home: string | undefined, path: string): string {
  if (home === undefined)
    throw new Error('files can only be written inside the home directory, and there is none: start with --home')
  const root = resolve(home)
  const target = resolve(join(root, path))
  if (isBelow(root, target)) return target
  throw new Error(`files can only be written inside the home directory; ${path} is outside it`)
}
