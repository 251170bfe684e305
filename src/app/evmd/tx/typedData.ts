/** Builds and hashes typed data for signing (EIP-712), in the domain of Cosmos EVM. */
import type { Plain, PlainObject } from '../../../codec/goJsonWrite.ts'
import { keccak256 } from '../../../crypto/hash.ts'
import {
  integerWord,
  signedTypedData,
  type TypedMember,
  type TypedObject,
  type TypedReader,
} from '../../../crypto/typedData.ts'
import { SimError } from '../../../errors.ts'
import { isJsonObject } from '../../../data/members.ts'

export type Member = TypedMember
export type Types = Map<string, readonly Member[]>

/** Returns members from pairs of name and type. */
export const members = (...pairs: readonly (readonly [string, string])[]): readonly Member[] =>
  pairs.map(([name, type]) => ({ name, type }))

const domainMembers = members(
  ['name', 'string'],
  ['version', 'string'],
  ['chainId', 'uint256'],
  ['verifyingContract', 'string'],
  ['salt', 'string'],
)

/**
 * Returns the bytes whose Keccak hash is signed: `0x1901`, the domain hash, and the hash of a
 * document of type `Tx`. Returns undefined if the document does not fit its types.
 */
export function signedBytes(types: Types, doc: PlainObject, evmChainId: bigint): Uint8Array | undefined {
  const domain = {
    name: 'Cosmos Web3',
    version: '1.0.0',
    chainId: evmChainId,
    verifyingContract: 'cosmos',
    salt: '0',
  }
  const whole = {
    types: new Map([['EIP712Domain', domainMembers], ...types]),
    primaryType: 'Tx',
    domain: objectOf(domain),
    message: objectOf(doc),
    spelledAsGo: true,
  }
  try {
    return signedTypedData(whole, reader)
  } catch (error) {
    if (!(error instanceof DoesNotFit)) throw error
    return undefined
  }
}

const reader: TypedReader<Plain> = {
  objectOf: (value, type) => {
    if (!isJsonObject(value)) throw new DoesNotFit(type)
    return objectOf(value)
  },
  itemsOf: (value, type) => {
    if (!Array.isArray(value)) throw new DoesNotFit(type)
    return value
  },
  wordOf: (value, type) => {
    if (type === 'string') {
      if (typeof value === 'string') return keccak256(new TextEncoder().encode(value))
    } else if (typeof value === 'boolean') return integerWord(value ? 1n : 0n)
    else if (typeof value === 'string' && /^-?\d{1,78}$/.test(value)) return integerWord(BigInt(value))
    else if (typeof value === 'number' || typeof value === 'bigint') return integerWord(BigInt(value))
    throw new DoesNotFit(type)
  },
  surplus: () => new DoesNotFit('struct'),
}

function objectOf(value: PlainObject): TypedObject<Plain> {
  const given = present(value)
  return { size: Object.keys(given).length, get: (name) => given[name] }
}

/** A value of the document does not fit its type; `signedBytes` catches it. */
class DoesNotFit extends SimError {
  constructor(type: string) {
    super('DOES_NOT_FIT', `expected a value of type ${type}`)
  }
}

/** Returns the object without undefined members, which JSON does not have. */
export function present(value: PlainObject): PlainObject {
  return Object.fromEntries(Object.entries(value).filter(([, each]) => each !== undefined))
}
