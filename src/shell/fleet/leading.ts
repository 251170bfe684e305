/**
 * The leader's work: stamps inputs with number and time and appends them to the log. Inputs that
 * arrive during an append are appended together in the next entry.
 */
import { performance } from 'node:perf_hooks'
import { recentMap } from '../../data/remembered.ts'
import type { Input, InputBody } from '../../plan/input.ts'
import type { LogEntry } from '../inputLog/inputLog.ts'
import { laterOf } from '../pace.ts'
import type { FleetMeasure } from './figures.ts'
import { aroundMost, fleetEntryText, sizeOf, type CallId, type Stamped } from './entry.ts'

export type Leading = {
  readonly term: number
  /** Appends an input; `call` is a member's write, which is executed once. */
  readonly enter: (body: InputBody, call?: MemberCall) => void
  /** Stops appending. */
  readonly stop: () => void
}

export type LeadingOptions = {
  readonly term: number
  readonly session: string
  readonly nowMs: () => bigint
  /** The number of the last entry, and the `seq` and time of the last input applied here. */
  readonly last: () => { readonly sequence: number; readonly seq: number; readonly timeMs: bigint }
  readonly append: (entry: LogEntry) => Promise<void>
  /** Applies an appended entry here. */
  readonly take: (entry: LogEntry) => Promise<void>
  /** Called with the milliseconds until the log acknowledged an entry, and its number of inputs. */
  readonly appended: FleetMeasure['appended']
  /** Called with the error after which nothing can be appended. */
  readonly lost: (error: unknown) => void
  /** Maximum size of an entry, in bytes. */
  readonly most: number
}

/** A member's write. `atMs` is the earliest simulation time that it may be stamped with. */
export type MemberCall = { readonly from: CallId; readonly atMs: bigint | undefined }

type Waiting = { readonly body: InputBody; readonly call: MemberCall | undefined }

/** Maximum number of inputs per entry: an entry that takes long to apply delays every client. */
const groupMost = 256

/**
 * At least half as many recent calls are remembered, so that a call sent twice is executed once. Older
 * ones are no longer sent.
 */
const knownMost = 200_000

/** Returns the work of a leader in one term. */
export function createLeading(options: LeadingOptions): Leading {
  const { term, session, nowMs, last, append, take, lost, most, appended } = options
  const line: Waiting[] = []
  const known = recentMap<string, true>(knownMost)
  let isBusy = false
  let isStopped = false

  async function run(): Promise<void> {
    if (isBusy) return
    isBusy = true
    try {
      while (line.length > 0 && !isStopped) {
        const { entry, count } = next()
        const since = performance.now()
        await append(entry)
        appended(performance.now() - since, count)
        await take(entry)
      }
    } catch (error) {
      if (!isStopped) lost(error)
      isStopped = true
    } finally {
      isBusy = false
    }
  }

  /** Takes as many waiting inputs as fit into one entry, but at least one. */
  function next(): { readonly entry: LogEntry; readonly count: number } {
    const { sequence, seq, timeMs } = last()
    const inputs: Stamped[] = []
    let now = laterOf(nowMs(), timeMs)
    let size = 0
    for (let [first] = line; first !== undefined && inputs.length < groupMost; [first] = line) {
      const { body, call } = first
      size += aroundMost + sizeOf(body)
      if (inputs.length > 0 && size > most) break
      line.shift()
      now = laterOf(now, call?.atMs ?? now)
      const input: Input = { ...body, seq: seq + inputs.length + 1, timeMs: now, session }
      inputs.push(call === undefined ? { input } : { input, from: call.from })
    }
    const text = fleetEntryText({ kind: 'inputs', term, inputs })
    return { entry: { sequence: sequence + 1, text }, count: inputs.length }
  }

  return {
    term,
    enter: (body, call) => {
      if (isStopped) return
      if (call !== undefined) {
        const id = `${call.from.member} ${call.from.call}`
        if (known.get(id) === true) return
        known.set(id, true)
      }
      line.push({ body, call })
      void run()
    },
    stop: () => {
      isStopped = true
    },
  }
}
