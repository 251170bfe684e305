/** Where the chain that a fork goes on from is asked: a node, or what was recorded of one. */
import { SimError } from '../../errors.ts'
import type { Answer } from '../../node/answer.ts'
import type { Side } from '../../node/input.ts'
import { callKey, sentParams } from '../../recording/playback/callKey.ts'
import type { Library } from '../../recording/playback/library.ts'
import type { TapLine } from '../../recording/playback/tapLine.ts'
import { redactCall } from '../../recording/redact/call.ts'
import { cometNames } from '../playback.ts'
import type { WireParams } from '../../rpc/dialect.ts'
import { askNode } from '../recordings/askNode.ts'
import type { Upstreams } from '../recordings/upstream.ts'

/** A call of the other chain. */
export type ForkCall = { readonly side: Side; readonly method: string; readonly params: WireParams }

/** `ask` resolves with what was answered, errors too. Rejects with `ForkAway` or `NotRecorded`. */
export type Source = {
  readonly has: (side: Side) => boolean
  readonly ask: (call: ForkCall) => Promise<Answer>
}

export type NodeSource = {
  readonly upstreams: Upstreams
  /** Told of every exchange that a recording is to keep. */
  readonly note?: (line: TapLine) => void
  readonly timeoutMs?: number
}

const atOnce = 16
const patienceMs = 30_000

/**
 * Returns a node as a source: it is tried three times, and what a gateway says for it is no answer.
 */
export function nodeSource(
  { upstreams, note = () => {}, timeoutMs = patienceMs }: NodeSource,
): Source {
  const began = performance.now()
  const limited = createLimit(atOnce)
  return {
    has: (side) => upstreams[side] !== undefined,
    ask: ({ side, method, params }) => limited(async () => {
      const call = { id: '1', name: method, params }
      const asked = askNode(upstreams, { side, call }, Math.round(performance.now() - began))
      const live = await within(asked, timeoutMs)
      if (live?.line === undefined) throw new ForkAway(
        method, live === undefined ? `nothing within ${timeoutMs} ms` : 'no answer'
      )
      note(live.line)
      return live.answer
    }),
  }
}

/** Returns a recording as a source: of every call the last answer counts. */
export function recordedSource(library: Library, name: string): Source {
  const sides = new Set([...library.answers.keys()].map((key) => key.slice(0, key.indexOf(' '))))
  return {
    has: (side) => sides.has(side),
    ask: async (call) => {
      const { side, method, params } = call
      const key = callKey(
        redactCall({ side, method, params: sentParams(params) }, cometNames), cometNames
      )
      const held = library.answers.get(key)?.at(-1)
      if (held === undefined) throw new NotRecorded(name, call)
      return held.answer
    },
  }
}

async function within<Value>(promise: Promise<Value>, ms: number): Promise<Value | undefined> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<undefined>((done) => { timer = setTimeout(() => done(undefined), ms) })
  try {
    return await Promise.race([promise, late])
  } finally {
    clearTimeout(timer)
  }
}

function textOf(params: WireParams): string {
  const sent = sentParams(params)
  return (typeof sent === 'string' ? sent : JSON.stringify([...sent])).slice(0, 300)
}

type Limit = <Value>(work: () => Promise<Value>) => Promise<Value>

/** Returns what lets so many run at once; the others wait in order. */
function createLimit(most: number): Limit {
  const line: (() => void)[] = []
  let running = 0
  return async (work) => {
    if (running >= most) await new Promise<void>((done) => { line.push(done) })
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

/** The chain that a fork goes on from does not answer: nothing of the input was carried out. */
export class ForkAway extends SimError {
  constructor(method: string, why: string) {
    super('FORK_AWAY', `the chain that this one goes on from was asked for ${method}: ${why}`, {
      hint: 'What is known already is answered. Start from a recording of level fork to need no other chain.',
    })
  }
}

/** A recording of level fork does not have what is needed. */
export class NotRecorded extends SimError {
  constructor(name: string, { method, params }: ForkCall) {
    super('NOT_RECORDED', `${method} ${textOf(params)} was not recorded in ${name}`, {
      hint: 'Record again with this call among those that are made: chainstage record --level fork.',
    })
  }
}
