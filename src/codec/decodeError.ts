import { SimError } from '../errors.ts'

/** What Go's `json.UnmarshalTypeError` says: the wire's kind, the Go type, and the struct field. */
export type Mismatch = {
  readonly value: string
  readonly goType: string
  readonly structName?: string
  readonly field?: string
}

/** Where and how a value could not be read. `text` is what the node in Go would say. */
export type DecodeFailure = {
  readonly path: string
  readonly expected: string
  readonly received: string
  readonly text: string
  readonly mismatch?: Mismatch
}

/**
 * Input that is not what a parameter asks for; `text` is the wire's wording, `message` is for
 * people.
 */
export class DecodeError extends SimError {
  readonly path: string
  readonly expected: string
  readonly received: string
  readonly text: string
  readonly mismatch: Mismatch | undefined

  constructor(failure: DecodeFailure) {
    const { path, expected, received, text, mismatch } = failure
    const where = path === '' ? '' : `${path}: `
    super('BAD_PARAMETER', `${where}expected ${expected}, received ${received}`, { hint: text })
    this.path = path
    this.expected = expected
    this.received = received
    this.text = text
    this.mismatch = mismatch
  }
}

/** Returns the sentence of Go's `json.UnmarshalTypeError` (Go encoding/json). */
function mismatchText({ value, goType, structName, field }: Mismatch): string {
  const into =
    structName === undefined
      ? `Go value of type ${goType}`
      : `Go struct field ${structName}.${field ?? ''} of type ${goType}`
  return `json: cannot unmarshal ${value} into ${into}`
}

/** Returns the error for a wire value of the wrong kind, worded as Go's encoding/json does. */
export function mismatchError(path: string, mismatch: Mismatch, received: string): DecodeError {
  const text = mismatchText(mismatch)
  return new DecodeError({ path, expected: mismatch.goType, received, text, mismatch })
}

/**
 * Returns the error as seen from a struct around it: Go names the innermost struct and the whole
 * path of fields, except that a type with its own `UnmarshalJSON` loses its name to the outer one.
 */
export function insideStruct(
  error: DecodeError,
  outer: { structName: string; field: string; opaque?: boolean },
): DecodeError {
  const inner = error.mismatch
  if (inner === undefined) return error
  const mismatch = {
    value: inner.value,
    goType: inner.goType,
    structName: outer.opaque === true ? outer.structName : (inner.structName ?? outer.structName),
    field: inner.field === undefined ? outer.field : `${outer.field}.${inner.field}`,
  }
  return mismatchError(error.path, mismatch, error.received)
}
