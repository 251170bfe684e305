/**
 * Events of a transaction that the engine sends to a JavaScript tracer
 * (`engine/src/trace/script.rs`).
 */
import { plainHexOf } from '../../codec/hex.ts'
import { assert } from '../../errors.ts'
import { type BufferCursor, takeBytes, takeCount, takeRaw, takeU256, takeU64, takeU8 } from '../memory.ts'

/** Bytes in the engine's memory, valid during the event. */
export type MemorySpan = { readonly at: number; readonly length: number }

/** An instruction before it runs. Stack words are little-endian; `stack.length` counts words. */
export type Step = {
  readonly pc: number
  readonly opcode: number
  readonly gas: number
  readonly depth: number
  readonly stack: MemorySpan
  readonly memory: MemorySpan
  readonly caller: Uint8Array
  readonly address: Uint8Array
  readonly value: bigint
  readonly input: MemorySpan
}

/** An event. `told` is JSON for the prelude: bytes as hex digits, amounts as decimal digits. */
export type ScriptEvent =
  | { readonly kind: 'step'; readonly step: Step }
  | { readonly kind: 'enter'; readonly told: string }
  | { readonly kind: 'exit'; readonly told: string }
  | { readonly kind: 'end'; readonly output: Uint8Array; readonly error: string | undefined }

const decoder = new TextDecoder()

const takeSpan = (cursor: BufferCursor): MemorySpan => ({ at: takeCount(cursor), length: takeCount(cursor) })

/** Returns the event at the cursor. */
export function takeEvent(cursor: BufferCursor): ScriptEvent {
  const kind = takeU8(cursor)
  if (kind === 0) return { kind: 'step', step: takeStep(cursor) }
  if (kind === 1) return { kind: 'enter', told: takeEntered(cursor) }
  const left = takeLeft(cursor)
  if (kind === 3) return { kind: 'end', ...left }
  assert(kind === 2, `the engine told of an event of kind ${kind}`)
  const { gasUsed, output, error } = left
  return { kind: 'exit', told: JSON.stringify({ gasUsed, output: plainHexOf(output), error }) }
}

function takeStep(cursor: BufferCursor): Step {
  return {
    pc: takeCount(cursor),
    opcode: takeU8(cursor),
    gas: Number(takeU64(cursor)),
    depth: takeCount(cursor),
    stack: takeSpan(cursor),
    memory: takeSpan(cursor),
    caller: takeRaw(cursor, 20),
    address: takeRaw(cursor, 20),
    value: takeU256(cursor),
    input: takeSpan(cursor),
  }
}

function takeEntered(cursor: BufferCursor): string {
  const type = decoder.decode(takeBytes(cursor))
  const from = plainHexOf(takeRaw(cursor, 20))
  const to = plainHexOf(takeRaw(cursor, 20))
  const gas = Number(takeU64(cursor))
  const hasValue = takeU8(cursor) !== 0
  const value = takeU256(cursor)
  const input = plainHexOf(takeBytes(cursor))
  const entered = { type, from, to, gas, input }
  return JSON.stringify(hasValue ? { ...entered, value: value.toString() } : entered)
}

function takeLeft(cursor: BufferCursor) {
  const gasUsed = Number(takeU64(cursor))
  const output = takeBytes(cursor)
  const error = decoder.decode(takeBytes(cursor))
  return { gasUsed, output, error: error === '' ? undefined : error }
}

/** The price of an instruction and its outcome: it runs, faults, or cannot run at all. */
export type Price = {
  readonly cost: number
  readonly refund: number
  readonly outcome: 'runs' | 'faults' | 'cannotRun'
  readonly text: string | undefined
}

const outcomes = ['runs', 'faults', 'cannotRun'] as const

/** Returns a function that reads the prices one by one, and undefined after the last one. */
export function priceReader(bytes: Uint8Array): () => Price | undefined {
  const cursor: BufferCursor = { bytes, view: new DataView(bytes.buffer, bytes.byteOffset), at: 0 }
  return () => {
    if (cursor.at >= bytes.length) return undefined
    const cost = Number(takeU64(cursor))
    const refund = Number(takeU64(cursor))
    const outcome = outcomes[takeU8(cursor)]
    assert(outcome !== undefined, 'the engine told of an unknown outcome')
    const text = outcome === 'runs' ? undefined : decoder.decode(takeBytes(cursor))
    return { cost, refund, outcome, text }
  }
}
