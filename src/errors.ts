/**
 * The base of every error that chainstage raises on purpose.
 *
 * A subclass stands at the bottom of the module that throws it, one class for one way to fail.
 * `code` is stable and upper case (`NONCE_TOO_LOW`); the message says what was expected and what
 * came; `hint` says what to do next. The dialect of an interface turns it into wire code and text.
 */
export class SimError extends Error {
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

/** A programmer's mistake: never an answer to bad input. */
export class AssertionFailed extends SimError {
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

/** Returns what was thrown in words: an error's message, or whatever else it was as text. */
export function thrownText(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown)
}
