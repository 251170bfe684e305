/**
 * How long a tracer in JavaScript may run. A clock would stop it elsewhere in each replay, so that a
 * `timeout` is counted in steps, at about the speed of the interpreter on a common machine.
 */

/** Steps of the EVM that a tracer is told in a millisecond of its timeout. */
const stepsPerMs = 60n

/** geth's `defaultTraceTimeout`, 5 s. */
const usualNanos = 5_000_000_000n

/** Whatever the timeout: about 17 s. */
export const mostSteps = 1_000_000

/** `steps` that a tracer may see, and its share (0 to 1) of the jumps and calls that any script may make. */
export type ScriptLimits = { readonly steps: number; readonly share: number }

/** Returns what a tracer may do within a timeout in nanoseconds. */
export function limitsOf(timeoutNanos = usualNanos): ScriptLimits {
  const nanos = timeoutNanos < 0n ? 0n : timeoutNanos
  const steps = Number((nanos * stepsPerMs) / 1_000_000n)
  return { steps: Math.min(steps, mostSteps), share: Math.min(Number(nanos) / Number(usualNanos), 1) }
}
