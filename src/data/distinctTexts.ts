/** Distinct texts of clients, whose number has no limit of its own. */

/** The first distinct texts, in order; later ones are only counted. */
export type DistinctTexts = {
  readonly add: (text: string) => void
  readonly all: () => readonly string[]
  /** Returns how often a text was added that is not among the first ones. */
  readonly more: () => number
}

/** Maximum number of texts that are kept. */
const textsMost = 10_000

/** Maximum number of characters that are kept. */
const lengthMost = 16 * 1024 * 1024

/** Returns the texts of a report, with the number of those that were left out. */
export function withMore(texts: readonly string[], more: number): readonly string[] {
  return more === 0 ? texts : [...texts, `${more} more calls`]
}

/** Returns the texts of a list, with the number of those that it only counted. */
export function allTexts({ all, more }: DistinctTexts): readonly string[] {
  return withMore(all(), more())
}

/** Returns an empty list. */
export function distinctTexts(): DistinctTexts {
  const texts = new Set<string>()
  let length = 0
  let more = 0
  return {
    add: (text) => {
      if (texts.has(text)) return
      if (texts.size === textsMost || length + text.length > lengthMost) {
        more += 1
        return
      }
      length += text.length
      texts.add(text)
    },
    all: () => [...texts],
    more: () => more,
  }
}
