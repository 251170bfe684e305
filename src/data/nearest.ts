/**
 * Returns the candidate with the smallest edit distance to `name`, or undefined if none is close enough: a third of
 * the letters may differ, and two in a short name with the same first letter, but `most` of them at most.
 */
export function nearest(name: string, candidates: Iterable<string>, most = Infinity): string | undefined {
  const third = Math.floor(name.length / 3)
  let best: { candidate: string; far: number } | undefined
  for (const candidate of candidates) {
    const beginsAlike = candidate[0] === name[0]
    const edits = editDistance(name.toLowerCase(), candidate.toLowerCase())
    // If two are equally close, the one with the same first letter wins.
    const far = edits + (beginsAlike ? 0 : 0.5)
    if (edits <= Math.min(most, Math.max(beginsAlike ? 2 : 1, third)) && far < (best?.far ?? Infinity))
      best = { candidate, far }
  }
  return best?.candidate
}

/**
 * Returns how many letters must be inserted, removed, replaced or swapped with the next one, computed row by row
 * (optimal string alignment): 'form' and 'from' differ by 1.
 */
function editDistance(a: string, b: string): number {
  let before: readonly number[] = []
  let row = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const replaced = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      const swapped = isSwapped ? (before[j - 2] ?? 0) + 1 : Infinity
      next.push(Math.min(replaced, swapped, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1))
    }
    before = row
    row = next
  }
  return row[b.length] ?? 0
}
