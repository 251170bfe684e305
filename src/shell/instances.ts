/** Detached chains, which run without a terminal. A file for each holds its addresses. */
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { constants } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import { SimError } from '../errors.ts'
import { askControl } from './askControl.ts'
import { CannotWrite } from './durable/cannotWrite.ts'
import { systemDisk, type Disk, type DiskFile } from './durable/disk.ts'
import { makeFolder } from './durable/folders.ts'
import { isRunning, removeLeftovers } from './durable/part.ts'
import { writeFileWhole } from './durable/writeFile.ts'
import { exitFile, exitFileOf } from './exitFile.ts'
import { sideNames } from '../settings/side.ts'
import { onStopSignal, stopCode, type StopSignal } from './process/stopSignals.ts'
import type { Listener, Urls } from './urls.ts'

/** `log` is the path of the chain's log; `height` is its current height. */
export type InstanceRecord = {
  readonly pid: number
  readonly urls: Urls
  /** All listeners; `urls` has the first of each kind. */
  readonly listeners: readonly Listener[]
  readonly scenario: string
  readonly log: string
  readonly height: number
}

/** Returns the folder of the records: below $CHAINSTAGE_STATE or `.chainstage` in the home. */
function folder(): string {
  return join(process.env['CHAINSTAGE_STATE'] ?? join(homedir(), '.chainstage'), 'instances')
}

/**
 * Resolves with the chains that still respond. Deletes the records of all others; files that hold
 * no record are ignored and kept.
 */
export async function instanceRecords(): Promise<readonly InstanceRecord[]> {
  const names = await readdir(folder()).catch((): string[] => [])
  const found = await Promise.all(
    names
      .filter((name) => name.endsWith('.json'))
      .map(async (name) => {
        const path = join(folder(), name)
        const record = await recordAt(path)
        if (record === undefined) return []
        const status = await statusOf(record)
        if (status?.pid === record.pid) return [{ ...record, height: status.height }]
        await systemDisk.rm(path, { force: true })
        return []
      }),
  )
  return found.flat()
}

const recordShape = z.object({
  pid: z.number(),
  scenario: z.string(),
  log: z.string(),
  height: z.number(),
  urls: z.object({
    comet: z.string(),
    cometWs: z.string(),
    eth: z.string(),
    ethWs: z.string(),
    rest: z.string(),
    grpc: z.string(),
    control: z.string(),
    metrics: z.string().default(''),
  }),
  listeners: z.array(
    z.object({
      url: z.string(),
      serves: z.enum([...sideNames, 'ethWs', 'control', 'metrics']),
    }),
  ),
})

/** Resolves with the record in a file, or undefined if there is no valid one. */
async function recordAt(path: string): Promise<InstanceRecord | undefined> {
  try {
    return recordShape.parse(JSON.parse(await readFile(path, 'utf8')))
  } catch {
    return undefined
  }
}

type Status = { readonly pid: number; readonly height: number }

function statusOf({ urls }: InstanceRecord): Promise<Status | undefined> {
  return askControl(`${urls.control}/api/status`, { verb: 'GET' })
    .then(({ text }) => JSON.parse(text) as Status)
    .catch(() => undefined)
}

/**
 * Stops a chain. Resolves with the exit code when its process has ended, or undefined if the code
 * is unknown.
 */
export async function stopInstance({ pid, urls, log }: InstanceRecord): Promise<number | undefined> {
  await askControl(`${urls.control}/api/stop`, { verb: 'POST', body: '{}' }).catch(() => {})
  for (let tries = 0; tries < 200 && isRunning(pid); tries++) {
    await new Promise((done) => {
      setTimeout(done, 50)
    })
  }
  const code = await readFile(exitFileOf(log), 'utf8').catch(() => undefined)
  await systemDisk.rm(join(folder(), `${pid}.json`), { force: true })
  await systemDisk.rm(exitFileOf(log), { force: true })
  await removeLeftovers(exitFileOf(log))
  return code === undefined ? undefined : Number(code)
}

/**
 * Creates or empties the log of a detached chain, with its folder. Symbolic links are not followed.
 * Throws `CannotWrite`.
 */
