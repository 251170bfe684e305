/** Precompile 0x400: converts addresses between hex and bech32 (cosmos/evm precompiles/bech32). */
import { type Addressing, prefixOf } from '../address.ts'
import { anyBech32Of, Bech32Error, readBech32 } from '../../../codec/bech32.ts'
import { hexOf } from '../../../codec/hex.ts'
import { concatBytes } from '../../../data/bytes.ts'
import { type AbiType, abiTypes, decodeAbi, encodeAbi } from './abi.ts'
import { bytesArgument, textArgument } from './arguments.ts'
import { Halted } from './halted.ts'
import type { PlainFunction } from './precompile.ts'
import { Reverted } from './reverted.ts'
import { selectorOfSignature } from './selector.ts'

/** Both functions cost the same. Invalid input consumes all gas of the call. */
export const bech32Precompile: PlainFunction = { kind: 'plain', gas: 6_000n, run }

const toText = selectorOfSignature('hexToBech32(address,string)')
const toBytes = selectorOfSignature('bech32ToHex(string)')

function run(input: Uint8Array, at: Addressing): Uint8Array {
  if (input.length < 4) throw new Reverted('')
  const selector = hexOf(input.subarray(0, 4))
  const rest = input.subarray(4)
  if (selector === toText) {
    const [address, prefix] = argumentsIn(abiTypes('address,string'), rest)
    return encodeAbi(abiTypes('string'), [spell(at, bytesArgument(address), textArgument(prefix))])
  }
  if (selector !== toBytes) throw new Halted(`no method with id: ${selector}`)
  const [text] = argumentsIn(abiTypes('string'), rest)
  return encodeAbi(abiTypes('address'), [read(textArgument(text))])
}

function argumentsIn(types: readonly AbiType[], data: Uint8Array) {
  try {
    return decodeAbi(types, data)
  } catch (error) {
    if (error instanceof Reverted) throw new Halted(error.message)
    throw error
  }
}

function spell(at: Addressing, address: Uint8Array, prefix: string): string {
  if (prefix.trim() === '') {
    const kinds = ['account', 'operator', 'consensus'] as const
    const examples = kinds.map((kind) => prefixOf(at, kind)).join(', ')
    const wanted = 'Please provide a either an account, validator or consensus address prefix'
    throw new Halted(`invalid bech32 human readable prefix (HRP). ${wanted} (eg: ${examples})`)
  }
  return anyBech32Of(prefix, address)
}

function read(text: string): Uint8Array {
  if (!text.includes('1')) throw new Halted(`invalid bech32 address: ${text}`)
  const bytes = decoded(text)
  if (bytes.length > 255) throw new Halted(`address max length is 255, got ${bytes.length}`)
  if (bytes.length >= 20) return bytes.slice(-20)
  return concatBytes([new Uint8Array(20 - bytes.length), bytes])
}

/**
 * Returns the bytes of a bech32 address. The node compares the prefix as written with the decoded
 * lower-case one, so an upper-case prefix fails.
 */
function decoded(text: string): Uint8Array {
  try {
    const { prefix, bytes } = readBech32(text)
    const written = text.slice(0, text.indexOf('1'))
    if (written === prefix) return bytes
    throw new Halted(`invalid Bech32 prefix; expected ${written}, got ${prefix}`)
  } catch (error) {
    if (error instanceof Bech32Error) throw new Halted(error.message)
    throw error
  }
}
