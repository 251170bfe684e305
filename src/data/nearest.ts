/**
 * Returns the candidate closest to `name` by edits, or undefined when none is close enough to help.
 */
export function nearest(name: string, candidates: Iterable<string>): string | undefined {
  const limit = Math.max(2, Math.floor(name.length / 3))
  let best: { candidate: string; far: number } | undefined
  for (const candidate of candidates) {
    const edits = editDistance(name.toLowerCase(), candidate.toLowerCase())
    // Of two that are as close, the one that starts alike is meant.
    const far = edits + (candidate[0] === name[0] ? 0 : 0.5)
    if (edits <= limit && far < (best?.far ?? Infinity)) best = { candidate, far }
  }
  return best?.candidate
}

/** Levenshtein distance, one row at a time; names are short. */
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
