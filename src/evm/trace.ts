/** Trace requests: the tracer to run and its options (`engine/src/trace.rs`). */
import { txSize, putTx } from './abi.ts'
import { sameName } from '../codec/codec.ts'
import { DecodeError } from '../codec/decodeError.ts'
import { quantityOfHex } from '../codec/hex.ts'
import { SimError } from '../errors.ts'
import { type Instance, inputCursor } from './instance.ts'
import { namedScripts } from './scripts/named.ts'
import { checkTracerOptions } from './tracerOptions.ts'
import { type BufferCursor, putBytes, putCount, putU64, putU8 } from './memory.ts'
import type { EvmResult, EvmTraceContext, EvmTracer, EvmTx } from './types.ts'

/** A tracer that the engine runs in one pass; noop needs no pass, and mux runs several tracers. */
export type SingleTracer = Exclude<EvmTracer, { name: 'noopTracer' } | { name: 'muxTracer' } | { name: 'script' }>

/**
 * The two passes of a JavaScript tracer: the costs of the steps, then the events for the tracer.
 */
type ScriptRun = { name: 'prices' } | { name: 'script' }

/** The contents of a `request` record besides the tracer's own options. */
export type Shown = { result: EvmResult; gasUsed: bigint; endsFailed: boolean }

const kinds = {
  structLogs: 0,
  callTracer: 1,
  flatCallTracer: 2,
  prestateTracer: 3,
  '4byteTracer': 4,
  erc7562Tracer: 5,
  prices: 6,
  script: 7,
}
const encoder = new TextEncoder()

/** A tracer's options as received in a request. */
type Options = Readonly<Record<string, unknown>>

function bits(...options: (boolean | undefined)[]): number {
  return options.reduce((sum, option, index) => (option === true ? sum | (1 << index) : sum), 0)
}

function flagsOf(tracer: SingleTracer | ScriptRun): number {
  switch (tracer.name) {
    case 'structLogs':
      return bits(tracer.disableStack, tracer.disableStorage, tracer.enableMemory, tracer.enableReturnData)
    case 'callTracer':
      return bits(tracer.onlyTopCall, tracer.withLog)
    case 'flatCallTracer':
      return bits(tracer.convertParityErrors, tracer.includePrecompiles)
    case 'prestateTracer':
      return bits(tracer.diffMode, tracer.disableCode, tracer.disableStorage, tracer.includeEmpty)
    case '4byteTracer':
    case 'prices':
    case 'script':
      return 0
    case 'erc7562Tracer':
      return bits(false, tracer.withLog)
  }
}

/** Writes the engine's input for a trace: the transaction and the request. */
export function putTraceInput(
  instance: Instance,
  tx: EvmTx,
  { tracer, shown }: { tracer: SingleTracer | ScriptRun; shown: Shown },
): void {
  const context = membersOf(tracer)
  const { status } = shown.result
  // What a failed creation returned is no return value.
  const output = status === 'halt' ? new Uint8Array() : shown.result.output
  const requestSize = 4 + 8 + 8 + 12 + output.length + context.before.length + context.after.length
  const size = txSize(tx)
  const cursor = inputCursor(instance, 4 + size + 4 + requestSize)
  putCount(cursor, size)
  putTx(cursor, tx)
  putCount(cursor, requestSize)
  const failed = status !== 'success'
  putU8(cursor, kinds[tracer.name])
  putU8(cursor, flagsOf(tracer))
  putU8(cursor, failed ? 1 : 0)
  putU8(cursor, failed && !shown.endsFailed ? 1 : 0)
  putU64(cursor, tracer.name === 'structLogs' ? BigInt(tracer.limit ?? 0n) : 0n)
  putU64(cursor, shown.gasUsed)
  putTail(cursor, output, context)
}

const range = (from: number, to: number): number[] => Array.from({ length: to - from + 1 }, (_, index) => from + index)

/**
 * The opcodes that erc7562Tracer ignores by default: PUSH, DUP and SWAP up to SWAP15, POP,
 * arithmetic, comparison and bit operations (go-ethereum 1.16.2).
 */
const commonOpcodes = [...range(0x01, 0x04), ...range(0x10, 0x17), 0x19, 0x1b, 0x1c, 0x50, ...range(0x5f, 0x9e)]

type Members = { before: Uint8Array; after: Uint8Array }
const noMembers: Members = { before: new Uint8Array(), after: new Uint8Array() }

function putTail(cursor: BufferCursor, output: Uint8Array, { before, after }: Members): void {
  putBytes(cursor, output)
  putBytes(cursor, before)
  putBytes(cursor, after)
}

function membersOf(tracer: SingleTracer | ScriptRun): Members {
  if (tracer.name === 'flatCallTracer') return contextMembers(tracer.context ?? {})
  if (tracer.name !== 'erc7562Tracer') return noMembers
  return { ...noMembers, before: Uint8Array.from(tracer.ignoredOpcodes ?? commonOpcodes) }
}

function contextMembers(context: EvmTraceContext): Members {
  const before = `,"blockHash":${hash(context.blockHash)},"blockNumber":${context.blockNumber ?? 0n}`
  const after =
    `,"transactionHash":${hash(context.transactionHash)}` + `,"transactionPosition":${context.transactionPosition ?? 0}`
  return { before: encoder.encode(before), after: encoder.encode(after) }
}

