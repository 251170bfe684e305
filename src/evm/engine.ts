/** The only entry to the EVM: revm in WebAssembly, synchronous and stateless (design §10). */
import { maxUint64 } from '../codec/goIntegers.ts'
import { txSize, putTx } from './abi.ts'
import { hostImports } from './imports.ts'
import { type Instance, inputCursor, newInstance } from './instance.ts'
import { refusal } from './refusal.ts'
import { cursorAt, putRaw, takeRaw } from './memory.ts'
import { type Job, runJob, SliceOver } from './run.ts'
import { runScript, type Rerun, type ScriptTracer } from './scripts/run.ts'
import { loadedPart } from '../data/loadable.ts'
import type { Scripts } from './scripts/engine.ts'
import { putTraceInput, type Shown, type SingleTracer, traceMost, TraceTooLong } from './trace.ts'
import type { EvmEnv, EvmOptions, EvmRead, EvmResult, EvmTrace, EvmTraceOptions, EvmTracer, EvmTx } from './types.ts'

/**
 * Executes and traces transactions. Calls may nest: a callback may execute another transaction. A
 * callback's exception is rethrown unchanged; an engine failure throws `EvmTrapped`, and the next
 * call works. With a gas slice, an execution may throw `SliceOver`.
 */
export type Engine = {
  /**
   * Returns the effects of a transaction on the state that `read` returns; applies nothing. Gas in
   * units of gas, amounts in wei. An invalid transaction has the status `refused`.
   */
  execute: (env: EvmEnv, tx: EvmTx, read: EvmRead, options?: EvmOptions) => EvmResult
  /** Returns the trace of a transaction; the module state of host precompiles is rolled back. */
  trace: (job: { env: EvmEnv; tx: EvmTx; read: EvmRead }, tracer: EvmTracer, options?: EvmTraceOptions) => EvmTrace
  /** Returns the Keccak-256 digest, 32 bytes; ten times as fast as in JavaScript. */
  keccak256: (bytes: Uint8Array) => Uint8Array
}

/**
 * Returns an engine for a compiled module. Instances are created on demand and reused. The shell
 * puts the interpreter of JavaScript tracers in `scripts`.
 */
export function createEngine(
  module: WebAssembly.Module,
  scripts: Scripts = { part: undefined, isWanted: false },
): Engine {
  const idle: Instance[] = []
  let hasher: Instance | undefined
  const inInstance: InInstance = (work) => {
    const instance = idle.pop() ?? newInstance(module, hostImports)
    try {
      return work(instance)
    } finally {
      if (isWorthKeeping(instance, idle.length)) idle.push(instance)
    }
  }
  return {
    execute: (env, tx, read, options = {}) => executed(inInstance, { env, tx, read, options, writeTrace: undefined }),
    trace: (job, tracer, options = {}) => traced(inInstance, { ...job, tracer, options, scripts }),
    keccak256: (bytes) => {
      hasher ??= newInstance(module, hostImports)
      return hashed(hasher, bytes)
    },
  }
}

/** Runs work in an instance that no other work uses meanwhile. */
type InInstance = <Value>(work: (instance: Instance) => Value) => Value

const idleMax = 4
const keptBytesMax = 128 << 20

/**
 * Returns whether an instance is reused. WebAssembly memory never shrinks, so an instance with too
 * much memory is left to the garbage collector.
 */
function isWorthKeeping({ isBroken, exports }: Instance, idleCount: number): boolean {
  return !isBroken && idleCount < idleMax && exports.memory.buffer.byteLength <= keptBytesMax
}

function executed(inInstance: InInstance, job: Job): EvmResult {
  return refusal(job.env, job.tx) ?? inInstance((instance) => executeIn(instance, job))
}

function executeIn(instance: Instance, job: Job): EvmResult {
  const { slice, onStep } = job.options
  const result = runJob(instance, job, () => {
    putTx(inputCursor(instance, txSize(job.tx)), job.tx)
    return instance.exports.execute(instance.engine, onStep === undefined ? 0 : 1, slice?.left ?? noSlice)
  })
  if (slice === undefined) return result
  slice.left = BigInt.asUintN(64, instance.exports.slice_left(instance.engine))
  if (result.reason?.kind === 'SliceOver') throw new SliceOver()
  return result
}

/** The value for no slice: all bits set. */
const noSlice = maxUint64

function hashed(instance: Instance, bytes: Uint8Array): Uint8Array {
  putRaw(inputCursor(instance, bytes.length), bytes)
  return takeRaw(cursorAt(instance.memory, instance.exports.keccak256(instance.engine) >>> 0), 32)
}

type TraceJob = Omit<Job, 'options' | 'writeTrace'> & {
  tracer: EvmTracer
  options: EvmTraceOptions
  scripts: Scripts
}

const encoder = new TextEncoder()
const decoder = new TextDecoder()

/** Runs the transaction once for its result, which a trace starts with, and once more per tracer. */
function traced(inInstance: InInstance, job: TraceJob): EvmTrace {
  const { env, tx, read, options } = job
  const { bytesMost = traceMost } = options
  const pieces: string[] = []
  let length = 0
  const write =
    options.write ??
    ((piece: Uint8Array) => {
      length += piece.length
      if (length > bytesMost) throw new TraceTooLong()
      pieces.push(decoder.decode(piece))
    })
  const { host, slice } = options
  const plain: Job = {
    env,
    tx,
    read,
    options: { ...(host && { host }), ...(slice && { slice }) },
    writeTrace: () => {},
  }
  const result = executed(inInstance, plain)
  if (result.status === 'refused') return { result, json: '' }
  const gasUsed = options.gasUsed?.(result) ?? result.gasUsed
  const shown: Shown = { result, gasUsed, endsFailed: options.endsFailed ?? true }
  const rerun: Rerun = (tracer, hooks) =>
    inInstance((instance) => {
      runJob(instance, { ...plain, ...hooks }, () => {
        putTraceInput(instance, tx, { tracer, shown })
        return instance.exports.trace(instance.engine)
      })
    })
  writeTracer(job.tracer, write, (tracer) => {
    if (tracer.name !== 'script') return rerun(tracer, { writeTrace: write })
    const engine = loadedPart(job.scripts)
    const { place } = options
    write(encoder.encode(runScript(engine, tracer, { env, tx, read, shown, place, rerun })))
  })
  return { result, json: pieces.join('') }
}

/** Writes a trace. The mux tracer's is an object of its tracers' traces, sorted by name. */
function writeTracer(
  tracer: EvmTracer,
  write: (piece: Uint8Array) => void,
  run: (tracer: SingleTracer | ScriptTracer) => void,
): void {
  if (tracer.name === 'noopTracer') return write(encoder.encode('{}'))
  if (tracer.name !== 'muxTracer') return run(tracer)
  const tracers = Object.entries(tracer.tracers).sort(([a], [b]) => (a < b ? -1 : 1))
  tracers.forEach(([name, inner], index) => {
    write(encoder.encode(`${index === 0 ? '{' : ','}${JSON.stringify(name)}:`))
    writeTracer(inner, write, run)
  })
  write(encoder.encode(tracers.length === 0 ? '{}' : '}'))
}
