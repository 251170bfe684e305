/** Applies manual patches to a recording (`mocks.md` §4.7). */
import { storedKey, keyParts, type Names } from '../playback/callKey.ts'
import type { Answers, Held, Library } from '../playback/library.ts'
import { canonicalJson } from '../../data/canonicalJson.ts'
import { editText, type Edit } from './editText.ts'
import { BadRecording } from './files.ts'

/**
 * A set of edits to recorded answers. `match` names a call as the recording's files do; without
 * parameters, it matches all calls of a method.
 */
export type Patch = {
  readonly match: { readonly method: string; readonly params?: unknown }
  readonly patch: readonly Edit[]
  readonly reason: string
}

/** Returns the recording with patches applied; they are listed by file. Throws `BadRecording`. */
export function patched(library: Library, patches: ReadonlyMap<string, readonly Patch[]>, names: Names): Library {
  let { answers } = library
  for (const [path, list] of patches) {
    for (const patch of list) answers = withPatch(answers, patch, { path, names })
  }
  return { ...library, answers }
}

type Where = { readonly path: string; readonly names: Names }

function withPatch(answers: Answers, { match, patch, reason }: Patch, { path, names }: Where): Answers {
  if (reason.trim() === '') {
    throw new BadRecording(path, `the patch of ${match.method} has no reason`)
  }
  const keys = [...answers.keys()].filter((key) => isMeant(key, match, names))
  if (keys.length === 0)
    throw new BadRecording(path, `the patch "${reason}" applies to ${match.method}, which is not recorded`)
  const changed = new Map(
    keys.map((key) => {
      const held = answers.get(key) ?? []
      return [key, held.map((one) => changedAnswer(one, patch, { path, reason }))] as const
    }),
  )
  return {
    size: answers.size,
    has: answers.has,
    keys: () => answers.keys(),
    get: (key) => changed.get(key) ?? answers.get(key),
  }
}

function isMeant(key: string, { method, params }: Patch['match'], names: Names): boolean {
  const parts = keyParts(key)
  if (parts.method !== method) return false
  return params === undefined || storedKey(parts, canonicalJson(params), names) === key
}

function changedAnswer(held: Held, edits: readonly Edit[], { path, reason }: { path: string; reason: string }): Held {
  if (held.answer.ok !== true) return held
  const text = edits.reduce((before, edit) => {
    const after = editText(before, edit)
    if (after === undefined)
      throw new BadRecording(path, `the patch "${reason}" changes ${edit.path}, which does not exist`)
    return after
  }, held.answer.text)
  return { ...held, answer: { ok: true, text } }
}
