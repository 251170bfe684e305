/** What JSON holds before anyone has checked it. */
export type Members = Readonly<Record<string, unknown>>

/** Returns the members of an object; of anything else, none. */
export function membersOf(value: unknown): Members {
  return typeof value === 'object' && value !== null ? { ...value } : {}
}
