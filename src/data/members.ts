/** The members of a JSON object that has not been validated. */
export type Members = Readonly<Record<string, unknown>>

/** Returns the value of a name in a record that users name the members of; inherited names have none. */
export function ownValue<Value>(record: Readonly<Record<string, Value>>, name: string): Value | undefined {
  return Object.hasOwn(record, name) ? record[name] : undefined
}

/** Returns whether a value is an object of JSON, and no list. */
export function isJsonObject(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Returns the members of an object; none for any other value. */
export function membersOf(value: unknown): Members {
  return typeof value === 'object' && value !== null ? { ...value } : {}
}

/** Returns the members of each object in a list; none for any other value. */
export function membersOfEach(value: unknown): readonly Members[] {
  return Array.isArray(value) ? value.map(membersOf) : []
}
