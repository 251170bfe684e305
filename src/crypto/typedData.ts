/**
 * Hashes of typed data (EIP-712), whatever form its values have:
 *
 *     signed bytes     = 0x19 0x01 ‖ hash of the domain ‖ hash of the message
 *     hash of a struct = keccak256(keccak256(type) ‖ word of each member)
 *
 * A type is spelled with the types it uses, sorted by name: `Mail(Person to)Person(string name)`.
 */
import { concatBytes } from '../data/bytes.ts'
import { keccak256 } from './hash.ts'

export type TypedMember = { readonly name: string; readonly type: string }
export type TypedTypes = ReadonlyMap<string, readonly TypedMember[]>

/** An object of the document. */
export type TypedObject<Value> = {
  readonly size: number
  readonly get: (name: string) => Value | undefined
}

/** Reads the values of a document. Each function throws if a value does not fit its type. */
export type TypedReader<Value> = {
  readonly objectOf: (value: Value | undefined, type: string) => TypedObject<Value>
  readonly itemsOf: (value: Value | undefined, type: string) => readonly Value[]
  /** Returns the 32 bytes of a value whose type is neither a list nor a struct. */
  readonly wordOf: (value: Value | undefined, type: string) => Uint8Array
  /** Returns the error for an object with more members than its type. */
  readonly surplus: (expected: number, given: number) => Error
}

/** A document: its types with `EIP712Domain`, the type of its message, and both objects. */
export type TypedDocument<Value> = {
  readonly types: TypedTypes
  readonly primaryType: string
  readonly domain: TypedObject<Value>
  readonly message: TypedObject<Value>
  /** Whether a type without members is spelled as go-ethereum does, `Empty)`, and not as EIP-712 says, `Empty()`. */
  readonly spelledAsGo?: boolean
}

/** Returns the bytes whose Keccak hash is signed. Throws an error of the reader. */
export function signedTypedData<Value>(
  { types, primaryType, domain, message, spelledAsGo = false }: TypedDocument<Value>,
  reader: TypedReader<Value>,
): Uint8Array {
  return concatBytes([Uint8Array.of(0x19, 0x01), structHash('EIP712Domain', domain), structHash(primaryType, message)])

  function spelled(type: string): string {
    const text = spelledType(types, type)
    return spelledAsGo ? text.replaceAll('()', ')') : text
  }

  function structHash(type: string, { size, get }: TypedObject<Value>): Uint8Array {
    const members = types.get(type) ?? []
    if (members.length < size) throw reader.surplus(members.length, size)
    const words = members.map((member) => wordOf(member.type, get(member.name)))
    return keccak256(concatBytes([keccak256(new TextEncoder().encode(spelled(type))), ...words]))
  }

  function wordOf(type: string, value: Value | undefined): Uint8Array {
    const item = /^(.*)\[\d*\]$/.exec(type)?.[1]
    if (item !== undefined) {
      return keccak256(concatBytes(reader.itemsOf(value, type).map((each) => wordOf(item, each))))
    }
    return types.has(type) ? structHash(type, reader.objectOf(value, type)) : reader.wordOf(value, type)
  }
}

function spelledType(types: TypedTypes, type: string): string {
  const used = new Set<string>()
  const visit = (name: string): void => {
    const members = types.get(name)
    if (members === undefined || used.has(name)) return
    used.add(name)
    for (const member of members) visit(member.type.replace(/\[.*$/, ''))
  }
  visit(type)
  used.delete(type)
  return [type, ...[...used].sort()]
    .map((name) => `${name}(${(types.get(name) ?? []).map((one) => `${one.type} ${one.name}`).join(',')})`)
    .join('')
}

/** Returns the word of an integer: 32 bytes, in two's complement if it is negative. */
export function integerWord(value: bigint): Uint8Array {
  const word = new Uint8Array(32)
  const unsigned = BigInt.asUintN(256, value)
  for (let at = 0; at < 32; at++) word[31 - at] = Number((unsigned >> BigInt(8 * at)) & 255n)
  return word
}
