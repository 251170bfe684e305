/**
 * Keeps a second writer away from a file or folder NAME. While a process writes there, the file
 * `.NAME.lock` beside it names its owner: `{"pid":…,"host":…,"token":…}`. A lock whose process has
 * ended is taken over. A process on another host cannot be looked up: its lock counts until nobody
 * has touched it for a minute.
 */
import { randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { basename, dirname, join, resolve } from 'node:path'
import { SimError } from '../../errors.ts'
import { CannotWrite } from './cannotWrite.ts'
import { besidePath, isRunning, youngMs } from './part.ts'

export type Lock = { readonly release: () => void }

type Owner = { readonly pid: number; readonly host: string; readonly token: string }

const touchedEveryMs = youngMs / 4

/** By token: what this process holds. */
const held = new Map<string, string>()

/**
 * Returns a lock on a path, whose parent folders are made; it ends with `release` or with the
 * process. Throws `InUse` where somebody else has one, this process too, and `CannotWrite`.
 */
export function lockPath(path: string): Lock {
  const file = lockFileOf(path)
  const token = randomBytes(8).toString('hex')
  const owner: Owner = { pid: process.pid, host: hostname(), token }
  try {
    mkdirSync(dirname(file), { recursive: true })
    while (!isCreated(file, JSON.stringify(owner))) takeAside(path, file)
  } catch (error) {
    throw error instanceof SimError ? error : new CannotWrite(path, error)
  }
  if (held.size === 0) process.once('exit', releaseAll)
  held.set(token, file)
  const touching = setInterval(() => {
    touch(file)
  }, touchedEveryMs).unref()
  return {
    release: () => {
      clearInterval(touching)
      release(token)
    },
  }
}

function lockFileOf(path: string): string {
  const full = resolve(path)
  return join(dirname(full), `.${basename(full)}.lock`)
}

function isCreated(file: string, text: string): boolean {
  try {
    writeFileSync(file, text, { flag: 'wx', mode: 0o600 })
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}

/**
 * Removes a lock whose process has ended. It is moved aside first: of two processes that find it,
 * one moves it, and what was not the lock that it has read is put back.
 */
function takeAside(path: string, file: string): void {
  const text = textOf(file)
  if (text === undefined) return
  const owner = ownerIn(text)
  if (isAlive(file, owner)) throw new InUse(path, owner, file)
  const aside = besidePath(path, 'part')
  try {
    renameSync(file, aside)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return
    throw error
  }
  if (textOf(aside) === text) rmSync(aside, { force: true })
  else renameSync(aside, file)
}

/** A lock without content is of a process that is about to write it, or was killed then. */
function isAlive(file: string, owner: Owner | undefined): boolean {
  if (owner === undefined || owner.host !== hostname()) return isYoung(file)
  // A process in a container has the id of the one that was killed there before.
  return owner.pid === process.pid ? held.has(owner.token) : isRunning(owner.pid)
}

function isYoung(file: string): boolean {
  const { mtimeMs } = statSync(file, { throwIfNoEntry: false }) ?? { mtimeMs: 0 }
  return Date.now() - mtimeMs < youngMs
}

function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

function ownerIn(text: string): Owner | undefined {
  try {
    const { pid, host, token } = JSON.parse(text) as Partial<Owner>
    return typeof pid === 'number' && typeof host === 'string' && typeof token === 'string'
      ? { pid, host, token }
      : undefined
  } catch {
    return undefined
  }
}

function touch(file: string): void {
  const now = new Date()
  try {
    utimesSync(file, now, now)
  } catch {
    // Somebody has removed it by hand.
  }
}

function release(token: string): void {
  const file = held.get(token)
  if (file === undefined) return
  held.delete(token)
  if (held.size === 0) process.off('exit', releaseAll)
  if (ownerIn(textOf(file) ?? '')?.token === token) rmSync(file, { force: true })
}

function releaseAll(): void {
  for (const token of [...held.keys()]) release(token)
}

/** Another process, or another part of this one, writes there. Exit code 7. */
export class InUse extends SimError {
  constructor(path: string, owner: Owner | undefined, file: string) {
    const { pid, host } = owner ?? {}
    const where = host === undefined || host === hostname() ? '' : ` on ${host}`
    const who = pid === undefined ? 'another process' : `process ${pid}${where}`
    super('IN_USE', `cannot write ${path}: ${who} writes there`, {
      hint: `Wait until it has ended, or choose another path. If it does not run, remove ${file}.`,
    })
  }
}
