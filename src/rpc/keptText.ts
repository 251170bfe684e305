/**
 * Texts of answers that cannot change, such as that of a mined block, kept with the object they
 * describe: an answer with thousands of results is shaped and written once.
 */
import { writeJson, type Plain } from '../codec/goJsonWrite.ts'
import { JsonText } from './result.ts'

/** Characters that all texts have together before they are forgotten, and those of the longest that is kept. */
const [charactersMost, longestMost] = [32 * 1024 * 1024, 8 * 1024 * 1024]

let texts = new WeakMap<object, Map<string, JsonText>>()
let characters = 0

/**
 * Returns the JSON text that `make` returns or that its value has, kept for this very object under
 * a name. `make` must return the same for an object and a name at any time. A text goes with its
 * object; all go when they have grown too long together, so nothing is kept without limit.
 */
export function keptText(of: object, name: string, make: () => Plain | JsonText): JsonText {
  const found = texts.get(of)?.get(name)
  if (found !== undefined) return found
  const made = make()
  const text = made instanceof JsonText ? made : new JsonText(writeJson(made))
  if (text.text.length > longestMost) return text
  characters += text.text.length
  if (characters > charactersMost) {
    texts = new WeakMap()
    characters = text.text.length
  }
  const named = texts.get(of) ?? new Map<string, JsonText>()
  texts.set(of, named)
  named.set(name, text)
  return text
}

/** Returns a JSON array of texts. */
export function listText(items: readonly JsonText[]): string {
  return `[${items.map(({ text }) => text).join(',')}]`
}
