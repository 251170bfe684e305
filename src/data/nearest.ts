/** Returns the candidate closest to `name` by edits, or undefined when none is close enough to help. */
export function nearest(name: string, candidates: Iterable<string>): string | undefined {
  const limit = Math.max(2, Math.floor(name.length / 3))
  let best: { candidate: string; edits: number } | undefined
  for (const candidate of candidates) {
    const edits = editDistance(name.toLowerCase(), candidate.toLowerCase())
    if (edits <= limit && edits < (best?.edits ?? Infinity)) best = { candidate, edits }
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
