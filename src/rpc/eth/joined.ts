/** Joins the other chain's part of results with ours, on a fork (`Context.other`). */
import type { PlainObject } from '../../codec/goJsonWrite.ts'
import { quantityOf } from '../../codec/hex.ts'
import { type Members, membersOf } from '../../data/members.ts'
import { JsonText } from '../result.ts'

/** Returns the logs of both chains as one list. */
export function joinedLogs(other: string, own: JsonText): JsonText {
  const inner = [other, own.text].map((text) => text.trim().slice(1, -1))
  return new JsonText(`[${inner.filter((text) => text !== '').join(',')}]`)
}

/**
 * Returns two fee histories as one of `count` blocks, or of fewer if the other chain's part is
 * shorter. Our fee replaces that of the other chain's next block.
 */
export function joinedFees(other: string, own: PlainObject, count: number): PlainObject {
  const first = membersOf(JSON.parse(other))
  const surplus = Math.max(0, blocksIn(first) + blocksIn(own) - count)
  const entries = Object.entries(first).map(([name, value]) => {
    const more = own[name]
    if (name === 'oldestBlock') return [name, quantityOf(BigInt(String(value)) + BigInt(surplus))] as const
    if (!Array.isArray(value) || !Array.isArray(more)) return [name, value] as const
    const kept: readonly unknown[] = value.slice(surplus, isAhead(name) ? -1 : undefined)
    return [name, [...kept, ...(more as unknown[])]] as const
  })
  return Object.fromEntries(entries) as PlainObject
}

function blocksIn({ gasUsedRatio }: Members): number {
  return Array.isArray(gasUsedRatio) ? gasUsedRatio.length : 0
}

/** Returns whether a list also contains a value for the next block. */
function isAhead(name: string): boolean {
  return name === 'baseFeePerGas' || name === 'baseFeePerBlobGas'
}
