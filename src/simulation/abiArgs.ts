/** Arguments of contracts as scenario files write them, as the ABI encodes them. */
import { abiTypes, encodeAbi, type AbiType, type AbiValue } from '../app/evmd/precompiles/abi.ts'
import { bytesOfHex } from '../codec/hex.ts'
import { concatBytes } from '../data/bytes.ts'
import { SimError } from '../errors.ts'
import type { PlannedData } from '../node/planTx.ts'
import { amount } from '../scenario/units.ts'

/** Returns the data of a planned transaction; `addressOf` knows whom names stand for. Throws `BadArgument`. */
export function dataOf({ head, types, args }: PlannedData, addressOf: (who: string) => Uint8Array): Uint8Array {
  const wanted = typesOf(types)
  if (wanted.length !== args.length) throw new BadArgument(`expected ${wanted.length} arguments (${types}), received ${args.length}`)
  const values = wanted.map((type, index) => valueOf(type, args[index], addressOf))
  if (wanted.length === 0) return head
  try {
    return concatBytes([head, encodeAbi(wanted, values)])
  } catch (error) {
    throw new BadArgument(error instanceof Error ? error.message : String(error))
  }
}

function typesOf(text: string): readonly AbiType[] {
  try {
    return abiTypes(text.replace(/\b(uint|int)(?!\d)/g, '$1256'))
  } catch (error) {
    throw new BadArgument(error instanceof Error ? error.message : String(error))
  }
}

function valueOf(type: AbiType, value: unknown, addressOf: (who: string) => Uint8Array): AbiValue {
  switch (type.kind) {
    case 'address': return typeof value === 'string' ? addressOf(value) : refuse('an account', value)
    case 'bool': return typeof value === 'boolean' ? value : refuse('true or false', value)
    case 'string': return typeof value === 'string' ? value : refuse('a text', value)
    case 'uint':
    case 'int': return integerOf(value)
    case 'bytes': return typeof value === 'string' && value.startsWith('0x') ? bytesOfHex(value) : refuse('0x hex', value)
    case 'fixed': {
      const bytes = typeof value === 'string' && value.startsWith('0x') ? bytesOfHex(value) : undefined
      return bytes?.length === type.size ? bytes : refuse(`${type.size} bytes of 0x hex`, value)
    }
    case 'array': return listOf(value).map((one) => valueOf(type.item, one, addressOf))
    case 'tuple': return listOf(value).map((one, index) => {
      const part = type.parts[index]
      return part === undefined ? refuse(`${type.parts.length} values`, value) : valueOf(part, one, addressOf)
    })
  }
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : refuse('a list', value)
}

/** A number, or an amount with its unit. */
function integerOf(value: unknown): bigint {
  if (typeof value === 'number' && Number.isSafeInteger(value)) return BigInt(value)
  if (typeof value !== 'string') return refuse('an integer', value)
  if (/^(-?\d+|0x[0-9a-fA-F]+)$/.test(value)) return BigInt(value)
  return amount(value) ?? refuse("an integer or an amount like '1.5 evm'", value)
}

function refuse(expected: string, value: unknown): never {
  throw new BadArgument(`expected ${expected}, received ${JSON.stringify(value)}`)
}

/** An argument is not of its type, or there are too few of them. */
export class BadArgument extends SimError {
  constructor(text: string) {
    super('BAD_ARGUMENT', text)
  }
}
