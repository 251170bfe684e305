import type { ResultChange } from './effect.ts'

/**
 * Returns the JSON text of a result after the changes, applied in order (RFC 6902). A path that
 * matches nothing changes nothing, except that a missing member is added. Numbers keep their
 * spelling only if a double holds them exactly.
 */
export function changedResult(text: string, changes: readonly ResultChange[]): string {
  return changes.reduce(changedAt, text)
}

function changedAt(text: string, { path, change, value }: ResultChange): string {
  if (path === '') return change === 'remove' ? 'null' : value
  const root: unknown = JSON.parse(text)
  const parts = path
    .slice(1)
    .split('/')
    .map((one) => one.replaceAll('~1', '/').replaceAll('~0', '~'))
  const last = parts.pop() ?? ''
  const holder = parts.reduce(memberOf, root)
  if (Array.isArray(holder)) {
    const index = last === '-' ? holder.length : indexOf(last)
    const canAppend = change === 'add' || (change === 'replace' && last === '-')
    if (index === undefined || index >= holder.length + (canAppend ? 1 : 0)) return text
    holder.splice(index, change === 'add' ? 0 : 1, ...(change === 'remove' ? [] : [JSON.parse(value)]))
  } else if (isRecord(holder)) {
    if (change === 'remove') delete holder[last]
    else holder[last] = JSON.parse(value)
  }
  return JSON.stringify(root)
}

/** Returns the index that a part of a path names; undefined for another name. */
function indexOf(part: string): number | undefined {
  return /^(?:0|[1-9]\d*)$/.test(part) ? Number(part) : undefined
}

function memberOf(holder: unknown, name: string): unknown {
  return isRecord(holder) && Object.hasOwn(holder, name) ? holder[name] : undefined
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
