import type { Expected } from '../node/planExpectation.ts'
import type { CallRecord } from '../rpc/callRecord.ts'
import { quantityText } from './quantityText.ts'

type Covers = Extract<Expected, { type: 'covers' }>

/** Where the calls are, what the newest block is, and how late expressions read. */
export type CoversSeen = {
  readonly calls: readonly CallRecord[]
  readonly height: bigint
  readonly filled: (json: string) => string
}

/**
 * Returns the first block that no call asked for, of those that some call should have
 * (`eth_getLogs` and filters: `fromBlock` to `toBlock`); undefined when there is none.
 */
export function coversVerdict({ text, from, to }: Covers, { calls, height, filled }: CoversSeen): string | undefined {
  const [first, last] = [quantityText(filled(from)), quantityText(filled(to))]
  if (first === undefined || last === undefined) {
    return `${text}: ${filled(from)} to ${filled(to)} are no heights`
  }
  const ranges = calls.flatMap((call) => rangeOf(call, height) ?? []).toSorted((a, b) => (a.from < b.from ? -1 : 1))
  let next = first
  for (const range of ranges) if (range.from <= next && range.to >= next) next = range.to + 1n
  if (next > last) return undefined
  return `${text}: expected blocks ${first} to ${last} to be asked for, block ${next} was not by ${calls.length} calls`
}

function rangeOf({ params }: CallRecord, height: bigint): { readonly from: bigint; readonly to: bigint } | undefined {
  try {
    const [filter] = JSON.parse(params) as readonly { fromBlock?: unknown; toBlock?: unknown }[]
    return { from: blockOf(filter?.fromBlock, height), to: blockOf(filter?.toBlock, height) }
  } catch {
    return undefined
  }
}

/** Without a height, or with a tag, the newest is meant. */
function blockOf(value: unknown, height: bigint): bigint {
  return quantityText(JSON.stringify(value ?? 'latest')) ?? (value === 'earliest' ? 0n : height)
}
