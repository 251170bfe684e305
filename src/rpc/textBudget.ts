/** Bounds the memory of kept texts. */

/** Most characters of all kept texts together, and of one. */
export type TextLimits = { readonly charactersMost: number; readonly longestMost: number }

/**
 * Returns a function that returns whether a text of so many characters may be kept. It calls `dropAll`
 * first when this text and all before it exceed the limit, and counts from this one on.
 */
export function textBudget(
  { charactersMost, longestMost }: TextLimits,
  dropAll: () => void,
): (characters: number) => boolean {
  let kept = 0
  return (characters) => {
    if (characters > longestMost) return false
    kept += characters
    if (kept > charactersMost) {
      dropAll()
      kept = characters
    }
    return true
  }
}
