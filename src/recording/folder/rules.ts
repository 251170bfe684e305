/** Ignores parameters that the user excludes from matching (`mocks.md` §4.3, rule 5). */
import { canonicalJson } from '../../data/canonicalJson.ts'
import { parseCanonicalJson } from '../../data/parseCanonicalJson.ts'
import { keyParts } from '../playback/callKey.ts'
import type { Answers, HeldAnswer, Library } from '../playback/library.ts'
import { BadRecording } from './files.ts'

/** Parameter paths by method, such as `params[0].gas` or, on CometBFT RPC, `prove`. */
export type Ignored = Readonly<Record<string, readonly string[]>>

/**
 * Returns a recording that treats calls as equal if they differ only in ignored parameters. Throws
 * `BadRecording` where calls that become equal have different answers.
 */
export function withIgnored(library: Library, ignored: Ignored): Library {
  if (Object.keys(ignored).length === 0) return library
  const { answers } = library
  const first = new Map<string, string>()
  for (const key of answers.keys()) {
    const plain = plainKey(key, ignored)
    const other = first.get(plain)
    if (other === undefined) first.set(plain, key)
    else if (textsOf(answers, other) !== textsOf(answers, key))
      throw new BadRecording(
        'rules.json5',
        `the rules make two recorded calls equal that have different responses: ${other} and ${key}`,
      )
  }
  const recorded = (key: string) => first.get(plainKey(key, ignored)) ?? key
  return {
    ...library,
    answers: {
      size: first.size,
      keys: () => first.values(),
      recordedKey: recorded,
      has: (key) => answers.has(recorded(key)),
      get: (key) => answers.get(recorded(key)),
    },
  }
}

function textsOf(answers: Answers, key: string): string {
  return canonicalJson(
    (answers.get(key) ?? []).map(({ answer }: HeldAnswer) =>
      answer.ok === true ? answer.text : canonicalJson(answer),
    ),
  )
}

function plainKey(key: string, ignored: Ignored): string {
  const { side, method, params } = keyParts(key)
  const paths = ignored[method]
  if (paths === undefined) return key
  const value = paths.reduce((before, path) => without(before, stepsOf(path)), parseCanonicalJson(params))
  return `${side} ${method} ${canonicalJson(value)}`
}

function stepsOf(path: string): readonly string[] {
  return path.replace(/^params(?=[.[])/, '').match(/[^.[\]]+/g) ?? []
}

/** Removes a value by its path. A list item becomes null, so that later items keep their index. */
function without(value: unknown, [step, ...rest]: readonly string[]): unknown {
  if (step === undefined || typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) {
    return value.map((one: unknown, at) => {
      if (String(at) !== step) return one
      return rest.length === 0 ? null : without(one, rest)
    })
  }
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, one]) => {
      if (name !== step) return [[name, one]]
      return rest.length === 0 ? [] : [[name, without(one, rest)]]
    }),
  )
}
