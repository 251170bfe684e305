import { goRanges, type IntegerKind } from './goIntegers.ts'
import { DecodeError, insideStruct, mismatchError } from './decodeError.ts'
import type { Json, JsonObject } from './goJson.ts'
import { plainOf, type Plain, type PlainObject } from './goJsonWrite.ts'

/** A JSON Schema of the wire form, shown by dashboards, OpenRPC and `chainstage methods`. */
export type Schema = Readonly<Record<string, unknown>>

/**
 * Converts between a value and its wire form. `decode` returns the value or throws DecodeError with
 * the path. `encode` returns a plain value for `writeJson`. `absent` returns the value of an
 * omitted member or parameter; without `absent`, the value is required.
 */
export type Codec<Value> = {
  readonly schema: Schema
  decode(wire: Json, path: string): Value
  encode(value: Value): Plain
  absent?(): Value
}

/** Codec of booleans; null decodes as false, as in Go (corrections-b). */
export const bool: Codec<boolean> = {
  schema: { type: 'boolean' },
  decode: (wire, path) => {
    if (wire.type === 'bool') return wire.value
    if (wire.type === 'null') return false
    throw mismatch(wire, path, 'bool')
  },
  encode: (value) => value,
}

/** Returns the codec of a string; null decodes as empty, as in Go. `goType` appears in errors. */
export function text(goType = 'string'): Codec<string> {
  return {
    schema: { type: 'string' },
    decode: (wire, path) => {
      if (wire.type === 'string') return wire.value
      if (wire.type === 'null') return ''
      throw mismatch(wire, path, goType)
    },
    encode: (value) => value,
  }
}

/** Returns the codec of a JSON number as a JavaScript number (Go float64); null decodes as zero. */
export function float(): Codec<number> {
  return {
    schema: { type: 'number' },
    decode: (wire, path) => {
      if (wire.type === 'number') return Number(wire.raw)
      if (wire.type === 'null') return 0
      throw mismatch(wire, path, 'float64')
    },
    encode: (value) => value,
  }
}

/**
 * Returns the codec of a JSON integer in the range of a Go type. A fraction, an
 * exponent or a number out of range is rejected, and the error quotes its spelling, as in Go.
 */
export function integer(goType: IntegerKind): Codec<bigint> {
  const [min, max] = goRanges[goType]
  return {
    schema: { type: 'integer' },
    decode: (wire, path) => {
      if (wire.type === 'null') return 0n
      if (wire.type !== 'number') throw mismatch(wire, path, goType)
      const value = /^-?\d+$/.test(wire.raw) ? BigInt(wire.raw) : max + 1n
      const ok = value >= min && value <= max && !(min === 0n && wire.raw.startsWith('-'))
      if (ok) return value
      throw mismatchError(path, { value: `number ${wire.raw}`, goType }, wire.raw)
    },
    encode: (value) => Number(value),
  }
}

/** Codec that keeps the parsed JSON tree unchanged and encodes its plain value. */
export const anyJson: Codec<Json> = {
  schema: {},
  decode: (wire) => wire,
  encode: (value) => plainOf(value),
}

/**
 * Returns the codec of a list; null decodes as empty. `goType` is the Go slice type (`[]string`).
 */
export function array<Item>(item: Codec<Item>, goType: string): Codec<readonly Item[]> {
  return {
    schema: { type: 'array', items: item.schema },
    decode: (wire, path) => {
      if (wire.type === 'null') return []
      if (wire.type !== 'array') throw mismatch(wire, path, goType)
      return wire.items.map((each, index) => item.decode(each, `${path}[${index}]`))
    },
    encode: (value) => value.map((each) => item.encode(each)),
  }
}

/** Returns a codec that decodes null and absence as undefined, as Go pointers do. */
export function optional<Value>(codec: Codec<Value>): Codec<Value | undefined> {
  return {
    schema: { anyOf: [codec.schema, { type: 'null' }] },
    decode: (wire, path) => (wire.type === 'null' ? undefined : codec.decode(wire, path)),
    encode: (value) => (value === undefined ? null : codec.encode(value)),
    absent: () => undefined,
  }
}

/**
 * Returns a codec that decodes absence (not null) as `value`, like Go struct members of value type.
 */
export function defaulting<Value>(codec: Codec<Value>, value: Value): Codec<Value> {
  return { ...codec, decode: codec.decode, encode: codec.encode, absent: () => value }
}