export async function openLog(path: string, disk: Disk = systemDisk): Promise<DiskFile> {
  const { O_WRONLY, O_CREAT, O_TRUNC, O_NOFOLLOW = 0 } = constants
  try {
    await makeFolder(dirname(path), disk)
    return await disk.open(path, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW, 0o600)
  } catch (cause) {
    throw new CannotWrite(path, cause, 'Set CHAINSTAGE_STATE to a writable folder.')
  }
}

/**
 * Runs `chainstage start` with arguments in a detached process; resolves when the chain serves. If it does not,
 * or if this process is asked to stop before, the chain ends, and no file of it is left.
 */
export async function detach(words: readonly string[]): Promise<InstanceRecord> {
  let stopped: StopSignal | undefined
  const unheard = onStopSignal((signal) => {
    stopped ??= signal
  })
  try {
    const log = join(folder(), `${process.pid}.log`)
    const file = await openLog(log)
    const [main = ''] = process.argv.slice(1)
    const child = spawn(process.execPath, [main, 'start', '--json', ...words], {
      detached: true,
      stdio: ['ignore', file.fd, file.fd],
      env: { ...process.env, [exitFile]: exitFileOf(log) },
    })
    await file.close()
    const record = await served(child, log, () => stopped).catch(async (error: unknown) => {
      await endedWithoutTrace(child, log)
      throw error
    })
    child.unref()
    return record
  } finally {
    unheard()
  }
}

/** Resolves when a detached chain serves and its record is written. */
async function served(child: ChildProcess, log: string, stopped: () => StopSignal | undefined) {
  for (;;) {
    const signal = stopped()
    if (signal !== undefined) {
      const hint = 'Start it again, and wait until the command returns.'
      throw new NotDetached(`${signal} ended the chain before it was ready`, stopCode(signal), hint)
    }
    const code = hasEnded(child) ? (child.exitCode ?? 1) : undefined
    const text = await readFile(log, 'utf8')
    const line = /^\{.*\}$/m.exec(text)?.[0]
    if (line !== undefined) {
      const {
        urls,
        scenario,
        listening: listeners,
      } = JSON.parse(line) as Pick<InstanceRecord, 'urls' | 'scenario'> & { listening: InstanceRecord['listeners'] }
      if (urls.control === '') throw new NoControl()
      const record = { pid: child.pid ?? 0, urls, listeners, scenario, log, height: 0 }
      // Without its record, nobody could find and stop the chain.
      await writeFileWhole(join(folder(), `${record.pid}.json`), JSON.stringify(record))
      return record
    }
    if (code !== undefined) throw endedBefore(text.trim(), code)
    await new Promise((done) => {
      setTimeout(done, 30)
    })
  }
}

/** Returns the error of a chain that ended before it served; `log` has the error with its hint, if there is one. */
function endedBefore(log: string, code: number): NotDetached {
  if (log !== '') return new NotDetached(log, code)
  return new NotDetached('the chain stopped before it was ready', code, 'Start without --detach to see the error.')
}

function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null
}

const killAfterMs = 5000

/** Ends a chain that nobody could find, and deletes its log and the file with its exit code. */
async function endedWithoutTrace(child: ChildProcess, log: string): Promise<void> {
  if (!hasEnded(child)) {
    const killing = setTimeout(() => child.kill('SIGKILL'), killAfterMs)
    const ended = once(child, 'exit')
    child.kill()
    await ended
    clearTimeout(killing)
  }
  for (const file of [log, exitFileOf(log)]) await systemDisk.rm(file, { force: true })
}

/** A detached chain without a control port could be neither listed nor stopped. */
class NoControl extends SimError {
  constructor() {
    super('CONTRADICTION', 'expected a control port beside --detach, received none', {
      hint: 'chainstage instances finds and stops chains through it. Set --control to an address, like 127.0.0.1:8555.',
    })
  }
}

/** A detached chain ended before it served. */
export class NotDetached extends SimError {
  /** The exit code of its process. */
  readonly exitCode: number

  constructor(text: string, exitCode: number, hint?: string) {
    super('NOT_DETACHED', text, hint === undefined ? {} : { hint })
    this.exitCode = exitCode
  }
}
