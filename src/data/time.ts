/**
 * A point in time in CometBFT's form: whole seconds since 1970 (negative before) and nanoseconds in
 * 0…999,999,999. Text forms are in `codec/`.
 */
export type Time = { readonly seconds: bigint; readonly nanos: number }

/** 9999-12-31T23:59:59Z: block times are written in RFC 3339, whose years have four digits. */
export const lastTimestamp = 253_402_300_799n

/** Go's zero time, 0001-01-01T00:00:00Z, used in absent commit signatures. */
export const zeroTime: Time = { seconds: -62135596800n, nanos: 0 }

/** Returns the time `ms` milliseconds after 1970; `ms` may be negative. */
export function timeFromMs(ms: bigint): Time {
  const rest = ((ms % 1000n) + 1000n) % 1000n
  return { seconds: (ms - rest) / 1000n, nanos: Number(rest) * 1_000_000 }
}

/** Returns whole milliseconds since 1970, rounded down. */
export function timeToMs(time: Time): bigint {
  return time.seconds * 1000n + BigInt(Math.floor(time.nanos / 1_000_000))
}

/** Returns a negative number, 0 or a positive number as `a` is before, at or after `b`. */
export function compareTime(a: Time, b: Time): number {
  if (a.seconds !== b.seconds) return a.seconds < b.seconds ? -1 : 1
  return a.nanos - b.nanos
}

/** Returns `time` shifted by `nanos` nanoseconds, which may be negative. */
export function addNanos(time: Time, nanos: bigint): Time {
  const total = time.seconds * 1_000_000_000n + BigInt(time.nanos) + nanos
  const rest = ((total % 1_000_000_000n) + 1_000_000_000n) % 1_000_000_000n
  return { seconds: (total - rest) / 1_000_000_000n, nanos: Number(rest) }
}
