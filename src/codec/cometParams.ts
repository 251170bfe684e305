import { readGoHex } from './base64.ts'
import { type Schema, mismatch, preview } from './codec.ts'
import { cometCodec, exactMember, failure, parse, string, type CometCodec } from './comet.ts'
import { mismatchError } from './decodeError.ts'
import type { Json, JsonArray, JsonMember } from './goJson.ts'
import type { Plain } from './goJsonWrite.ts'
import { goQuote, goText } from './goText.ts'

/** A named parameter of a CometBFT method. */
export type CometParam = { readonly name: string; readonly codec: CometCodec<unknown> }

/**
 * Returns the value of a percent-decoded URI argument; an empty argument counts as absent. Throws
 * DecodeError with the node's text (comet-rpc.md §2.2).
 */
export function decodeUriParam<Value>(codec: CometCodec<Value>, text: string, path: string): Value {
  if (text === '') return codec.absent()
  if (/^-?[0-9]+$/.test(text) && isInteger(codec.kind)) return codec.read(`"${text}"`, path)
  if (/^0x/i.test(text)) return hexArgument(codec, text, path)
  const quoted = text.startsWith('"') && text.endsWith('"')
  if (!quoted || codec.kind !== 'bytes') return codec.read(text, path)
  // A quoted string stands for its bytes, not for base64.
  return ofBytes(new TextEncoder().encode(string.read(text, path)))
}

/**
 * Returns the values of a method's parameters, in order, from the `params` of a JSON-RPC request,
 * named or positional. Throws DecodeError with the node's text (comet-rpc.md §2.4).
 */
export function decodeJsonParams(params: readonly CometParam[], wire: Json): readonly unknown[] {
  if (wire.type === 'array') return arrayParams(params, wire)
  if (wire.type !== 'object' && wire.type !== 'null') {
    const inner = mismatch(wire, 'params', '[]json.RawMessage').text
    const text = `unknown type for JSON params: ${inner}. Expected map or array`
    throw failure('params', { expected: 'an object or a list', received: wire.raw, text })
  }
  const members = wire.type === 'null' ? [] : wire.members
  return params.map(({ name, codec }) => {
    const value = exactMember(members, name)
    return value === undefined ? codec.absent() : codec.read(value.raw, `params.${name}`)
  })
}

function arrayParams(params: readonly CometParam[], wire: JsonArray): readonly unknown[] {
  if (wire.items.length !== params.length) {
    const names = params.map(({ name }) => name).join(' ')
    const given = wire.items.map((item) => `[${Buffer.from(item.raw).join(' ')}]`).join(' ')
    const wanted = `${params.length} parameters ([${names}])`
    const text = `expected ${wanted}, got ${wire.items.length} ([${given}])`
    throw failure('params', { expected: `${params.length} parameters`, received: wire.raw, text })
  }
  return wire.items.map((item, place) => {
    const codec = params[place]?.codec
    return codec?.read(item.raw, `params[${place}]`)
  })
}

/**
 * Returns the codec of a struct; members have exact names and are read in declaration order.
 */
export function struct<Value extends object>(
  fields: { readonly [Name in keyof Value]: CometCodec<Value[Name]> },
): CometCodec<Value> {
  const entries = Object.entries<CometCodec<unknown>>(fields)
  const readMembers = (members: readonly JsonMember[], path: string): Value => {
    const values = entries.map(([name, codec]) => {
      const each = exactMember(members, name)
      return [name, each === undefined ? codec.absent() : codec.read(each.raw, `${path}.${name}`)]
    })
    return Object.fromEntries(values) as Value
  }
  return cometCodec<Value>({
    kind: 'struct',
    schema: { type: 'object', properties: schemasOf(entries) },
    zero: readMembers([], ''),
    read: (raw, path) => {
      const wire = parse(raw, path)
      if (wire.type !== 'object') throw mismatch(wire, path, 'map[string]json.RawMessage')
      return readMembers(wire.members, path)
    },
    encode: (value) =>
      Object.fromEntries(
        entries.map(([name, codec]): [string, Plain] => [name, codec.encode(Reflect.get(value, name))]),
      ),
  })
}

/** A value of a Go interface type: its registered type name and the value itself. */
export type Variant = { readonly type: string; readonly value: unknown }

/**
 * Returns the codec of a Go interface value `{"type", "value"}`. `foreign` lists the names
 * registered for other Go interfaces, which have a separate error text (corrections-a §A 14).
 */
export function variant(
  codecs: Readonly<Record<string, CometCodec<unknown>>>,
  foreign: readonly string[],
): CometCodec<Variant | undefined> {
  return cometCodec<Variant | undefined>({
    kind: 'interface',
    schema: { type: 'object' },
    zero: undefined,
    read: (raw, path) => {
      const { type, value } = readWrapper(parse(raw, path), path)
      const codec = Object.hasOwn(codecs, type) ? codecs[type] : undefined
      if (codec !== undefined) return { type, value: codec.read(value.raw, `${path}.value`) }
      const text = foreign.includes(type)
        ? `invalid type ${goQuote(type)} for this value`
        : `unknown type ${goQuote(type)}`
      throw failure(path, { expected: Object.keys(codecs).join(' or '), received: type, text })
    },
    encode: (value) =>
      value === undefined ? null : { type: value.type, value: codecs[value.type]?.encode(value.value) },
  })
}

function readWrapper(wire: Json, path: string): { type: string; value: Json } {
  const goType = 'json.interfaceWrapper'
  if (wire.type !== 'object') throw mismatch(wire, path, goType)
  const type = wire.members.findLast(([name]) => name.toLowerCase() === 'type')?.[1]
  const value = wire.members.findLast(([name]) => name.toLowerCase() === 'value')?.[1]
  if (type !== undefined && type.type !== 'string' && type.type !== 'null') {
    const place = {
      value: type.type,
      goType: 'string',
      structName: 'interfaceWrapper',
      field: 'type',
    }
    throw mismatchError(path, place, preview(type))
  }
  const received = wire.raw
  if (type?.type !== 'string' || type.value === '') {
    throw failure(path, {
      expected: 'a type name',
      received,
      text: 'interface type cannot be empty',
    })
  }
  if (value === undefined) {
    throw failure(path, { expected: 'a value', received, text: 'interface value cannot be empty' })
  }
  return { type: type.value, value }
}

function hexArgument<Value>(codec: CometCodec<Value>, text: string, path: string): Value {
  if (codec.kind !== 'string' && codec.kind !== 'bytes') {
    const message = `got a hex string arg, but expected '${codec.kind}'`
    throw failure(path, { expected: codec.kind, received: text, text: message })
  }
  const bytes = readGoHex(text.slice(2))
  if (typeof bytes === 'string') throw failure(path, { expected: 'hex digits', received: text, text: bytes })
  return codec.kind === 'bytes' ? ofBytes(bytes) : codec.read(JSON.stringify(goText(bytes)), path)
}

/** Returns bytes as the value of a codec of bytes: codecs of that kind differ only in what they write in JSON. */
function ofBytes<Value>(bytes: Uint8Array): Value {
  return bytes as Value
}

function isInteger(kind: string): boolean {
  return kind === 'int64' || kind === 'int' || kind === 'uint' || kind === 'uint64' || kind === 'int32'
}

function schemasOf(entries: readonly (readonly [string, CometCodec<unknown>])[]): Schema {
  return Object.fromEntries(entries.map(([name, codec]) => [name, codec.schema]))
}
