/**
 * Caches texts of answers that cannot change, such as a mined block, with the object they describe.
 * So an answer with thousands of results is built and written only once.
 */
import { writeJson, type Plain } from '../codec/goJsonWrite.ts'
import { JsonText } from './result.ts'

/**
 * Most characters of all cached texts together, and of a single cached text. All are dropped when
 * the first limit is exceeded.
 */
const [charactersMost, longestMost] = [32 * 1024 * 1024, 8 * 1024 * 1024]

let texts = new WeakMap<object, Map<string, JsonText>>()
let characters = 0

/**
 * Returns the JSON text of the value that `make` returns, cached under a name for this object.
 *
 * `make` must always return the same value for the same object and name. A text is freed with its
 * object. All texts are dropped when they exceed the common limit, so the cache is bounded.
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

/** Returns a JSON array of the given texts. */
export function listText(items: readonly JsonText[]): string {
  return `[${items.map(({ text }) => text).join(',')}]`
}
