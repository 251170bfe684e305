/** Reads paginated lists of the REST API. */
import type { Instance } from '../ports.ts'

const pageSize = 200
/** Maximum number of pages read; the lists are shown to people. */
const pagesMost = 25

type Page = { readonly pagination?: { readonly next_key: string | null } } & Readonly<Record<string, unknown>>

/**
 * Returns the entries in `member` of a paginated response, from up to 25 pages of 200. Stops at the
 * first page that fails.
 */
export function restPages<Entry>(instance: Instance, path: string, member: string): readonly Entry[] {
  const found: Entry[] = []
  const start = `${path}${path.includes('?') ? '&' : '?'}pagination.limit=${pageSize}`
  let next: string | null = ''
  for (let count = 0; count < pagesMost && next !== null; count++) {
    const key: string = next === '' ? '' : `&pagination.key=${encodeURIComponent(next)}`
    const told = instance.peek('rest', `${start}${key}`, {})
    if (!('result' in told)) break
    const page = told.result as Page
    found.push(...((page[member] ?? []) as readonly Entry[]))
    next = page.pagination?.next_key ?? null
  }
  return found
}
