/**
 * Reads JSON-RPC messages as CometBFT does with Go's encoding/json. Many faulty envelopes are
 * accepted there (`comet-rpc.md` §2.4, §2.6, corrections-a §A 7–10).
 */
import { goFloat } from '../../codec/goText.ts'
import { memberOf, sameName } from '../../codec/codec.ts'
import { DecodeError, insideStruct, mismatchError } from '../../codec/decodeError.ts'
import { JsonSyntaxError, parseJson, parseJsonPrefix, type Json, type JsonObject } from '../../codec/goJson.ts'
import { writeJson } from '../../codec/goJsonWrite.ts'
import { SimError } from '../../errors.ts'
import type { Call } from '../transport.ts'

/** The type of an envelope, as Go prints it. */
const envelopeType =
  'struct { JSONRPC string "json:\\"jsonrpc\\""; ID interface {} "json:\\"id,omitempty\\""; ' +
  'Method string "json:\\"method\\""; Params json.RawMessage "json:\\"params\\"" }'

/** The calls of a message. `count` includes notifications, which are never executed. */
export type Envelopes = {
  readonly calls: readonly Call[]
  readonly count: number
  readonly isBatch: boolean
}

/** Returns the calls of an HTTP body: one, or a list. Throws `UnreadableMessage`. */
export function readBody(body: string): Envelopes {
  return reading(() => {
    const wire = parseJson(body)
    if (wire.type === 'null') return { calls: [], count: 0, isBatch: true }
    if (wire.type !== 'array') return one(wire)
    const calls = elements(wire.items)
    // If an element is invalid, the node reads the list as one envelope and reports that error.
    if (calls === undefined) throw mismatchError('', { value: 'array', goType: envelopeType }, '')
    return { calls: calls.filter(isCall), count: calls.length, isBatch: true }
  })
}

/** Returns the call of a WebSocket message; anything after its first JSON value is ignored. */
export function readFrame(text: string): Envelopes {
  return reading(() => one(parseJsonPrefix(text).value))
}

function one(wire: Json): Envelopes {
  return { calls: [envelope(wire)].filter(isCall), count: 1, isBatch: false }
}

function elements(items: readonly Json[]): readonly (Call | undefined)[] | undefined {
  try {
    return items.map(envelope)
  } catch (error) {
    if (error instanceof DecodeError || error instanceof UnreadableMessage) return undefined
    throw error
  }
}

function isCall(call: Call | undefined): call is Call {
  return call !== undefined
}

/** Returns the call, or undefined for a notification. */
function envelope(wire: Json): Call | undefined {
  if (wire.type === 'null') return undefined
  if (wire.type !== 'object') {
    throw mismatchError('', { value: wire.type, goType: envelopeType }, '')
  }
  checkTexts(wire)
  const id = idOf(memberOf(wire, 'id'))
  if (id === undefined) return undefined
  const params = memberOf(wire, 'params')
  return {
    id,
    name: methodIn(wire),
    params: params === undefined ? { form: 'absent' } : { form: 'json', text: params.raw },
  }
}

/** Go reports the first member in the source that is not a text. */
function checkTexts(wire: JsonObject): void {
  for (const [given, value] of wire.members) {
    if (value.type === 'string' || value.type === 'null') continue
    const field = texts.find((name) => sameName(given, name))
    if (field === undefined) continue
    const mismatch = mismatchError('', { value: value.type, goType: 'string' }, '')
    throw insideStruct(mismatch, { structName: '', field })
  }
}

const texts = ['jsonrpc', 'method']

/** Null leaves a Go string unchanged, so the last member that is a text is used. */
function methodIn(wire: JsonObject): string {
  let found = ''
  for (const [given, value] of wire.members) {
    if (value.type === 'string' && sameName(given, 'method')) found = value.value
  }
  return found
}

/** Returns the id as the node echoes it: texts unchanged, numbers truncated to a 64-bit integer. */
function idOf(wire: Json | undefined): string | undefined {
  if (wire === undefined || wire.type === 'null') return undefined
  if (wire.type === 'string') return writeJson(wire.value)
  if (wire.type === 'number') return integerOf(wire.raw)
  const goType = {
    bool: 'bool',
    array: '[]interface {}',
    object: 'map[string]interface {}',
  }[wire.type]
  throw new UnreadableMessage(`json-rpc ID (${goPrint(wire)}) is of unknown type (${goType})`)
}

function integerOf(raw: string): string {
  const value = Number(raw)
  if (!Number.isFinite(value)) {
    throw insideStruct(mismatchError('', { value: `number ${raw}`, goType: 'float64' }, ''), {
      structName: '',
      field: 'id',
    })
  }
  const isRepresentable = value >= -(2 ** 63) && value < 2 ** 63
  return isRepresentable ? BigInt(Math.trunc(value)).toString() : '-9223372036854775808'
}

/** Returns a decoded value as Go's fmt prints it with `%v`. */
function goPrint(wire: Json): string {
  switch (wire.type) {
    case 'null':
      return '<nil>'
    case 'bool':
      return wire.raw
    case 'string':
      return wire.value
    case 'number':
      return goFloat(Number(wire.raw))
    case 'array':
      return `[${wire.items.map(goPrint).join(' ')}]`
    case 'object': {
      const members = new Map(wire.members.map(([name, value]) => [name, goPrint(value)]))
      const names = [...members.keys()].sort()
      return `map[${names.map((name) => `${name}:${members.get(name) ?? ''}`).join(' ')}]`
    }
  }
}

function reading(read: () => Envelopes): Envelopes {
  try {
    return read()
  } catch (error) {
    if (error instanceof JsonSyntaxError) throw new UnreadableMessage(error.message)
    if (error instanceof DecodeError) throw new UnreadableMessage(error.text)
    throw error
  }
}

/** A message without readable calls; the text is Go's. */
export class UnreadableMessage extends SimError {
  constructor(text: string) {
    super('UNREADABLE_MESSAGE', text, { hint: 'Send {"jsonrpc":"2.0","id":1,"method":…,"params":…}.' })
  }
}
