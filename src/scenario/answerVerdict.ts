/** Compares a response, or a part of it, with the one that an expectation wants. */
import type { Wanted } from '../plan/expectation.ts'
import type { RpcAnswer } from './facts.ts'
import { partsOfPath, valueIn } from './jsonPath.ts'
import { quantityText } from './quantityText.ts'

/** The wanted value at a path of the response; `filled` evaluates late expressions. */
export type AnswerWanted = {
  readonly method: string
  readonly path: string
  readonly wanted: Wanted
  readonly filled: (json: string) => string
}

/** Returns why a response is not the wanted one, or undefined if it is. */
export function answerVerdict(
  { method, path, wanted, filled }: AnswerWanted,
  { isError, text }: RpcAnswer,
): string | undefined {
  const what = `${method} ${path || 'result'}`
  if (wanted.is === 'error') return errorVerdict(method, wanted, { isError, text })
  const value = textAt(text, path)
  switch (wanted.is) {
    case 'equal': {
      const expected = filled(wanted.value)
      // An expression may give a number where the interface returns a string.
      const isSame = value === expected || (expected !== wanted.value && plain(value) === plain(expected))
      return isSame ? undefined : `${what}: expected ${expected}, received ${value}`
    }
    case 'different':
      return value === wanted.value ? `${what}: expected anything but ${value}` : undefined
    case 'matching':
      return new RegExp(wanted.pattern).test(plain(value))
        ? undefined
        : `${what}: expected to match ${wanted.pattern}, received ${value}`
    case 'between': {
      const number = quantityText(value)
      return number === undefined ? `${what}: expected an integer, received ${value}` : range(what, number, wanted)
    }
  }
}

function errorVerdict(
  method: string,
  { code, includes, pattern }: Extract<Wanted, { is: 'error' }>,
  { isError, text }: RpcAnswer,
): string | undefined {
  if (!isError) return `${method}: expected an error, received ${text.slice(0, 200)}`
  const isCode = code === undefined || textAt(text, 'code') === String(code)
  const isText = text.includes(includes ?? '') && new RegExp(pattern ?? '').test(plain(textAt(text, 'data')))
  const wish = includes ?? pattern
  return isCode && isText
    ? undefined
    : `${method}: expected an error${code === undefined ? '' : ` ${code}`}${wish === undefined ? '' : ` with "${wish}"`}, received ${text.slice(0, 200)}`
}

type Range = {
  readonly min: bigint | number | undefined
  readonly max: bigint | number | undefined
}

/**
 * Returns why a number is out of range, as a sentence that starts with `what`; undefined if it is
 * in range.
 */
export function range(what: string, value: bigint | number, { min, max }: Range): string | undefined {
  if (min !== undefined && value < min) return `${what}: expected at least ${min}, was ${value}`
  if (max !== undefined && value > max) return `${what}: expected at most ${max}, was ${value}`
  return undefined
}

const plain = (json: string) => (json.startsWith('"') ? String(JSON.parse(json)) : json)

/**
 * Returns the JSON text at a path such as `a.0.b` or `$.a[0].b`, or `absent` if there is nothing.
 */
export function textAt(text: string, path: string): string {
  const value = valueIn(JSON.parse(text), partsOfPath(path))
  return value === undefined ? 'absent' : JSON.stringify(value)
}
