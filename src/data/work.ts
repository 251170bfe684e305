/** Long work in pieces, so that a caller can do other work in between. */

/** Yields after each piece, and returns the result at the end. */
export type Work<Result> = Generator<undefined, Result, undefined>

/** Does all pieces at once and returns the result. */
export function allOf<Result>(work: Work<Result>): Result {
  for (;;) {
    const { done, value } = work.next()
    if (done === true) return value
  }
}
