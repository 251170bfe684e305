/**
 * `npm run bench peers`: where people wait, beside Anvil and a real node, with the ratio that is
 * wanted. Both servers of a row work by turns, so that a busy machine is unfair to neither.
 */
import { anvilOrReason } from './peerNodes.ts'
import { cometRows } from './peerComet.ts'
import { readRows } from './peerReads.ts'
import { startRows } from './peerStart.ts'
import { writeRows } from './peerWrites.ts'
import type { Node } from './node.ts'

/**
 * One row. `theirs` is the peer's figure; `atLeast` and `atMost` are of the ratio of both, or,
 * where `limit` is given, of our own figure.
 */
export type Row = {
  readonly name: string
  readonly unit: string
  readonly ours: number
  readonly theirs?: number | undefined
  readonly peer?: string
  readonly micros?: number | undefined
  readonly microsMost?: number
  readonly atLeast?: number
  readonly atMost?: number
  readonly limit?: number
}

export type Anvil = (flags?: readonly string[]) => Promise<Node | undefined>

/** Prints the rows as they are measured; some minutes. */
export async function print(): Promise<void> {
  let reason: string | undefined
  const anvil: Anvil = async (flags) => {
    const node = await anvilOrReason(flags)
    if (typeof node !== 'string') return node
    reason ??= node
    return undefined
  }
  process.stdout.write(`${line(['work', 'ours', 'peer', 'ratio', 'wanted', 'reached', 'CPU µs'])}\n`)
  for (const rows of [startRows, readRows, writeRows, cometRows])
    for (const row of await rows(anvil)) process.stdout.write(`${line(cells(row))}\n`)
  if (reason !== undefined) process.stdout.write(`  skipped beside Anvil: ${reason}\n`)
}

function cells(row: Row): string[] {
  const { name, unit, ours, theirs, peer = 'Anvil', micros, microsMost } = row
  const beside = theirs === undefined ? '–' : `${shown(theirs)} (${peer})`
  const own = microsMost === undefined ? shown(micros) : `${shown(micros)} (≤ ${microsMost})`
  const ratio = theirs === undefined ? undefined : ours / theirs
  return [`${name}, ${unit}`, shown(ours), beside, shown(ratio), wantedOf(row), reachedOf(row, ratio), own]
}

function wantedOf({ atLeast, atMost, limit }: Row): string {
  if (limit !== undefined) return `${shown(limit)} or less`
  return atLeast === undefined ? `≤ ${atMost}` : `≥ ${atLeast}`
}

function reachedOf({ ours, atLeast, atMost, limit, micros, microsMost }: Row, ratio: number | undefined): string {
  if (micros !== undefined && microsMost !== undefined && micros > microsMost) return 'no'
  if (limit !== undefined) return ours <= limit ? 'yes' : 'no'
  if (ratio === undefined) return 'skipped'
  return ratio >= (atLeast ?? 0) && ratio <= (atMost ?? Infinity) ? 'yes' : 'no'
}

function shown(value: number | undefined): string {
  if (value === undefined || Number.isNaN(value)) return '–'
  return value < 10 ? value.toFixed(2) : Math.round(value).toLocaleString('en')
}

function line([name = '', ...rest]: readonly string[]): string {
  return `  ${name.padEnd(52)}${rest.map((cell) => cell.padStart(17)).join('')}`
}
