/** The header `grpc-timeout`: how long a client waits. */
/** Nanoseconds by the letter of a time unit. */
export const unitsInNanos: Readonly<Record<string, bigint>> = {
  n: 1n,
  u: 1000n,
  m: 1_000_000n,
  S: 1_000_000_000n,
  M: 60_000_000_000n,
  H: 3_600_000_000_000n,
}

/** No node responds within this time, so a shorter time-out has always expired. */
export const quickestNanos = 10_000n

/**
 * Returns a time-out in nanoseconds, or Go's error text (google.golang.org/grpc internal/transport
 * decodeTimeout).
 */
export function readTimeout(header: string): bigint | string {
  if (header.length < 2) return `transport: timeout string is too short: ${JSON.stringify(header)}`
  if (header.length > 9) return `transport: timeout string is too long: ${JSON.stringify(header)}`
  const unit = unitsInNanos[header.slice(-1)]
  const digits = header.slice(0, -1)
  if (unit === undefined) {
    return `transport: timeout unit is not recognized: ${JSON.stringify(header)}`
  }
  if (!/^\d+$/.test(digits)) {
    return `strconv.ParseUint: parsing ${JSON.stringify(digits)}: invalid syntax`
  }
  return BigInt(digits) * unit
}
