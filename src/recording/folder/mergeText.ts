/**
 * Merges three versions of a recording's file line by line, as a git merge driver. Each line
 * belongs to one key, so branches that recorded different calls merge without conflict.
 */
import { itemTexts, memberTexts } from '../playback/slice.ts'
import { linesText } from './files.ts'
import { byCodeUnit } from './writeFolder.ts'

/** The merged text; `conflicts` lists the keys whose lines are between conflict markers. */
export type Merged = { readonly text: string; readonly conflicts: readonly string[] }

export type Versions = { readonly base: string; readonly ours: string; readonly theirs: string }

/** Returns the merged text of a file; `path` selects the merge rule. */
export function mergeText(path: string, versions: Versions): Merged {
  if (path.endsWith('manifest.json')) return mergedManifest(versions)
  if (path.endsWith('order.jsonl')) return mergedOrder(versions)
  if (/(?:^|\/)streams\//.test(path)) return mergedStream(versions)
  const [base, ours, theirs] = [versions.base, versions.ours, versions.theirs].map(byKey)
  const keys = [...new Set([...(ours?.keys() ?? []), ...(theirs?.keys() ?? [])])].toSorted(byCodeUnit)
  const conflicts: string[] = []
  const lines = keys.flatMap((key) => {
    const [was, a, b] = [base?.get(key), ours?.get(key), theirs?.get(key)]
    if (a === b || b === was) return a ?? []
    if (a === was) return b ?? []
    const both = a === undefined || b === undefined ? undefined : union(a, b)
    if (both !== undefined) return both
    conflicts.push(key)
    return [
      '<<<<<<< ours',
      ...(a === undefined ? [] : [a]),
      '=======',
      ...(b === undefined ? [] : [b]),
      '>>>>>>> theirs',
    ]
  })
  return { text: linesText(lines), conflicts }
}

function linesOf(text: string): readonly string[] {
  return text.split('\n').filter((line) => line !== '')
}

function byKey(text: string): ReadonlyMap<string, string> {
  return new Map(
    linesOf(text).map((line) => {
      const members = memberTexts(line)
      return [`${members.get('m') ?? ''} ${members.get('p') ?? ''}`, line]
    }),
  )
}

/** Joins two lines whose height intervals do not overlap; returns undefined if they do. */
function union(a: string, b: string): string | undefined {
  const [one, two] = [a, b].map(memberTexts)
  const spans = [one, two].map((members) =>
    itemTexts(members?.get('v') ?? '').map((text) => {
      const [from, to] = itemTexts(text).map(Number)
      return { text, from: from ?? 0, to: to ?? 0 }
    }),
  )
  const all = [...new Map(spans.flat().map((span) => [span.text, span])).values()].toSorted((x, y) => x.from - y.from)
  const overlaps = all.some((span, index) => index > 0 && span.from <= (all[index - 1]?.to ?? -1))
  if (overlaps) return undefined
  const count = Number(one?.get('n') ?? 0) + Number(two?.get('n') ?? 0)
  return `{"m":${one?.get('m')},"p":${one?.get('p')},"v":[${all.map(({ text }) => text).join(',')}],"n":${count}}`
}

/**
 * Adds the lines that only theirs has. Times of two branches cannot be compared, so added lines
 * that are not later than ours are moved behind them.
 */
function mergedOrder({ ours, theirs }: Versions): Merged {
  const lines = linesOf(ours)
  const nameOf = (line: string) => /"(?:height|write)":("?\w+"?)/.exec(line)?.[1]
  const atOf = (line: string) => Number(/"(?:at|startsAt)":(-?[\d.]+)/.exec(line)?.[1] ?? 0)
  const known = new Set(lines.map(nameOf))
  const end = lines.reduce((most, line) => Math.max(most, atOf(line)), 0)
  const others = linesOf(theirs).filter((line) => nameOf(line) !== undefined && !known.has(nameOf(line)))
  const first = others.reduce((least, line) => Math.min(least, atOf(line)), Infinity)
  const by = first > end ? 0 : end + 1000 - first
  const move = (line: string) =>
    line.replace(
      /"(at|ready)":(-?[\d.]+)/g,
      (_, name: string, at: string) => `"${name}":${Math.round((Number(at) + by) * 10) / 10}`,
    )
  return { text: linesText([...lines, ...others.map(move)]), conflicts: [] }
}

function mergedStream({ ours, theirs }: Versions): Merged {
  const lines = linesOf(ours)
  const known = new Set(lines)
  const heightOf = (line: string) => Number(/^\[(\d+)/.exec(line)?.[1] ?? -1)
  const all = [...lines, ...linesOf(theirs).filter((line) => !known.has(line))]
  return {
    text: linesText(
      all
        .map((line, index) => ({ line, index }))
        .toSorted((a, b) => heightOf(a.line) - heightOf(b.line) || a.index - b.index)
        .map(({ line }) => line),
    ),
    conflicts: [],
  }
}

/**
 * Merges two manifests. Digests of merged files are not known yet; they stay `''` until `recording
 * merge` seals the folder.
 */
function mergedManifest({ ours, theirs }: Versions): Merged {
  const [a, b] = [ours, theirs].map((text) => JSON.parse(text) as { files: Record<string, string>; root: string })
  const paths = [...new Set([...Object.keys(a?.files ?? {}), ...Object.keys(b?.files ?? {})])].toSorted(byCodeUnit)
  const files = Object.fromEntries(
    paths.map((path) => {
      const [one, two] = [a?.files[path], b?.files[path]]
      return [path, one === undefined || two === undefined || one === two ? (one ?? two ?? '') : '']
    }),
  )
  return { text: `${JSON.stringify({ ...a, files, root: '' }, undefined, 2)}\n`, conflicts: [] }
}
