/**
 * `npm run bench peers`: the work that people wait for, beside Anvil and a real node, with the
 * ratio that is wanted. Both servers of a row work by turns, so that a busy machine is unfair to
 * neither. Our server runs the profile `local`. `--markdown FILE` also writes the rows as a table
 * for the documentation.
 */
import { writeFileSync } from 'node:fs'
import { availableParallelism, cpus, loadavg } from 'node:os'
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

/** Prints the rows as they are measured, which takes some minutes; also writes them to the file, if one is given. */
export async function print(markdownFile?: string): Promise<void> {
  let reason: string | undefined
  const anvil: Anvil = async (flags) => {
    const node = await anvilOrReason(flags)
    if (typeof node !== 'string') return node
    reason ??= node
    return undefined
  }
  const shownRows: string[][] = []
  process.stdout.write(`${line(header)}\n`)
  for (const rows of [startRows, readRows, writeRows, cometRows]) {
    for (const row of await rows(anvil)) {
      shownRows.push(cells(row))
      process.stdout.write(`${line(cells(row))}\n`)
    }
  }
  if (reason !== undefined) process.stdout.write(`  skipped beside Anvil: ${reason}\n`)
  if (markdownFile !== undefined) writeFileSync(markdownFile, markdown(shownRows))
}

const header = ['work', 'ours', 'peer', 'ratio', 'wanted', 'reached', 'CPU µs']

/** Returns the rows as a Markdown table below a line with the date and the kind of machine. */
function markdown(rows: readonly (readonly string[])[]): string {
  const [{ model = 'unknown processor' } = {}] = cpus()
  const [load = 0] = loadavg()
  const date = new Date().toISOString().slice(0, 10)
  const machine = `${availableParallelism()} × ${model.trim()}, ${process.platform}, Node ${process.versions.node}`
  const lines = [header, header.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`)
  return `Measured on ${date}: ${machine}, load average ${load.toFixed(1)}.\n\n${lines.join('\n')}\n`
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
  return `  ${name.padEnd(52)}${rest.map((cell) => cell.padStart(20)).join('')}`
}
