/** Applies manual patches to a recording (`mocks.md` §4.7). */
import { type ParameterNames, keyParts, storedKey } from '../playback/callKey.ts'
import type { Answers, HeldAnswer, Library } from '../playback/library.ts'
import { canonicalJson } from '../../data/canonicalJson.ts'
import { BadRecording } from './files.ts'
import { itemTexts, memberTexts } from '../playback/slice.ts'

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
export function patched(
  library: Library,
  patches: ReadonlyMap<string, readonly Patch[]>,
  names: ParameterNames,
): Library {
  let { answers } = library
  for (const [path, list] of patches) {
    for (const patch of list) answers = withPatch(answers, patch, { path, names })
  }
  return { ...library, answers }
}

type Where = { readonly path: string; readonly names: ParameterNames }

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
    has: (key) => answers.has(key),
    keys: () => answers.keys(),
    get: (key) => changed.get(key) ?? answers.get(key),
  }
}

function isMeant(key: string, { method, params }: Patch['match'], names: ParameterNames): boolean {
  const parts = keyParts(key)
  if (parts.method !== method) return false
  return params === undefined || storedKey(parts, canonicalJson(params), names) === key
}

function changedAnswer(
  held: HeldAnswer,
  edits: readonly Edit[],
  { path, reason }: { path: string; reason: string },
): HeldAnswer {
  if (held.answer.ok !== true) return held
  const text = edits.reduce((before, edit) => {
    const after = editText(before, edit)
    if (after === undefined)
      throw new BadRecording(path, `the patch "${reason}" changes ${edit.path}, which does not exist`)
    return after
  }, held.answer.text)
  return { ...held, answer: { ok: true, text } }
}

export type Edit = {
  readonly op: 'add' | 'replace' | 'remove'
  /** A JSON Pointer. */
  readonly path: string
  readonly value?: unknown
}

/** Returns the edited text, or undefined where the path does not exist. */
export function editText(text: string, { op, path, value }: Edit): string | undefined {
  if (path !== '' && !path.startsWith('/')) return undefined
  const names = path
    .split('/')
    .slice(1)
    .map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'))
  const written = op === 'remove' ? undefined : canonicalJson(value ?? null)
  return edited(text.trim(), names, { op, written })
}

type Written = { readonly op: Edit['op']; readonly written: string | undefined }

function edited(text: string, [name, ...rest]: readonly string[], change: Written): string | undefined {
  if (name === undefined) return change.written
  if (text.startsWith('{')) return inObject(text, [name, ...rest], change)
  return text.startsWith('[') ? inArray(text, [name, ...rest], change) : undefined
}

function inObject(text: string, [name = '', ...rest]: readonly string[], change: Written): string | undefined {
  const members = new Map(memberTexts(text))
  const old = members.get(name)
  const isNew = old === undefined && rest.length === 0 && change.op === 'add'
  if (old === undefined && !isNew) return undefined
  if (rest.length === 0 && change.written === undefined) members.delete(name)
  else {
    const changed = edited(old ?? 'null', rest, change)
    if (changed === undefined) return undefined
    members.set(name, changed)
  }
  return `{${[...members].map(([key, value]) => `${JSON.stringify(key)}:${value}`).join(',')}}`
}

/** Edits an item; `-` is the position after the last item. */
function inArray(text: string, [name = '', ...rest]: readonly string[], change: Written): string | undefined {
  const items = [...itemTexts(text)]
  const isAdded = rest.length === 0 && change.op === 'add'
  const index = name === '-' ? items.length : /^\d+$/.test(name) ? Number(name) : -1
  if (index < 0 || index >= items.length + (isAdded ? 1 : 0)) return undefined
  if (isAdded && change.written !== undefined) items.splice(index, 0, change.written)
  else if (rest.length === 0 && change.op === 'remove') items.splice(index, 1)
  else {
    const changed = edited(items[index] ?? 'null', rest, change)
    if (changed === undefined) return undefined
    items[index] = changed
  }
  return `[${items.join(',')}]`
}
