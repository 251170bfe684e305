/** Answers the state queries of a JavaScript tracer while the transaction runs. */
import { bytesOfDigits, plainHexOf } from '../../codec/hex.ts'
import { createdAddress, saltedAddress } from '../../crypto/contractAddress.ts'
import type { Instance } from '../instance.ts'
import { cursorAt, getU256, putRaw, refreshed, takeBytes, takeRaw, takeU256, takeU64, takeU8 } from '../memory.ts'
import type { EvmRead } from '../types.ts'
import { type Ask, ScriptFailed } from './engine.ts'
import type { MemorySpan, Step } from './events.ts'

/**
 * The sources of the answers: the engine, its state view, the state before and the current step.
 */
export type ScriptSight = {
  readonly instance: Instance
  readonly view: number
  readonly read: EvmRead
  readonly step: Step | undefined
}

/** Returns the function that answers a script's queries; calls `sight` for each query. */
export function answering(sight: () => ScriptSight): Ask {
  return (what, args) => {
    const bytes = args.map((text) => bytesOfDigits(text) ?? new Uint8Array(0))
    const [first = new Uint8Array(0), second = new Uint8Array(0), third = new Uint8Array(0)] = bytes
    switch (what) {
      case 'contract':
        return plainHexOf(createdAddress(first, BigInt(args[1] ?? 0)))
      case 'contract2':
        return plainHexOf(saltedAddress(first, second, third))
      case 'isPrecompiled':
        return isPrecompiled(first) ? '1' : '0'
      case 'balance':
        return account(sight(), first).balance.toString()
      case 'nonce':
        return account(sight(), first).nonce.toString()
      case 'exists':
        return account(sight(), first).exists ? '1' : '0'
      case 'code':
        return plainHexOf(account(sight(), first).code())
      case 'slot':
        return plainHexOf(slot(sight(), first, second))
      default:
        return ofStep(sight(), what, args.map(Number))
    }
  }
}

/**
 * Returns whether an address is a precompile of Prague; like go-ethereum, ignores the chain's own
 * ones.
 */
function isPrecompiled(address: Uint8Array): boolean {
  const last = address[19] ?? 0
  return address.slice(0, 19).every((byte) => byte === 0) && last >= 1 && last <= 0x11
}

function ofStep(sight: ScriptSight, what: string, [from = 0, to = 0]: readonly number[]): string {
  const { instance, step } = sight
  // There is no step before the first instruction.
  if (step === undefined) return ''
  const { stack, memory, input } = step
  switch (what) {
    case 'caller':
      return plainHexOf(step.caller)
    case 'address':
      return plainHexOf(step.address)
    case 'value':
      return step.value.toString()
    case 'input':
      return plainHexOf(copied(instance, input))
    case 'memory':
      return plainHexOf(padded(copied(instance, cutOf(memory, from, to)), to - from))
    case 'peek': {
      const { view } = refreshed(instance.memory)
      return getU256(view, stack.at + 32 * (stack.length - 1 - from)).toString()
    }
    default:
      throw new ScriptFailed(`there is no ${what}`)
  }
}

const copied = ({ memory }: Instance, { at, length }: MemorySpan): Uint8Array =>
  refreshed(memory).bytes.slice(at, at + length)

/** Returns the part of a range that exists; `padded` fills the rest with zeros. */
function cutOf({ at, length }: MemorySpan, from: number, to: number): MemorySpan {
  const start = Math.min(from, length)
  return { at: at + start, length: Math.min(to, length) - start }
}

function padded(bytes: Uint8Array, length: number): Uint8Array {
  const whole = new Uint8Array(length)
  whole.set(bytes)
  return whole
}

type Seen = {
  readonly exists: boolean
  readonly balance: bigint
  readonly nonce: bigint
  readonly code: () => Uint8Array
}

/**
 * Returns the current account; one that the transaction has not touched is read from the state
 * before.
 */
function account({ instance, view, read }: ScriptSight, address: Uint8Array): Seen {
  const cursor = asked(instance, view, { name: 'view_account', parts: [address] })
  if (takeU8(cursor) === 0) {
    const before = read.account(address)
    const { balance = 0n, nonce = 0n } = before ?? {}
    const code = () => (before === undefined ? new Uint8Array(0) : read.code(before.codeHash))
    return { exists: before !== undefined, balance, nonce, code }
  }
  const exists = takeU8(cursor) !== 0
  const balance = takeU256(cursor)
  const nonce = takeU64(cursor)
  const hash = takeRaw(cursor, 32)
  const isLoaded = takeU8(cursor) !== 0
  const own = takeBytes(cursor)
  return { exists, balance, nonce, code: () => (isLoaded ? own : read.code(hash)) }
}

function slot({ instance, view, read }: ScriptSight, address: Uint8Array, key: Uint8Array): Uint8Array {
  const cursor = asked(instance, view, { name: 'view_slot', parts: [address, key] })
  const isKnown = takeU8(cursor) !== 0
  const word = takeRaw(cursor, 32)
  return isKnown ? word : (read.slot(address, key) ?? new Uint8Array(32))
}

type Question = {
  readonly name: 'view_account' | 'view_slot'
  readonly parts: readonly Uint8Array[]
}

function asked({ exports, memory }: Instance, view: number, { name, parts }: Question) {
  const length = parts.reduce((sum, part) => sum + part.length, 0)
  const cursor = cursorAt(memory, exports.view_arguments(view, length) >>> 0)
  for (const part of parts) putRaw(cursor, part)
  return cursorAt(memory, exports[name](view) >>> 0)
}
