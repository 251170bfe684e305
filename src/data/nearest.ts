/**
 * Returns the candidate with the smallest edit distance to `name`, or undefined if none is close
 * enough.
 */
export function nearest(name: string, candidates: Iterable<string>): string | undefined {
  const limit = Math.max(2, Math.floor(name.length / 3))
  let best: { candidate: string; far: number } | undefined
  for (const candidate of candidates) {
    const edits = editDistance(name.toLowerCase(), candidate.toLowerCase())
    // If two are equally close, the one with the same first letter wins.
    const far = edits + (candidate[0] === name[0] ? 0 : 0.5)
    if (edits <= limit && far < (best?.far ?? Infinity)) best = { candidate, far }
  }
  return best?.candidate
}

/** Returns the Levenshtein distance, computed row by row. */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const swap = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      next.push(Math.min(swap, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1))
    }
    row = next
  }
  return row[b.length] ?? 0
}
