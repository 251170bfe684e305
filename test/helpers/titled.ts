/** Titles of tests in files that share a process (`scripts/packTests.mjs`). */
import test, { type TestFn } from 'ava'

type Macro = { readonly exec: unknown; readonly title?: (given: string | undefined, ...rest: unknown[]) => string }
type Run = (...given: unknown[]) => unknown
type Declare = (title: string, run: unknown, ...rest: unknown[]) => void

/**
 * How many tests of a process run at once. AVA starts all of them, and each would then wait for the work of
 * all others, for longer than connections may be silent.
 */
const runningMost = 2
let running = 0
const waiting: (() => void)[] = []

/** Makes a test wait while `runningMost` others run. */
function inTurn(run: Run): Run {
  return async (...given) => {
    if (running === runningMost) await new Promise<void>((done) => void waiting.push(done))
    else running++
    try {
      return await run(...given)
    } finally {
      const next = waiting.shift()
      if (next === undefined) running--
      else setImmediate(next) // sockets are read in between
    }
  }
}

/**
 * Returns AVA's `test` with titles that begin with the name of a file, as AVA has them otherwise. The hooks
 * `before` and `after` run once for the process, so they must not use `t.context`.
 */
export function titled(name: string): TestFn {
  const named =
    (declare: Declare) =>
    (...given: readonly unknown[]) => {
      const title = typeof given[0] === 'string' ? given[0] : undefined
      const [run, ...rest] = title === undefined ? given : given.slice(1)
      const { exec = run, title: titleOf } = run as Macro
      declare(`${name} › ${titleOf === undefined ? title : titleOf(title, ...rest)}`, inTurn(exec as Run), ...rest)
    }
  const serial = Object.assign(named(test.serial as Declare), { skip: named(test.serial.skip as Declare) })
  const skip = named(test.skip as Declare)
  const { macro, before, after } = test
  return Object.assign(named(test as Declare), { macro, before, after, skip, serial }) as never
}
