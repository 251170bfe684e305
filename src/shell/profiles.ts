/** Profiles of this process as text: CPU, heap and event loop delays. */
import { Session } from 'node:inspector/promises'
import { monitorEventLoopDelay, type IntervalHistogram } from 'node:perf_hooks'
import { text } from 'node:stream/consumers'
import { getHeapSnapshot } from 'node:v8'
import { SimError } from '../errors.ts'
import { longestTimerMs } from './pace.ts'

/** A profile that runs until it is stopped; at most one of each kind runs at a time. */
export type Lasting = 'cpu' | 'trace'

const names = { cpu: 'CPU profiling', trace: 'trace' } as const
const running = new Map<Lasting, { readonly path: string; readonly session: Session }>()

/** Starts a CPU profile. Throws `NotProfiled` if one of this kind is running. */
export async function startProfile(profile: Lasting, path: string): Promise<void> {
  if (running.has(profile)) throw new NotProfiled(`${names[profile]} already in progress`)
  const session = new Session()
  running.set(profile, { path, session })
  await startIn(session)
}

/** Stops a profile and resolves with its content and path. Throws `NotProfiled` if none runs. */
export async function stopProfile(profile: Lasting): Promise<{ path: string; content: string }> {
  const found = running.get(profile)
  if (found === undefined) throw new NotProfiled(`${names[profile]} not in progress`)
  running.delete(profile)
  return { path: found.path, content: await stopIn(found.session) }
}

/** Resolves with a CPU profile of the next `seconds` seconds. */
export async function cpuProfile(seconds: number): Promise<string> {
  const session = new Session()
  await startIn(session)
  await passed(seconds)
  return stopIn(session)
}

async function startIn(session: Session): Promise<void> {
  session.connect()
  await session.post('Profiler.enable')
  await session.post('Profiler.start')
}

async function stopIn(session: Session): Promise<string> {
  try {
    return JSON.stringify((await session.post('Profiler.stop')).profile)
  } finally {
    session.disconnect()
  }
}

/** Resolves with a heap snapshot. */
export function heapProfile(): Promise<string> {
  return text(getHeapSnapshot())
}

let delays: IntervalHistogram | undefined

/** Restarts the measurement of event loop delays; a rate of 0 or less stops it. */
export function setBlockRate(rate: number): void {
  delays?.disable()
  delays = rate > 0 ? measured() : undefined
}

/** Resolves with the event loop delays in ns: since the rate was set, or over some seconds. */
export async function blockProfile(seconds: number): Promise<string> {
  if (seconds === 0) return JSON.stringify(delays ?? { count: 0 })
  const own = measured()
  await passed(seconds)
  own.disable()
  return JSON.stringify(own)
}

function measured(): IntervalHistogram {
  const histogram = monitorEventLoopDelay({ resolution: 10 })
  histogram.enable()
  return histogram
}

function passed(seconds: number): Promise<void> {
  return new Promise((done) => {
    setTimeout(done, Math.min(seconds * 1000, longestTimerMs))
  })
}

/** Returns the stack trace of this thread and the active resources of the process. */
export function stacks(): string {
  const [, ...frames] = (new Error('stack').stack ?? '').split('\n')
  const waiting = new Map<string, number>()
  for (const name of process.getActiveResourcesInfo()) {
    waiting.set(name, (waiting.get(name) ?? 0) + 1)
  }
  const resources = [...waiting].map(([name, count]) => `    ${count} ${name}`)
  return `${['thread 1 [running]:', ...frames, 'waiting for:', ...resources].join('\n')}\n`
}

/** A profile of the kind already runs, or none runs. */
export class NotProfiled extends SimError {
  constructor(message: string) {
    super('NOT_PROFILED', message)
  }
}
