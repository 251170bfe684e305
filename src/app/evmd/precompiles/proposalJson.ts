/** The JSON format of a proposal submitted to the gov precompile. */
import { sameName } from '../../../codec/codec.ts'
import { type Json, type JsonMember, JsonSyntaxError, parseJson } from '../../../codec/goJson.ts'
import type { Packed } from '../../../codec/schema/amino.ts'
import { packedOfJson, ProtoJsonError } from '../../../codec/schema/protoJsonRead.ts'
import { Reverted } from './reverted.ts'

type ProposalText = {
  readonly messages: readonly Packed[]
  readonly metadata: string
  readonly title: string
  readonly summary: string
  readonly expedited: boolean
}

const goTypes = {
  messages: '[]json.RawMessage',
  metadata: 'string',
  title: 'string',
  summary: 'string',
  expedited: 'bool',
} as const
type Name = keyof typeof goTypes
const jsonTypes = { '[]json.RawMessage': 'array', string: 'string', bool: 'bool' } as const

/**
 * Returns the proposal in JSON text; missing members are empty. Reads it as Go does: names in any case,
 * the last of several members, null as absent. Throws `Reverted` if it is invalid.
 */
export function readProposal(bytes: Uint8Array): ProposalText {
  const found = membersIn(parsed(new TextDecoder().decode(bytes)))
  const text = (name: Name): string => {
    const value = found.get(name)
    return value?.type === 'string' ? value.value : ''
  }
  const expedited = found.get('expedited')
  const messages = found.get('messages')
  return {
    messages: messages?.type === 'array' ? messages.items.map(messageOf) : [],
    metadata: text('metadata'),
    title: text('title'),
    summary: text('summary'),
    expedited: expedited?.type === 'bool' && expedited.value,
  }
}

/** Returns the members of the proposal, each of its type. A null changes a list only. */
function membersIn(json: Json): ReadonlyMap<Name, Json> {
  const found = new Map<Name, Json>()
  if (json.type === 'null') return found
  if (json.type !== 'object') throw invalid(`json: cannot unmarshal ${json.type} into Go value of type ${structType()}`)
  let wrong: string | undefined
  for (const [spelled, value] of json.members) {
    const name = nameOf(spelled)
    if (name === undefined || (value.type === 'null' && name !== 'messages')) continue
    const type = goTypes[name]
    if (value.type === jsonTypes[type] || value.type === 'null') found.set(name, value)
    else wrong ??= `json: cannot unmarshal ${value.type} into Go struct field .${name} of type ${type}`
  }
  if (wrong !== undefined) throw invalid(wrong)
  return found
}

function nameOf(spelled: JsonMember[0]): Name | undefined {
  const names = Object.keys(goTypes) as Name[]
  return names.find((name) => sameName(name, spelled))
}

/** Returns Go's name for the type of the proposal, which has no name of its own. */
function structType(): string {
  const fields = Object.entries(goTypes).map(
    ([name, type]) => `${name.replace(/^./, (first) => first.toUpperCase())} ${type} "json:\\"${name}\\""`,
  )
  return `struct { ${fields.join('; ')} }`
}

function messageOf(json: Json, index: number): Packed {
  try {
    return packedOfJson(JSON.parse(json.raw))
  } catch (error) {
    if (error instanceof ProtoJsonError) throw new Reverted(`message ${index}: ${error.message}`)
    throw error
  }
}

function parsed(text: string): Json {
  try {
    return parseJson(text)
  } catch (error) {
    throw error instanceof JsonSyntaxError ? invalid(error.message) : error
  }
}

function invalid(text: string): Reverted {
  return new Reverted(`invalid proposal JSON: ${text}`)
}
