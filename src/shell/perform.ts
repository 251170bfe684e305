/** What the core cannot do itself: garbage, profiles, statistics of the process. */
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join, resolve, sep } from 'node:path'
import type { Session } from 'node:inspector/promises'
import { SimError } from '../errors.ts'
import type { Performed } from '../node/input.ts'
import type { Task } from '../node/output.ts'

/** Resolves with the result of a task as text; never rejects. Files are written inside `home` only. */
export async function perform(task: Task, home: string | undefined): Promise<Performed> {
  try {
    return { ok: true, text: await resultOf(task, home) }
  } catch (error) {
    return { ok: false, error: error instanceof Error ? error.message : String(error) }
  }
}

async function resultOf(task: Task, home: string | undefined): Promise<string> {
  switch (task.type) {
    case 'collectGarbage': return collectGarbage()
    case 'memoryStatistics': return JSON.stringify(process.memoryUsage())
    case 'startCpuProfile': return startCpuProfile(pathInside(home, task.path))
    case 'stopCpuProfile': return stopCpuProfile()
    case 'writeProfile': {
      const path = pathInside(home, task.path)
      const text = task.profile === 'heap' ? await heapProfile() : await cpuProfile(task)
      await mkdir(dirname(path), { recursive: true })
      await writeFile(path, text)
      return 'null'
    }
  }
}

/** V8 only lets itself be asked when it was started for it; the flag can be set while it runs. */
async function collectGarbage(): Promise<string> {
  const [{ setFlagsFromString }, { runInNewContext }] = await Promise.all([import('node:v8'), import('node:vm')])
  setFlagsFromString('--expose-gc')
  ;(runInNewContext('gc') as () => void)()
  return 'null'
}

async function heapProfile(): Promise<string> {
  const [{ getHeapSnapshot }, { text }] = await Promise.all([import('node:v8'), import('node:stream/consumers')])
  return text(getHeapSnapshot())
}

async function cpuProfile({ profile, seconds }: Extract<Task, { type: 'writeProfile' }>): Promise<string> {
  if (profile === 'mutex') throw new NotProfiled('this process has one thread and no locks to profile')
  const { Session } = await import('node:inspector/promises')
  const session = new Session()
  session.connect()
  try {
    await session.post('Profiler.enable')
    await session.post('Profiler.start')
    await new Promise((done) => { setTimeout(done, seconds * 1000) })
    return JSON.stringify((await session.post('Profiler.stop')).profile)
  } finally {
    session.disconnect()
  }
}

/** The process has one profiler, so it has one profile under way. */
let running: { readonly path: string; readonly session: Session } | undefined

async function startCpuProfile(path: string): Promise<string> {
  if (running !== undefined) throw new NotProfiled('CPU profiling already in progress')
  const inspector = await import('node:inspector/promises')
  const session = new inspector.Session()
  running = { path, session }
  session.connect()
  await session.post('Profiler.enable')
  await session.post('Profiler.start')
  return 'null'
}

async function stopCpuProfile(): Promise<string> {
  if (running === undefined) throw new NotProfiled('CPU profiling not in progress')
  const { path, session } = running
  running = undefined
  try {
    const { profile } = await session.post('Profiler.stop')
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, JSON.stringify(profile))
    return 'null'
  } finally {
    session.disconnect()
  }
}

function pathInside(home: string | undefined, path: string): string {
  if (home === undefined) throw new NotProfiled('files are written inside the home directory only, and there is none: start with --home')
  const root = resolve(home)
  const target = resolve(join(root, path))
  if (target.startsWith(root + sep)) return target
  throw new NotProfiled(`files are written inside the home directory only, and ${path} is outside of it`)
}

/** A profile that cannot be made or written. */
export class NotProfiled extends SimError {
  constructor(message: string) {
    super('NOT_PROFILED', message)
  }
}
