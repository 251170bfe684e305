/** The JSON format of a proposal submitted to the gov precompile. */
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

/**
 * Returns the proposal in JSON text; missing members are empty. Throws `Reverted` if it is invalid.
 */
export function readProposal(bytes: Uint8Array): ProposalText {
  const object = parsed(new TextDecoder().decode(bytes))
  const text = (name: string): string => {
    const value: unknown = Reflect.get(object, name) ?? ''
    if (typeof value === 'string') return value
    throw invalid(`cannot unmarshal ${typeof value} into Go struct field .${name} of type string`)
  }
  const expedited: unknown = Reflect.get(object, 'expedited') ?? false
  if (typeof expedited !== 'boolean') {
    throw invalid(`cannot unmarshal ${typeof expedited} into Go struct field .expedited of type bool`)
  }
  return {
    messages: messagesIn(object),
    metadata: text('metadata'),
    title: text('title'),
    summary: text('summary'),
    expedited,
  }
}

function messagesIn(object: object): readonly Packed[] {
  const messages: unknown = Reflect.get(object, 'messages') ?? []
  if (!Array.isArray(messages)) {
    throw invalid('cannot unmarshal object into Go struct field .messages of type []json.RawMessage')
  }
  return messages.map((each: unknown, index) => {
    try {
      return packedOfJson(each)
    } catch (error) {
      if (error instanceof ProtoJsonError) throw new Reverted(`message ${index}: ${error.message}`)
      throw error
    }
  })
}

function parsed(json: string): object {
  try {
    const value: unknown = JSON.parse(json)
    if (typeof value === 'object' && value !== null) return value
  } catch {
    throw new Reverted('invalid proposal JSON: invalid character in JSON')
  }
  throw invalid('cannot unmarshal into Go value of type struct')
}

function invalid(text: string): Reverted {
  return new Reverted(`invalid proposal JSON: json: ${text}`)
}
