/** Edits one value in JSON text and leaves all other digits as written (RFC 6901, RFC 6902). */
import { canonicalJson } from '../../data/canonicalJson.ts'
import { itemTexts, memberTexts } from '../playback/slice.ts'

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