function hash(bytes: Uint8Array | undefined): string {
  if (bytes === undefined) return 'null'
  return `"0x${Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')}"`
}

/**
 * Returns the tracer of a request. `options` holds `tracerConfig` or the struct logger's options,
 * named as in go-ethereum's TraceConfig; `text` is their original text. A name that is not a native
 * tracer is JavaScript: the name of a script, or its source. Throws `EvmTracerConfigInvalid`.
 */
export function tracerOf(name: string | undefined, options: Options, text = JSON.stringify(options)): EvmTracer {
  if (name === undefined || name === '') return structLogs(options)
  checkOptions(name, text)
  const on = (key: string): boolean => optionOf(options, key) === true
  switch (name) {
    case 'callTracer':
      return { name, onlyTopCall: on('onlyTopCall'), withLog: on('withLog') }
    case 'flatCallTracer':
      return {
        name,
        convertParityErrors: on('convertParityErrors'),
        includePrecompiles: on('includePrecompiles'),
      }
    case 'prestateTracer':
      if (on('diffMode') && on('includeEmpty')) throw new EvmTracerConfigInvalid(clash, 'Leave one of them out.')
      return {
        name,
        diffMode: on('diffMode'),
        disableCode: on('disableCode'),
        disableStorage: on('disableStorage'),
        includeEmpty: on('includeEmpty'),
      }
    case '4byteTracer':
      return { name }
    case 'erc7562Tracer':
      return { name, withLog: on('withLog'), ...ignoredIn(optionOf(options, 'ignoredOpcodes')) }
    case 'noopTracer':
      return { name }
    case 'muxTracer':
      return { name, tracers: muxed(options) }
    default:
      return { name: 'script', code: namedScripts.get(name) ?? name, config: text }
  }
}

/**
 * Returns whether a tracer, or one inside a mux, is JavaScript. Its run time is not bounded by gas.
 */
export function runsScript(tracer: EvmTracer): boolean {
  if (tracer.name === 'muxTracer') return Object.values(tracer.tracers).some(runsScript)
  return tracer.name === 'script'
}

function checkOptions(name: string, text: string): void {
  try {
    checkTracerOptions(name, text)
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error
    throw new EvmTracerConfigInvalid(error.text, 'Look up the options of the tracer.')
  }
}

const clash = 'cannot use diffMode with includeEmpty'

function structLogs(options: Options): EvmTracer {
  const on = (key: string): boolean => optionOf(options, key) === true
  const limit = optionOf(options, 'limit')
  return {
    name: 'structLogs',
    disableStack: on('disableStack'),
    disableStorage: on('disableStorage'),
    enableMemory: on('enableMemory'),
    enableReturnData: on('enableReturnData'),
    limit: typeof limit === 'bigint' || typeof limit === 'number' ? BigInt(limit) : 0n,
  }
}

// As for the fields of a Go struct, case is ignored, the last one counts, and null is none.
function optionOf(options: Options, key: string): unknown {
  return Object.entries(options).findLast(([name, value]) => value !== null && sameName(name, key))?.[1]
}

/**
 * Reads a list of `hexutil.Uint64`, truncated to bytes as in Go; without a list, returns no option.
 */
function ignoredIn(value: unknown): { ignoredOpcodes?: readonly number[] } {
  if (!Array.isArray(value)) return {}
  return { ignoredOpcodes: value.map(opcodeIn) }
}

function opcodeIn(value: unknown): number {
  if (typeof value !== 'string') throw badOpcode('non-string')
  try {
    return Number(quantityOfHex(value) & 0xffn)
  } catch (error) {
    throw error instanceof DecodeError ? badOpcode(error.text) : error
  }
}

function muxed(options: Options): Readonly<Record<string, EvmTracer>> {
  const entries = Object.entries(options)
  return Object.fromEntries(
    entries.map(([name, config]) => [name, tracerOf(name, optionsIn(config), JSON.stringify(config))]),
  )
}

function optionsIn(value: unknown): Options {
  const isObject = typeof value === 'object' && value !== null
  return isObject ? Object.fromEntries(Object.entries(value)) : {}
}

function badOpcode(reason: string): EvmTracerConfigInvalid {
  const field = 'erc7562TracerConfig.ignoredOpcodes'
  const text = `json: cannot unmarshal ${reason} into Go struct field ${field} of type hexutil.Uint64`
  return new EvmTracerConfigInvalid(text, 'Opcodes are texts such as "0x54".')
}

/** The options of a tracer cannot be read, or exclude each other; the message is Go's. */
export class EvmTracerConfigInvalid extends SimError {
  constructor(message: string, hint: string) {
    super('EVM_TRACER_CONFIG_INVALID', message, { hint })
  }
}

/**
 * The most bytes of a trace, or of all traces of a block. A response takes about sixteen times as much memory while it
 * is made, and V8 may allow a process no more than 2 GB.
 */
export const traceMost = 2 ** 26

/** A trace is so long that its response would exhaust the memory of the process. */
export class TraceTooLong extends SimError {
  constructor() {
    const why = 'the trace is too long, alone or with those before it in its block'
    super('TRACE_TOO_LONG', `${why}: set the option limit or disableStack, or leave out enableMemory`)
  }
}
