/** Where the page stands, as the part of its address after `#`: `#/block/12?tab=raw`. */
import { signal } from '@preact/signals'

export type Route = { readonly page: string; readonly id: string; readonly query: Readonly<Record<string, string>> }

/** Returns the route of a fragment; that of the old dashboard, `#blocks`, is understood too. */
export function parseRoute(fragment: string): Route {
  const [path = '', search = ''] = fragment.replace(/^#\/?/, '').split('?')
  const [page = '', ...rest] = path.split('/')
  return {
    page: page === '' ? 'overview' : page,
    id: decoded(rest.join('/')),
    query: Object.fromEntries(new URLSearchParams(search)),
  }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

export const route = signal<Route>(parseRoute(location.hash))

window.addEventListener('hashchange', () => {
  route.value = parseRoute(location.hash)
  document.getElementById('content')?.scrollTo(0, 0)
  window.scrollTo(0, 0)
})

/** Returns the link to a page. */
export function linkTo(page: string, id = '', query: Readonly<Record<string, string | number>> = {}): string {
  const search = new URLSearchParams(Object.entries(query).map(([key, value]) => [key, String(value)])).toString()
  return `#/${page}${id === '' ? '' : `/${encodeURIComponent(id)}`}${search === '' ? '' : `?${search}`}`
}

/** Goes to a page. */
export function go(page: string, id = '', query: Readonly<Record<string, string | number>> = {}): void {
  location.hash = linkTo(page, id, query)
}

export type PageProps = { readonly id: string; readonly query: Readonly<Record<string, string>> }
