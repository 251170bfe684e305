import { assert } from '../errors.ts'
import { type BufferCursor, cursorAt, type Memory, memoryOf } from './memory.ts'
import type { EvmEnv, EvmOptions, EvmRead, HostPrecompiles } from './types.ts'

/** The exports of the engine; memory addresses are numbers (`engine/src/door.rs`). */
export type Exports = {
  memory: WebAssembly.Memory
  engine_new: () => number
  input_reserve: (engine: number, length: number) => number
  set_env: (engine: number) => void
  execute: (engine: number, watched: number, slice: bigint) => number
  slice_left: (engine: number) => bigint
  trace: (engine: number) => number
  keccak256: (engine: number) => number
  view_arguments: (view: number, length: number) => number
  view_account: (view: number) => number
  view_slot: (view: number) => number
  buffer_reserve: (buffer: number, length: number) => number
  frame_arguments: (frame: number, length: number) => number
  journal_balance: (frame: number) => number
  journal_is_contract: (frame: number) => number
  journal_add_balance: (frame: number) => number
  journal_sub_balance: (frame: number) => number
  journal_transfer: (frame: number) => number
  journal_log: (frame: number) => number
  journal_slot: (frame: number) => number
  journal_set_slot: (frame: number) => number
}

/**
 * The callbacks and state of the running transaction. `thrown` holds a callback's first exception:
 * the engine ends the transaction and the caller receives that exception. `undoBase` is the length
 * of the host's undo log at the start of the transaction.
 */
export type Running = {
  read: EvmRead
  host: HostPrecompiles | undefined
  onStep: EvmOptions['onStep']
  writeTrace: ((piece: Uint8Array) => void) | undefined
  /** Receives an event record; returns false to end the events. */
  onScriptEvent: ((event: number, view: number) => boolean) | undefined
  undoBase: number
  thrown: { error: unknown } | undefined
}

/**
 * An instance of the module; `isBroken` is set after a trap, and the instance must not be reused.
 */
export type Instance = {
  exports: Exports
  memory: Memory
  engine: number
  running: Running | undefined
  env: EvmEnv | undefined
  hostAddresses: readonly Uint8Array[] | undefined
  isBroken: boolean
}

const maxReserve = 0xffff_ffff

/** The imports of the engine: functions that look up their instance when called. */
export type Imports = (self: () => Instance) => Record<string, unknown>

/** Returns a new instance; takes about a millisecond. */
export function newInstance(module: WebAssembly.Module, imports: Imports): Instance {
  const instance: { value?: Instance } = {}
  const self = (): Instance => {
    assert(instance.value !== undefined, 'the engine called its host before it was ready')
    return instance.value
  }
  const made = new WebAssembly.Instance(module, { host: imports(self) })
  const exports = made.exports as Exports
  instance.value = {
    exports,
    memory: memoryOf(exports.memory),
    engine: exports.engine_new(),
    running: undefined,
    env: undefined,
    hostAddresses: undefined,
    isBroken: false,
  }
  return instance.value
}

/** Returns the running transaction of an instance. */
export function runningIn(instance: Instance): Running {
  assert(instance.running !== undefined, 'no transaction is running in this engine')
  return instance.running
}

/** Returns a cursor for the input of the next call, `length` bytes long. */
export function inputCursor(instance: Instance, length: number): BufferCursor {
  assert(length <= maxReserve, `${length} bytes of input do not fit in the engine`)
  return cursorAt(instance.memory, instance.exports.input_reserve(instance.engine, length) >>> 0)
}
