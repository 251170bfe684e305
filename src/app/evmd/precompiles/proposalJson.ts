/** A proposal as JSON, as the gov precompile takes it. */
import { Reverted } from './reverted.ts'

type ProposalText = {
  readonly messages: readonly never[]
  readonly metadata: string
  readonly title: string
  readonly summary: string
  readonly expedited: boolean
}

/**
 * Returns what the JSON says; what is absent is empty. Throws `Reverted` for text that is no proposal
 * and for messages, whose JSON is not read here.
 */
export function readProposal(bytes: Uint8Array): ProposalText {
  const object = parsed(new TextDecoder().decode(bytes))
  const messages: unknown = Reflect.get(object, 'messages')
  if (Array.isArray(messages) && messages.length > 0) {
    throw new Reverted('chainstage does not read the JSON of messages in proposals: send them by MsgSubmitProposal')
  }
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
    messages: [], metadata: text('metadata'), title: text('title'), summary: text('summary'),
    expedited,
  }
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
