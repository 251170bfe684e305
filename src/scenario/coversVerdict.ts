import type { Expected } from '../plan/expectation.ts'
import type { CallRecord } from '../rpc/callRecord.ts'
import { quantityText } from './quantityText.ts'

type Covers = Extract<Expected, { type: 'covers' }>

/** The calls, the latest height, and a function that evaluates late expressions. */
export type CoversSeen = {
  readonly calls: readonly CallRecord[]
  readonly height: bigint
  readonly filled: (json: string) => string
}

/**
 * Returns a sentence with the first block of the range that no call queried (`eth_getLogs` and
 * filters: `fromBlock` to `toBlock`); undefined if all blocks were queried.
 */
export function coversVerdict({ text, from, to }: Covers, { calls, height, filled }: CoversSeen): string | undefined {
  const [first, last] = [quantityText(filled(from)), quantityText(filled(to))]
  if (first === undefined || last === undefined) {
    return `${text}: ${filled(from)} to ${filled(to)} are not valid heights`
  }
  const ranges = calls.flatMap((call) => rangeOf(call, height) ?? []).toSorted((a, b) => (a.from < b.from ? -1 : 1))
  let next = first
  for (const range of ranges) if (range.from <= next && range.to >= next) next = range.to + 1n
  if (next > last) return undefined
  return `${text}: expected blocks ${first} to ${last}, block ${next} is missing in ${calls.length} calls`
}

function rangeOf({ params }: CallRecord, height: bigint): { readonly from: bigint; readonly to: bigint } | undefined {
  try {
    const [filter] = JSON.parse(params) as readonly { fromBlock?: unknown; toBlock?: unknown }[]
    return { from: blockOf(filter?.fromBlock, height), to: blockOf(filter?.toBlock, height) }
  } catch {
    return undefined
  }
}

/**
 * Returns the height of a block parameter. An absent value or a tag other than `earliest` means the
 * latest block.
 */
function blockOf(value: unknown, height: bigint): bigint {
  return quantityText(JSON.stringify(value ?? 'latest')) ?? (value === 'earliest' ? 0n : height)
}
