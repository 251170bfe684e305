/** Arguments out of what the ABI has decoded: the types in the signature say which is which. */
import { assert } from '../../../errors.ts'
import type { AbiValue } from './abi.ts'

type Argument = AbiValue | undefined

/** Returns an address, bytes or fixed bytes. */
export function bytesOf(value: Argument): Uint8Array {
  assert(value instanceof Uint8Array, 'the argument is bytes')
  return value
}

/** Returns a number. */
export function numberOf(value: Argument): bigint {
  assert(typeof value === 'bigint', 'the argument is a number')
  return value
}

/** Returns a text. */
export function textOf(value: Argument): string {
  assert(typeof value === 'string', 'the argument is a text')
  return value
}

/** Returns a flag. */
export function flagOf(value: Argument): boolean {
  assert(typeof value === 'boolean', 'the argument is a flag')
  return value
}

/** Returns the parts of a tuple or the items of an array. */
export function listOf(value: Argument): readonly AbiValue[] {
  assert(Array.isArray(value), 'the argument is a list')
  return value
}
