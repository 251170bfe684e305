/**
 * The run time limits of JavaScript tracers. A clock would stop a tracer at a different step in
 * each replay. A `timeout` is therefore counted in steps, at about the interpreter's speed on a
 * common machine.
 */

/** EVM steps that a tracer may receive per millisecond of its timeout. */
const stepsPerMs = 60n

/** geth's `defaultTraceTimeout`, 5 s. */
const usualNanos = 5_000_000_000n

/** The maximum for any timeout: about 17 s. */
export const mostSteps = 1_000_000

/**
 * `steps` is the number of EVM steps that a tracer may receive. `share` (0 to 1) is its part of the
 * jumps and calls that a script may make at most.
 */
export type ScriptLimits = { readonly steps: number; readonly share: number }

/** Returns the limits for a timeout in nanoseconds. */
export function limitsOf(timeoutNanos = usualNanos): ScriptLimits {
  const nanos = timeoutNanos < 0n ? 0n : timeoutNanos
  const steps = Number((nanos * stepsPerMs) / 1_000_000n)
  return { steps: Math.min(steps, mostSteps), share: Math.min(Number(nanos) / Number(usualNanos), 1) }
}
