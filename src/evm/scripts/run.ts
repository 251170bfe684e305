/** Runs a transaction with a JavaScript tracer (go-ethereum's `eth/tracers/js`, 1.16). */
import { plainHexOf } from '../../codec/hex.ts'
import { createdAddress } from '../../crypto/contractAddress.ts'
import { concatBytes } from '../../data/bytes.ts'
import type { Instance } from '../instance.ts'
import { cursorAt } from '../memory.ts'
import { opcodeName } from '../opcodes.ts'
import type { Job } from '../run.ts'
import type { Shown, SingleTracer } from '../trace.ts'
import type { EvmEnv, EvmRead, EvmTracePlace, EvmTracer, EvmTx } from '../types.ts'
import { type Realm, ScriptFailed, type ScriptEngine, ScriptStopped } from './engine.ts'
import { type Price, priceReader, type ScriptEvent, takeEvent } from './events.ts'
import { limitsOf, mostSteps, type ScriptLimits } from './limits.ts'
import { answering, type ScriptSight } from './view.ts'

export type ScriptTracer = Extract<EvmTracer, { name: 'script' }>

type Hooks = Pick<Job, 'writeTrace' | 'onScriptEvent'>

/** Runs the traced transaction again. */
export type Rerun = (tracer: SingleTracer | { name: 'prices' } | { name: 'script' }, hooks: Hooks) => void

type Scripted = {
  readonly env: EvmEnv
  readonly tx: EvmTx
  readonly read: EvmRead
  readonly shown: Shown
  readonly place: EvmTracePlace | undefined
  readonly rerun: Rerun
}

/**
 * Returns the value of the tracer's `result` function as JSON text. Throws `ScriptFailed` with the
 * node's text if the source is not a tracer, one of its functions throws, or it runs for too long.
 */
export function runScript(engine: ScriptEngine, tracer: ScriptTracer, job: Scripted): string {
  let sight: ScriptSight | undefined
  const ask = answering(() => {
    if (sight === undefined) throw new ScriptFailed('there is no state before the transaction runs')
    return sight
  })
  const limits = limitsOf(tracer.timeoutNanos)
  const realm = engine.open(engine.surroundings, ask, limits.share)
  try {
    const hooks = answered(realm.call('load', [tracer.code, tracer.config]))
    const session = createSession(realm, { hooks, job, limits, prices: pricesOf(job) })
    job.rerun(
      { name: 'script' },
      {
        writeTrace: () => {},
        onScriptEvent: (instance, at, view) => {
          const event = takeEvent(cursorAt(instance.memory, at))
          sight = sightOf(instance, view, { event, read: job.read, before: sight })
          return session.tell(event)
        },
      },
    )
    return session.result()
  } finally {
    realm.close()
  }
}

type Seen = {
  readonly event: ScriptEvent
  readonly read: EvmRead
  readonly before: ScriptSight | undefined
}

/** Returns the tracer's view of the state; between instructions the last step stays visible. */
function sightOf(instance: Instance, view: number, { event, read, before }: Seen): ScriptSight {
  return { instance, view, read, step: event.kind === 'step' ? event.step : before?.step }
}

/** Returns a function that reads the steps' prices one by one. */
function pricesOf({ rerun }: Scripted): () => Price | undefined {
  const pieces: Uint8Array[] = []
  let length = 0
  rerun(
    { name: 'prices' },
    {
      writeTrace: (piece) => {
        // A price has 17 bytes and, with error texts, less than twice that on average.
        if (length < 2 * 17 * mostSteps) pieces.push(piece)
        length += piece.length
      },
    },
  )
  return priceReader(concatBytes(pieces))
}

/** Returns the value in a response of the prelude, or throws its error. */
function answered(text: string): string {
  if (text.startsWith('=')) return text.slice(1)
  throw new ScriptFailed(text.slice(1))
}

type Told = readonly (string | number | undefined)[]

type Session = {
  readonly tell: (event: ScriptEvent) => boolean
  readonly result: () => string
}

type Telling = {
  readonly hooks: string
  readonly job: Scripted
  readonly limits: ScriptLimits
  readonly prices: () => Price | undefined
}

/**
 * Returns a session that passes events to the tracer. The first failure of a tracer function
 * becomes the trace's error and ends the events.
 */
function createSession(realm: Realm, { hooks, job, limits, prices }: Telling): Session {
  let steps = 0
  // For a tracer without `step`, the last instruction is passed just before another function is
  // called.
  let unseen: Told | undefined
  let json = ''
  let failure: ScriptFailed | undefined
  const [hasStep, hasFrames] = [hooks.includes('step'), hooks.includes('enter')]
  const told = (where: string, args: Told): string => {
    try {
      if (unseen !== undefined) realm.call('see', unseen)
      unseen = undefined
      return answered(realm.call(where, args))
    } catch (error) {
      failure = failed(error, where)
      return ''
    }
  }
  const step = (event: Extract<ScriptEvent, { kind: 'step' }>): void => {
    steps += 1
    const price = prices()
    if (price === undefined || steps > limits.steps) {
      failure = failed(new ScriptStopped('execution timeout'), 'step')
      return
    }
    const { pc, opcode, gas, depth, stack, memory } = event.step
    const error = price.outcome === 'cannotRun' ? price.text : undefined
    const seen = [
      pc,
      opcode,
      opcodeName(opcode),
      gas,
      price.cost,
      depth,
      price.refund,
      stack.length,
      memory.length,
      error,
    ]
    if (hasStep) told('step', seen)
    else unseen = seen
    if (price.outcome === 'faults' && failure === undefined) told('fault', [price.text])
  }
  return {
    tell: (event) => {
      if (failure !== undefined) return event.kind !== 'step'
      if (event.kind === 'step') step(event)
      else if (event.kind === 'end') json = told('result', [contextOf(job, event)])
      else if (hasFrames) told(event.kind, [event.told])
      return failure === undefined
    },
    result: () => {
      if (failure !== undefined) throw failure
      return json
    },
  }
}

function failed(error: unknown, where: string): ScriptFailed {
  if (error instanceof ScriptFailed) return error
  if (!(error instanceof ScriptStopped)) throw error
  return new ScriptFailed(`${error.message}    in server-side tracer function '${where}'`)
}

/** Returns the context that the tracer's `result` receives; as on the node, its gas price is 0. */
function contextOf({ env, tx, read, shown, place }: Scripted, end: Extract<ScriptEvent, { kind: 'end' }>): string {
  const failedUnended = end.error !== undefined && !shown.endsFailed
  const nonce = tx.to === undefined ? (read.account(tx.from)?.nonce ?? 0n) : 0n
  return JSON.stringify({
    type: tx.to === undefined ? 'CREATE' : 'CALL',
    from: plainHexOf(tx.from),
    to: plainHexOf(tx.to ?? createdAddress(tx.from, nonce)),
    input: plainHexOf(tx.data),
    value: tx.value.toString(),
    gas: Number(tx.gasLimit),
    gasPrice: '0',
    block: Number(env.height),
    coinbase: plainHexOf(env.coinbase),
    output: plainHexOf(end.output),
    error: end.error,
    ...(failedUnended ? {} : { gasUsed: Number(shown.gasUsed) }),
    ...(place === undefined ? {} : { blockHash: plainHexOf(place.blockHash) }),
    ...(place?.transaction === undefined
      ? {}
      : {
          txIndex: place.transaction.index,
          txHash: plainHexOf(place.transaction.hash),
        }),
  })
}
