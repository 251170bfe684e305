/** The methods of one interface, by name; every list of methods is built from these tables. */
import type { Method } from './method.ts'

export type Table = {
  readonly methods: readonly Method[]
  readonly byName: ReadonlyMap<string, Method>
}

export const emptyTable: Table = { methods: [], byName: new Map() }

/** Returns a table of methods in reading order. Throws `TypeError` for a duplicate name. */
export function table(methods: readonly Method[]): Table {
  const byName = new Map(methods.map((method) => [method.name, method]))
  if (byName.size !== methods.length) throw new TypeError('two methods have the same name')
  return { methods, byName }
}
