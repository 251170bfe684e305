/** What both kinds of errors carry: `code` is stable and upper case (`NONCE_TOO_LOW`). */
class CodedError extends Error {
  readonly code: string
  readonly hint: string | undefined

  constructor(code: string, message: string, options: { hint?: string; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.name = new.target.name
    this.code = code
    this.hint = options.hint
  }

  /** Returns code, message and hint on one line, as logs and the terminal show it. */
  override toString(): string {
    const hint = this.hint === undefined ? '' : ` Hint: ${this.hint}`
    return `${this.code}: ${this.message}${hint}`
  }
}

/**
 * The base of every error that a user can cause.
 *
 * A subclass stands at the bottom of the module that throws it, one class for one way to fail. The
 * message says what was expected and what came; `hint` says what to do next. The dialect of an
 * interface turns it into wire code and text.
 */
export class SimError extends CodedError {}

/** The base of every error that only a programmer can cause. It is never an answer to bad input. */
export class Bug extends CodedError {}

/** A condition that the code relies on does not hold. */
export class AssertionFailed extends Bug {
  constructor(text: string) {
    super('ASSERTION_FAILED', text, { hint: 'This is a bug in chainstage; please report it.' })
  }
}

/** Throws `AssertionFailed` unless the condition holds. */
export function assert(condition: unknown, text: string): asserts condition {
  if (!condition) throw new AssertionFailed(text)
}

/** Throws `AssertionFailed`: for the branch that types say cannot be reached. */
export function unreachable(value: never): never {
  throw new AssertionFailed(`unreachable: ${String(value)}`)
}

/**
 * Returns whether a user can have caused what was thrown. Anything else is a bug: it ends as an
 * incident, never as a refusal, a transaction error or invalid parameters.
 */
export function isExpected(thrown: unknown): thrown is SimError {
  return thrown instanceof SimError
}

/** Returns what was thrown with its stack, for the log. */
export function thrownInFull(thrown: unknown): string {
  return thrown instanceof Error ? `${thrown.name}: ${thrown.message}\n${thrown.stack ?? ''}` : String(thrown)
}

/** Returns what was thrown in words: an error's message, or whatever else it was as text. */
export function thrownText(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown)
}
