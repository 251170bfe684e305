import { SimError } from '../errors.ts'

/** The parts of Go's `json.UnmarshalTypeError`: the wire kind, the Go type and the struct field. */
export type Mismatch = {
  readonly value: string
  readonly goType: string
  readonly structName?: string
  readonly field?: string
}

/** Where and why a value could not be read. `text` is the real node's error text. */
export type DecodeFailure = {
  readonly path: string
  readonly expected: string
  readonly received: string
  readonly text: string
  readonly mismatch?: Mismatch
}

/**
 * Input that does not match a parameter; `text` is the node's error text, `message` is for people.
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

/** Returns the text of Go's `json.UnmarshalTypeError` (Go encoding/json). */
function mismatchText({ value, goType, structName, field }: Mismatch): string {
  const into =
    structName === undefined
      ? `Go value of type ${goType}`
      : `Go struct field ${structName}.${field ?? ''} of type ${goType}`
  return `json: cannot unmarshal ${value} into ${into}`
}

/** Returns the error for a wire value of the wrong kind, in the wording of Go's encoding/json. */
export function mismatchError(path: string, mismatch: Mismatch, received: string): DecodeError {
  const text = mismatchText(mismatch)
  return new DecodeError({ path, expected: mismatch.goType, received, text, mismatch })
}

/**
 * Returns the error of a member as its enclosing struct reports it. Go names the innermost struct
 * and the full field path. If the enclosing struct has its own `UnmarshalJSON` (`opaque`), its name
 * replaces the inner one.
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
