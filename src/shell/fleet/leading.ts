/**
 * What the leader of a chain does: it stamps inputs with number and time and appends them to the
 * log, those that come meanwhile together.
 */
import { performance } from 'node:perf_hooks'
import type { Input, InputBody } from '../../node/input.ts'
import type { Entry } from '../inputLog/inputLog.ts'
import type { FleetMeasure } from './figures.ts'
import { entryText, type CallId, type Stamped } from './entry.ts'

export type Leading = {
  readonly term: number
  readonly enter: (body: InputBody, from?: CallId) => void
  /** Appends nothing more. */
  readonly stop: () => void
}

export type LeadingOptions = {
  readonly term: number
  readonly session: string
  readonly nowMs: () => bigint
  /** Numbers of the last entry and of the last input that took effect here. */
  readonly last: () => { readonly sequence: number; readonly seq: number; readonly timeMs: bigint }
  readonly append: (entry: Entry) => Promise<void>
  /** Lets an appended entry take effect here. */
  readonly take: (entry: Entry) => Promise<void>
  /** Told how long the acknowledgement of so many inputs took. */
  readonly appended: FleetMeasure['appended']
  /** Told why nothing can be appended any more. */
  readonly lost: (error: unknown) => void
  /** Of an entry, in bytes. */
  readonly most: number
}

type Waiting = { readonly body: InputBody; readonly from: CallId | undefined }

/** Of inputs in one entry: an entry that takes long to apply keeps everybody waiting. */
const groupMost = 256

/** Calls that are remembered, so that one that is sent again is not carried out again. */
const knownMost = 100_000

/** Returns the work of a leader. */
export function createLeading(options: LeadingOptions): Leading {
  const { term, session, nowMs, last, append, take, lost, most, appended } = options
  const line: Waiting[] = []
  const known = new Set<string>()
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

  /** Takes as much from the line as one entry may hold, and one input at least. */
  function next(): { readonly entry: Entry; readonly count: number } {
    const { sequence, seq, timeMs } = last()
    const now = nowMs()
    const inputs: Stamped[] = []
    let size = 0
    for (let [first] = line; first !== undefined && inputs.length < groupMost; [first] = line) {
      const { body, from } = first
      size += sizeOf(body)
      if (inputs.length > 0 && size > most) break
      line.shift()
      const input: Input = { ...body, seq: seq + inputs.length + 1, timeMs: now > timeMs ? now : timeMs, session }
      inputs.push(from === undefined ? { input } : { input, from })
    }
    const text = entryText({ kind: 'inputs', term, inputs })
    return { entry: { sequence: sequence + 1, text }, count: inputs.length }
  }

  return {
    term,
    enter: (body, from) => {
      if (isStopped) return
      if (from !== undefined) {
        const id = `${from.member} ${from.call}`
        if (known.has(id)) return
        known.add(id)
        // Nobody sends a call again once it is this old.
        const [oldest] = known
        if (known.size > knownMost && oldest !== undefined) known.delete(oldest)
      }
      line.push({ body, from })
      void run()
    },
    stop: () => {
      isStopped = true
    },
  }
}

/** About as many bytes as an input takes in an entry. */
function sizeOf(body: InputBody): number {
  return body.kind === 'request' ? 500 + body.body.length + (body.bytes?.length ?? 0) * 2 : 500
}
