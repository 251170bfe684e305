/** Joins what both sides of a fork answered, and reads heights in the other chain's answers. */
import { membersOf } from '../../data/members.ts'

/** Returns the height in a block, a transaction, a receipt, or the first of several logs; undefined for other values. */
export function heightIn(value: unknown): bigint | undefined {
  const result = membersOf(Array.isArray(value) ? value[0] : value)
  const header = membersOf(result['header'] ?? membersOf(result['block'])['header'])
  // A transaction pending on the other chain is not one of ours.
  if (result['blockNumber'] === null) return 1n << 63n
  const said = result['blockNumber'] ?? result['number'] ?? result['height'] ?? header['height'] ?? header['number']
  return typeof said === 'string' ? BigInt(said) : undefined
}

/** Returns the logs of both chains as the text of one list. `before` is the text of the other chain's list. */
export function joinedLogs(before: string, after: unknown): string {
  const inner = [before, JSON.stringify(after)].map((text) => text.trim().slice(1, -1))
  return `[${inner.filter((text) => text !== '').join(',')}]`
}

/**
 * Returns two fee histories as the text of one. `before` is the text of the other chain's, whose fee
 * for its next block is replaced by ours.
 */
export function joinedFees(before: string, after: unknown): string {
  const [first, last] = [membersOf(JSON.parse(before)), membersOf(after)]
  const entries = Object.entries(first).map(([name, value]) => {
    const more = last[name]
    if (!Array.isArray(value) || !Array.isArray(more)) return [name, value] as const
    const kept: readonly unknown[] = isAhead(name) ? value.slice(0, -1) : value
    return [name, [...kept, ...(more as unknown[])]] as const
  })
  return JSON.stringify(Object.fromEntries(entries))
}

/** Returns whether a list also contains a value for the next block. */
function isAhead(name: string): boolean {
  return name === 'baseFeePerGas' || name === 'baseFeePerBlobGas'
}
