/** The methods of one interface, by name; everything that lists methods is made from these. */
import type { Method } from './method.ts'

export type Table = {
  readonly methods: readonly Method[]
  readonly byName: ReadonlyMap<string, Method>
}

export const emptyTable: Table = { methods: [], byName: new Map() }

/** Returns the table of some methods, in reading order; a name that stands twice is a mistake. */
export function table(methods: readonly Method[]): Table {
  const byName = new Map(methods.map((method) => [method.name, method]))
  if (byName.size !== methods.length) throw new TypeError('a method name stands twice')
  return { methods, byName }
}
