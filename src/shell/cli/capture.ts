/**
 * Records a run against a real node: serves a proxy, runs the program, saves the recording and
 * prints a summary.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { thrownText } from '../../errors.ts'
import type { RecordingOrigin } from '../../recording/folder/manifest.ts'
import type { Library } from '../../recording/playback/library.ts'
import { runChild } from '../process/child.ts'
import { stopRequest, unlessStopped } from '../process/stopSignals.ts'
import { systemDisk } from '../durable/disk.ts'
import { lockPath, type Lock } from '../durable/lock.ts'
import { logName, originNow, saveLibrary } from '../recordings/folderFiles.ts'
import { openSink, type Sink, type Withheld } from '../recordings/sink.ts'
import { secretsOf, secretsOfEnvironment, type Upstreams } from '../recordings/upstream.ts'
import { warn } from './say.ts'
import { untilStopped } from './stop.ts'
import type { Urls } from '../urls.ts'

/** The proxy between program and node. `text` is printed for a person who starts the program. */
export type Between = {
  readonly urls: Urls
  readonly text: string
  /** Called after `text` was printed. */
  readonly shown?: () => void
  readonly summary: (exchanges: number, withheld: number) => string
  readonly close: () => Promise<void>
  /** Returns whether the node left a request without a response to record. */
  readonly isUnheard?: () => boolean
}

export type Capture = {
  readonly out: string
  readonly isJson: boolean
  /** The program and its arguments; empty to record other clients until Ctrl-C. */
  readonly words: readonly string[]
  readonly savesOnFailure: boolean
  readonly upstreams: Upstreams
  readonly level: RecordingOrigin['level']
  readonly serve: (note: Sink['note']) => Promise<Between>
  /** Returns the recording to save if a recording already exists at `out`. */
  readonly over?: (library: Library) => Promise<Library>
}

/**
 * Resolves with the exit code when the program has ended or, without a program, at Ctrl-C. The code
 * is 1 if an exchange was withheld because it contains a secret, or if nothing was recorded because the
 * node never answered. Throws `CannotWrite`, `InUse`, the errors of `serve`, and `Stopped` at Ctrl-C before it serves.
 */
export async function capture(given: Capture): Promise<number> {
  const lock = lockPath(given.out)
  try {
    return await captureLocked(given, lock)
  } finally {
    lock.release()
  }
}

async function captureLocked(given: Capture, lock: Lock): Promise<number> {
  const { out, isJson, level } = given
  const log = join(out, logName)
  const hadOne = existsSync(join(out, 'manifest.json'))
  const hadFolder = existsSync(out)
  const sink = openSink(log, [...secretsOf(given.upstreams), ...secretsOfEnvironment(process.env)])
  sink.failed.addEventListener('abort', () => warn(failedText(sink.failed.reason)))
  const forget = () => systemDisk.rm(hadFolder ? log : out, { force: true, recursive: true })
  const { code, summary, isUnheard } = await serveToEnd(given, sink.note).catch(async (error: unknown) => {
    sink.end()
    await forget()
    throw error
  })
  const recorded = sink.end()
  const library = hadOne && given.over !== undefined ? await given.over(recorded) : recorded
  const withheld = sink.withheld()
  for (const one of withheld) process.stderr.write(`${withheldText(one)}\n`)
  const isVoid = isEmpty(recorded) && withheld.length === 0 && isUnheard?.() === true
  const isSaved = !isVoid && (code === 0 || !hadOne || given.savesOnFailure)
  if (isSaved) await saveLibrary(out, library, originNow(level), lock)
  else await forget()
  const told = {
    out,
    exchanges: sink.count(),
    withheld: withheld.length,
    saved: isSaved,
    exitCode: code === 0 && (isVoid || withheld.length > 0) ? 1 : code,
  }
  if (isVoid) warn(voidText)
  const end = isSaved ? summary(told.exchanges, told.withheld) : isVoid ? unsavedText(out, hadOne) : keptText(out, code)
  process.stdout.write(`${isJson ? JSON.stringify(told) : end}\n`)
  return told.exitCode
}

/** Resolves when the program has ended or, without a program, at a stop request. */
async function serveToEnd({ serve, words, isJson }: Capture, note: Sink['note']): Promise<Between & { code: number }> {
  const stop = stopRequest()
  const stopped = untilStopped(stop)
  const between = await unlessStopped(stop, () => serve(note))
  const { urls, text, shown, close } = between
  if (words.length === 0) {
    process.stdout.write(`${isJson ? JSON.stringify({ urls }) : text}\n`)
  }
  shown?.()
  const running = words.length > 0 ? runChild(words, urls) : stopped.then(() => 0)
  return { ...between, code: await running.finally(close) }
}

const voidText =
  'The node gave no response that can be recorded. Check that it runs, and that the URL is that of its interface.'

function unsavedText(out: string, hadOne: boolean): string {
  return `${out}: nothing was recorded${hadOne ? ', so the existing recording was kept' : ''}`
}

function isEmpty({ answers, writes, streams, heads }: Library): boolean {
  return answers.size + writes.length + streams.size + heads.length === 0
}

function failedText(error: unknown): string {
  return `${thrownText(error)}. Nothing more is recorded; clients still get the node's responses.`
}

function withheldText({ n, rule, where }: Withheld): string {
  return (
    `exchange ${n} was not written: ${rule} (${where}). ` +
    'Take the secret out of what the program sends, or record without that call.'
  )
}

function keptText(out: string, code: number): string {
  return `${out}: the program failed with exit code ${code}, so the existing recording was kept; --save-on-failure replaces it`
}