/**
 * How Go reads a struct: the type name for errors, and `opaque` if the type has its own
 * `UnmarshalJSON`.
 */
export type StructOptions = { readonly goType: string; readonly opaque?: boolean }

/**
 * Returns the codec of a struct. As in Go, member names match case-insensitively, unknown members
 * are ignored, the last duplicate wins, and null is a struct with every member absent.
 */
export function object<Value extends object>(
  fields: { readonly [Name in keyof Value]: Codec<Value[Name]> },
  options: StructOptions,
): Codec<Value> {
  const entries = Object.entries<Codec<unknown>>(fields)
  return {
    schema: objectSchema(entries),
    decode: (wire, path) => {
      if (wire.type !== 'object' && wire.type !== 'null') throw mismatch(wire, path, options.goType)
      const found = wire.type === 'null' ? {} : decodeMembers(wire, { entries, options, path })
      for (const [name, codec] of entries) {
        if (Object.hasOwn(found, name)) continue
        if (codec.absent === undefined) throw missing(member(path, name))
        found[name] = codec.absent()
      }
      return found as Value
    },
    encode: (value) => encodeMembers(entries, value),
  }
}

/** Returns the last member with a matching name; as for Go struct fields, case is ignored. */
export function memberOf(object: JsonObject, name: string): Json | undefined {
  let found: Json | undefined
  for (const [each, value] of object.members) if (sameName(each, name)) found = value
  return found
}

/** Returns the string of a JSON value; '' for any other value. */
export function textOrEmpty(wire: Json | undefined): string {
  return wire?.type === 'string' ? wire.value : ''
}

type Members = {
  readonly entries: readonly (readonly [string, Codec<unknown>])[]
  readonly options: StructOptions
  readonly path: string
}

// Decodes in source order, because Go reports the first member that fails.
function decodeMembers(wire: JsonObject, { entries, options, path }: Members): Record<string, unknown> {
  const found: Record<string, unknown> = {}
  for (const [given, each] of wire.members) {
    const entry = entries.find(([name]) => name === given) ?? entries.find(([name]) => sameName(name, given))
    if (entry === undefined) continue
    const [name, codec] = entry
    try {
      found[name] = codec.decode(each, member(path, name))
    } catch (error) {
      if (!(error instanceof DecodeError)) throw error
      const structName = options.goType.slice(options.goType.lastIndexOf('.') + 1)
      throw insideStruct(error, { structName, field: name, opaque: options.opaque === true })
    }
  }
  return found
}

function encodeMembers(entries: Members['entries'], value: object): PlainObject {
  const out: Record<string, Plain> = {}
  for (const [name, codec] of entries) {
    const each: unknown = Reflect.get(value, name)
    if (each !== undefined) out[name] = codec.encode(each)
  }
  return out
}

function objectSchema(entries: Members['entries']): Schema {
  const required = entries.filter(([, codec]) => codec.absent === undefined).map(([name]) => name)
  const properties = Object.fromEntries(entries.map(([name, codec]) => [name, codec.schema]))
  return { type: 'object', properties, ...(required.length === 0 ? {} : { required }) }
}

function missing(path: string): DecodeError {
  const name = path.slice(path.lastIndexOf('.') + 1)
  return new DecodeError({
    path,
    expected: 'a value',
    received: 'nothing',
    text: `missing required field '${name}'`,
  })
}

/** Returns whether names of members are equal for Go, which ignores case. */
// Upper-casing first maps the Kelvin and long-s signs to k and s, as Go's foldName does.
export function sameName(left: string, right: string): boolean {
  if (left === right) return true
  const [first, other] = [left.charCodeAt(0), right.charCodeAt(0)]
  if (first < 128 && other < 128 && (first | 32) !== (other | 32)) return false
  return left.length === right.length && fold(left) === fold(right)
}

function fold(name: string): string {
  return name.toUpperCase().toLowerCase()
}

function member(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`
}

/** Returns Go's error for a wire value of the wrong kind; the kind is Go's word for it. */
export function mismatch(wire: Json, path: string, goType: string): DecodeError {
  return mismatchError(path, { value: wire.type, goType }, preview(wire))
}

/** Returns the wire text of a value, shortened to 80 characters for an error message. */
export function preview(wire: Json): string {
  return wire.raw.length <= 80 ? wire.raw : `${wire.raw.slice(0, 77)}...`
}
