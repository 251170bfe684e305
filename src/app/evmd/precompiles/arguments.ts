/**
 * Typed access to ABI-decoded arguments. The caller knows each type from the method's signature.
 */
import { assert } from '../../../errors.ts'
import type { AbiValue } from './abi.ts'

type Argument = AbiValue | undefined

/** Returns an address, bytes or fixed bytes as bytes. */
export function bytesArgument(value: Argument): Uint8Array {
  assert(value instanceof Uint8Array, 'the argument is bytes')
  return value
}

/** Returns an integer argument. */
export function integerArgument(value: Argument): bigint {
  assert(typeof value === 'bigint', 'the argument is a number')
  return value
}

/** Returns a string argument. */
export function textArgument(value: Argument): string {
  assert(typeof value === 'string', 'the argument is a text')
  return value
}

/** Returns a boolean argument. */
export function flagArgument(value: Argument): boolean {
  assert(typeof value === 'boolean', 'the argument is a flag')
  return value
}

/** Returns the members of a tuple or the items of an array. */
export function listArgument(value: Argument): readonly AbiValue[] {
  assert(Array.isArray(value), 'the argument is a list')
  return value
}
