import {
  type RlpItem,
  type RlpStream,
  encodeRlp,
  enterList,
  leaveList,
  peekRlp,
  RlpError,
  rlpInteger,
  takeString,
  wholeRlp,
} from './rlp.ts'

/** The RLP form of a Go type; `goType` appears in errors. */
export type RlpType<Value> = {
  readonly goType: string
  take(stream: RlpStream): Value
  item(value: Value): RlpItem
}

/** Returns the value encoded by the whole input. Throws `RlpError` with geth's text. */
export function readRlp<Value>(type: RlpType<Value>, bytes: Uint8Array): Value {
  try {
    return wholeRlp(bytes, (stream) => type.take(stream))
  } catch (error) {
    if (!(error instanceof RlpTypeError) || error.context === '') throw error
    throw new RlpTypeError(error.reason, error.goType, `(${type.goType})${error.context}`)
  }
}

/** Returns the canonical RLP of a value. */
export function writeRlp<Value>(type: RlpType<Value>, value: Value): Uint8Array {
  return encodeRlp(type.item(value))
}

/** Returns the type of unsigned integers of up to `bits` bits, encoded without leading zeros. */
export function rlpUint(goType: string, bits: number): RlpType<bigint> {
  return {
    goType,
    take: (stream) => {
      const content = named(goType, () => {
        const head = peekRlp(stream)
        if (head?.kind === 'string' && head.size > bits / 8) throw new RlpTypeError('input string too long', goType)
        return takeString(stream)
      })
      if (content[0] === 0) throw new RlpTypeError('non-canonical integer (leading zero bytes)', goType)
      return content.length === 0 ? 0n : BigInt(`0x${Buffer.from(content).toString('hex')}`)
    },
    item: rlpInteger,
  }
}

/** The type of byte strings of any length. */
export const rlpBytes: RlpType<Uint8Array> = {
  goType: '[]uint8',
  take: (stream) => named('[]uint8', () => takeString(stream)),
  item: (value) => value,
}

/** Returns the type of byte strings with a fixed length. */
export function rlpFixed(goType: string, size: number): RlpType<Uint8Array> {
  return {
    goType,
    take: (stream) => {
      const content = named(goType, () => takeString(stream))
      if (content.length === size) return content
      throw new RlpTypeError(content.length < size ? 'input string too short' : 'input string too long', goType)
    },
    item: (value) => value,
  }
}

/** Returns a type that decodes an empty string as undefined: geth's `rlp:"nil"`. */
export function rlpNil(type: RlpType<Uint8Array>): RlpType<Uint8Array | undefined> {
  return {
    goType: `*${type.goType}`,
    take: (stream) => {
      const head = peekRlp(stream)
      if (head === undefined || head.size > 0) return type.take(stream)
      if (head.kind === 'list') {
        throw new RlpTypeError('wrong kind of empty value (got List, want String)', `*${type.goType}`)
      }
      takeString(stream)
      return undefined
    },
    item: (value) => value ?? new Uint8Array(0),
  }
}

/** Returns the type of lists with one element type. */
export function rlpList<Value>(goType: string, element: RlpType<Value>): RlpType<readonly Value[]> {
  return {
    goType,
    take: (stream) => {
      named(goType, () => enterList(stream))
      const values: Value[] = []
      while (peekRlp(stream) !== undefined) {
        values.push(within(`[${values.length}]`, () => element.take(stream)))
      }
      leaveList(stream)
      return values
    },
    item: (value) => value.map((each) => element.item(each)),
  }
}

/** A struct field: its name here, its name in Go and its type. */
export type RlpField = readonly [key: string, goName: string, type: RlpType<unknown>]

/** Returns the type of structs, which are lists with one position per field. */
export function rlpStruct<Value extends object>(goType: string, fields: readonly RlpField[]): RlpType<Value> {
  return {
    goType,
    take: (stream) => {
      named(goType, () => enterList(stream))
      const value: Record<string, unknown> = {}
      for (const [key, goName, type] of fields) {
        if (peekRlp(stream) === undefined) throw new RlpTypeError('too few elements', goType)
        value[key] = within(`.${goName}`, () => type.take(stream))
      }
      named(goType, () => leaveList(stream))
      return value as Value
    },
    item: (value) => fields.map(([key, , type]) => type.item(Reflect.get(value, key))),
  }
}

function named<Value>(goType: string, take: () => Value): Value {
  try {
    return take()
  } catch (error) {
    if (!(error instanceof RlpError) || !error.open) throw error
    throw new RlpTypeError(error.message.slice('rlp: '.length), goType)
  }
}

function within<Value>(place: string, take: () => Value): Value {
  try {
    return take()
  } catch (error) {
    if (!(error instanceof RlpTypeError)) throw error
    throw new RlpTypeError(error.reason, error.goType, place + error.context)
  }
}

/** RLP that does not fit the Go type; the error text gives the type and the path to the field. */
export class RlpTypeError extends RlpError {
  readonly reason: string
  readonly goType: string
  readonly context: string

  constructor(reason: string, goType: string, context = '') {
    super(`rlp: ${reason} for ${goType}${context === '' ? '' : `, decoding into ${context}`}`)
    this.reason = reason
    this.goType = goType
    this.context = context
  }
}
