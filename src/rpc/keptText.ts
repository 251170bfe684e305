/**
 * Caches texts of answers that cannot change, such as a mined block, with the object they describe.
 * So an answer with thousands of results is built and written only once.
 */
import { writeJson, type Plain } from '../codec/goJsonWrite.ts'
import { JsonText } from './result.ts'
import { textBudget } from './textBudget.ts'

let texts = new WeakMap<object, Map<string, JsonText>>()
const mayKeep = textBudget({ charactersMost: 32 * 1024 * 1024, longestMost: 8 * 1024 * 1024 }, () => {
  texts = new WeakMap()
})

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
  if (!mayKeep(text.text.length)) return text
  const named = texts.get(of) ?? new Map<string, JsonText>()
  texts.set(of, named)
  named.set(name, text)
  return text
}

/** Returns a JSON array of the given texts. */
export function listText(items: readonly JsonText[]): string {
  return `[${items.map(({ text }) => text).join(',')}]`
}
