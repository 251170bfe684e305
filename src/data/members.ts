/** The members of a JSON object that has not been validated. */
export type Members = Readonly<Record<string, unknown>>

/** Returns the members of an object; none for any other value. */
export function membersOf(value: unknown): Members {
  return typeof value === 'object' && value !== null ? { ...value } : {}
}
