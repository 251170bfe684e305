/** The source of a forked chain's state and history: a node or a recording. */
import type { Answer } from '../../node/answer.ts'
import type { Side } from '../../settings/side.ts'
import { callKey, sentParams, keyParts } from '../../recording/playback/callKey.ts'
import type { Library } from '../../recording/playback/library.ts'
import type { TapLine } from '../../recording/playback/tapLine.ts'
import { redactCall } from '../../recording/redactCall.ts'
import { cometNames } from '../playback.ts'
import { afterWaiting } from '../afterReading.ts'
import { askNode } from '../recordings/askNode.ts'
import type { Upstreams } from '../recordings/upstream.ts'
import { ForkAway, type ForkCall, NotRecorded } from './unanswered.ts'

/** `ask` resolves with a result or an error response. Rejects with `ForkAway`, `ForkChanged` or `NotRecorded`. */
export type ForkSource = {
  /** The node or recording, for error messages. A URL is named without its path, which may contain a key. */
  readonly name: string
  readonly has: (side: Side) => boolean
  readonly ask: (call: ForkCall) => Promise<Answer>
}

export type NodeSource = {
  readonly upstreams: Upstreams
  /** Receives every exchange that a recording keeps. */
  readonly note?: (line: TapLine) => void
  readonly timeoutMs?: number
}

const atOnce = 16
const patienceMs = 30_000

/** Calls to a silent node fail for so long, in ms, before one is tried again. */
const restMs = 1000

/**
 * Returns a node as a source. Each call is tried three times; a gateway error is not an answer. When a call
 * gets no response in time, and no other call got one meanwhile, the calls that wait fail with it.
 */
export function nodeSource({ upstreams, note = () => {}, timeoutMs = patienceMs }: NodeSource): ForkSource {
  const began = performance.now()
  const limited = createLimit(atOnce)
  let answeredAt = Number.NEGATIVE_INFINITY
  let silentUntil = Number.NEGATIVE_INFINITY
  const name = `the node at ${(upstreams.eth ?? upstreams.comet)?.origin}`
  return {
    name,
    has: (side) => upstreams[side] !== undefined,
    ask: ({ side, method, params }) =>
      limited(async () => {
        const call = { id: '1', name: method, params }
        const at = performance.now()
        const asked = at < silentUntil ? undefined : askNode(upstreams, { side, call }, Math.round(at - began))
        const live = asked && (await within(asked, timeoutMs))
        if (live === undefined) {
          if (asked !== undefined && answeredAt < at) silentUntil = performance.now() + restMs
          throw new ForkAway(name, method, `no response within ${timeoutMs} ms`)
        }
        answeredAt = performance.now()
        if (live.line === undefined) throw new ForkAway(name, method, live.why)
        note(live.line)
        return live.answer
      }),
  }
}

/** Returns a recording as a source. The last recorded answer to a call is used. */
export function recordedSource(library: Library, name: string): ForkSource {
  const sides = new Set([...library.answers.keys()].map((key) => keyParts(key).side))
  return {
    name,
    has: (side) => sides.has(side),
    ask: async (call) => {
      const { side, method, params } = call
      const key = callKey(redactCall({ side, method, params: sentParams(params) }, cometNames), cometNames)
      const held = library.answers.get(key)?.at(-1)
      if (held === undefined) throw new NotRecorded(name, call)
      return held.answer
    },
  }
}

/**
 * Resolves with the answer of the other chain, or with undefined if a recording lacks it: a recording
 * cannot contain every unknown hash. Rejects with `ForkAway`: a node that is away may know the hash.
 */
export async function knownAnswer(source: ForkSource, call: ForkCall): Promise<Answer | undefined> {
  try {
    return await source.ask(call)
  } catch (error) {
    if (error instanceof NotRecorded) return undefined
    throw error
  }
}

/** Resolves with undefined if this process has waited so long for the promise. */
async function within<Value>(promise: Promise<Value>, ms: number): Promise<Value | undefined> {
  let cancel = () => {}
  const late = new Promise<undefined>((done) => {
    cancel = afterWaiting(() => done(undefined), ms)
  })
  try {
    return await Promise.race([promise, late])
  } finally {
    cancel()
  }
}

type Limit = <Value>(work: () => Promise<Value>) => Promise<Value>

/** Returns a function that runs at most `most` tasks at once; others wait in order. */
function createLimit(most: number): Limit {
  const line: (() => void)[] = []
  let running = 0
  return async (work) => {
    if (running >= most)
      await new Promise<void>((done) => {
        line.push(done)
      })
    else running += 1
    try {
      return await work()
    } finally {
      const next = line.shift()
      if (next === undefined) running -= 1
      else next()
    }
  }
}
