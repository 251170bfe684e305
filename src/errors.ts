/** The common base of errors; `code` is stable and upper case (`NONCE_TOO_LOW`). */
class CodedError extends Error {
  readonly code: string
  readonly hint: string | undefined

  constructor(code: string, message: string, options: { hint?: string; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.name = new.target.name
    this.code = code
    this.hint = options.hint
  }

  /** Returns code, message and hint on one line, for logs and the terminal. */
  override toString(): string {
    const hint = this.hint === undefined ? '' : ` Hint: ${this.hint}`
    return `${this.code}: ${this.message}${hint}`
  }
}

/**
 * The base class of every error that a user can cause.
 *
 * Each subclass is declared at the end of the module that throws it; one class per kind of failure.
 * The message states the expected and the actual value; `hint` says what to do next. The dialect of
 * each interface converts it to a wire code and text.
 */
export class SimError extends CodedError {}

/** The base class of every error that only a programmer can cause. Never thrown for bad input. */
export class Bug extends CodedError {}

/** An internal condition does not hold. */
export class AssertionFailed extends Bug {
  constructor(text: string) {
    super('ASSERTION_FAILED', text, { hint: 'This is a bug in chainstage; please report it.' })
  }
}

/** Throws `AssertionFailed` unless the condition holds. */
export function assert(condition: unknown, text: string): asserts condition {
  if (!condition) throw new AssertionFailed(text)
}

/** Throws `AssertionFailed`. Call it in a branch that the types exclude. */
export function unreachable(value: never): never {
  throw new AssertionFailed(`unreachable: ${String(value)}`)
}

/**
 * Returns whether a user can have caused a thrown value. Any other value is a bug: it becomes an
 * incident, never a refusal, a transaction error or invalid parameters.
 */
export function isExpected(thrown: unknown): thrown is SimError {
  return thrown instanceof SimError
}

/** Returns the result of work, or undefined if a user can have caused what it throws, such as a damaged file. */
export function unlessRefused<Value>(work: () => Value): Value | undefined {
  try {
    return work()
  } catch (error) {
    if (!isExpected(error)) throw error
    return undefined
  }
}

/** Returns a thrown value as text with its stack, for the log. */
export function thrownInFull(thrown: unknown): string {
  if (!(thrown instanceof Error)) return String(thrown)
  // The stack repeats the message, under the name that the error had before its class set one.
  const { name, message, stack = '' } = thrown
  const framesAt = stack.indexOf('\n    at ')
  return `${name}: ${message}${framesAt < 0 ? '' : stack.slice(framesAt)}`
}

/** Returns the message and, on a line of its own, the hint, for a person. */
export function messageAndHint({ message, hint }: SimError): string {
  return hint === undefined ? message : `${message}\n${hint}`
}

/** Returns a thrown value as text: an error's message, or the value as a string. */
export function thrownText(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown)
}
