/** Chains that run on their own, without a terminal: a file for each says where it is. */
import { spawn } from 'node:child_process'
import { mkdir, open, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { SimError } from '../errors.ts'
import type { Urls } from './server.ts'

/** `log` is where it writes; `height` is what it said when it was asked just now. */
export type InstanceRecord = {
  readonly pid: number
  readonly urls: Urls
  readonly scenario: string
  readonly log: string
  readonly height: number
}

/** Where the files are: $CHAINSTAGE_STATE, or .chainstage in the home of the user. */
function folder(): string {
  return join(process.env['CHAINSTAGE_STATE'] ?? join(homedir(), '.chainstage'), 'instances')
}

/** Resolves with those that still answer; the files of others are removed. */
export async function instanceRecords(): Promise<readonly InstanceRecord[]> {
  const names = await readdir(folder()).catch((): string[] => [])
  const found = await Promise.all(names.filter(
    (name) => name.endsWith('.json')
  ).map(async (name) => {
    const path = join(folder(), name)
    const record = JSON.parse(await readFile(path, 'utf8')) as InstanceRecord
    const status = await statusOf(record)
    if (status?.pid === record.pid) return [{ ...record, height: status.height }]
    await rm(path, { force: true })
    return []
  }))
  return found.flat()
}

type Status = { readonly pid: number; readonly height: number }

function statusOf({ urls }: InstanceRecord): Promise<Status | undefined> {
  return fetch(`${urls.control}/api/status`).then((answer) => answer.json() as Promise<Status>)
    .catch(() => undefined)
}

/** Asks a chain to end; resolves when it does not answer any more. */
export async function stopInstance(record: InstanceRecord): Promise<void> {
  await fetch(`${record.urls.control}/api/stop`, { method: 'POST', body: '{}' }).catch(() => {})
  for (let tries = 0; tries < 100 && (await statusOf(record)) !== undefined; tries++) {
    await new Promise((done) => { setTimeout(done, 50) })
  }
  await rm(join(folder(), `${record.pid}.json`), { force: true })
}

/** Starts `chainstage start` with some words in a process of its own; resolves when it serves. */
export async function detach(words: readonly string[]): Promise<InstanceRecord> {
  await mkdir(folder(), { recursive: true })
  const log = join(folder(), `${process.pid}.log`)
  const file = await open(log, 'w')
  const [main = ''] = process.argv.slice(1)
  const child = spawn(
    process.execPath, [main, 'start', '--json', ...words],
    { detached: true, stdio: ['ignore', file.fd, file.fd] }
  )
  await file.close()
  let code: number | undefined
  child.once('exit', (ended) => { code = ended ?? 1 })
  for (;;) {
    const text = await readFile(log, 'utf8')
    const line = /^\{.*\}$/m.exec(text)?.[0]
    if (line !== undefined) {
      const { urls, scenario } = JSON.parse(line) as Pick<InstanceRecord, 'urls' | 'scenario'>
      const record = { pid: child.pid ?? 0, urls, scenario, log, height: 0 }
      await writeFile(join(folder(), `${record.pid}.json`), JSON.stringify(record))
      child.unref()
      return record
    }
    if (code !== undefined) throw new NotDetached(text)
    await new Promise((done) => { setTimeout(done, 30) })
  }
}

/** A chain that ended before it served. */
export class NotDetached extends SimError {
  constructor(text: string) {
    super(
      'NOT_DETACHED', text.trim() || 'the chain ended before it served',
      { hint: 'Without --detach it says more.' }
    )
  }
}
