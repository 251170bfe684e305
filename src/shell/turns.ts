import { performance } from 'node:perf_hooks'
import type { Work } from '../data/work.ts'

/** Time between two yields to the event loop, in milliseconds; a piece is never interrupted. */
const turnMs = 20

/** Does long work in turns, between which requests are served. Resolves with the result. */
export async function inTurns<Result>(work: Work<Result>): Promise<Result> {
  for (;;) {
    const until = performance.now() + turnMs
    do {
      const { done, value } = work.next()
      if (done === true) return value
    } while (performance.now() < until)
    await new Promise((done) => {
      setImmediate(done)
    })
  }
}
