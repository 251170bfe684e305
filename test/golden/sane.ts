/** What is known of `--quirks sane`: the recorded cases that it answers otherwise, on purpose. */
import { readFileSync } from 'node:fs'
import JSON5 from 'json5'

type ByFile = Readonly<Record<string, readonly string[]>>

const folder = new URL('../../../test/golden/', import.meta.url)

function read<Value>(name: string): Value {
  return JSON5.parse<Value>(readFileSync(new URL(name, folder), 'utf8'))
}

/** By the quirk that is off, then by file: the names of the cases. */
export const differences = read<Readonly<Record<string, ByFile>>>('saneDifferences.json5')

/**
 * By file: cases that differ only after all the other files, with several quirks off at once. What
 * is waiting then is more than what waited at the recorded node.
 */
const jointDifferences: ByFile = {
  'b-x-pending': ['eth_getBlockTransactionCountByNumber pending count'],
}

/** By file, then by case: what no setting of ours answers as recorded. */
export const { cases: exceptions } = read<{
  readonly cases: Readonly<Record<string, Readonly<Record<string, unknown>>>>
}>('exceptions.json5')

/** Returns the cases of a file that differ on purpose when all quirks are off. */
export function differing(name: string): ReadonlySet<string> {
  return new Set([...Object.values(differences), jointDifferences].flatMap((files) => files[name] ?? []))
}
