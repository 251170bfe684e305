/** The current route, stored in the URL fragment: `#/block/12?tab=raw`. */
import { signal } from '@preact/signals'

export type Route = { readonly page: string; readonly id: string; readonly query: Readonly<Record<string, string>> }

/** Returns the route of a URL fragment; old dashboard fragments such as `#blocks` also work. */
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

/** The scroll position of each browser history entry, by the key in the entry's state. */
const places = new Map<string, number>()
let entry = keyOfEntry() ?? newEntry()
history.scrollRestoration = 'manual'

function keyOfEntry(): string | undefined {
  return (history.state as { readonly key?: string } | null)?.key
}

function newEntry(): string {
  const key = `${performance.timeOrigin + performance.now()}`
  history.replaceState({ key }, '')
  return key
}

addEventListener('scroll', () => places.set(entry, scrollY), { passive: true })

addEventListener('hashchange', () => {
  // What was selected is no longer shown; an empty selection in its place would hold the updates.
  getSelection()?.removeAllRanges()
  const before = route.value
  // The page before this one is still shown; its last scroll event may not have come yet.
  places.set(entry, scrollY)
  const known = keyOfEntry()
  entry = known ?? newEntry()
  const next = parseRoute(location.hash)
  const isOther = next.page !== before.page || next.id !== before.id
  const place = places.get(entry)
  route.value = next
  // It stays until the next frame.
  if (known !== undefined && place !== undefined) requestAnimationFrame(() => scrollBack(next, place))
  else if (isOther) scrollTo(0, 0)
})

/** The number of frames to wait until a loaded page is tall enough to restore its scroll position. */
const framesMost = 120

function scrollBack(to: Route, place: number, frames = framesMost): void {
  if (to !== route.value) return
  const again = (left: number) => requestAnimationFrame(() => scrollBack(to, place, left))
  if (document.querySelector('main .loading') !== null) return void again(frames)
  const isTall = document.documentElement.scrollHeight - innerHeight >= place
  if (isTall || frames === 0) scrollTo(0, place)
  else again(frames - 1)
}

/** Returns the URL fragment of a page. */
export function linkTo(page: string, id = '', query: Readonly<Record<string, string | number>> = {}): string {
  const search = new URLSearchParams(Object.entries(query).map(([key, value]) => [key, String(value)])).toString()
  return `#/${page}${id === '' ? '' : `/${encodeURIComponent(id)}`}${search === '' ? '' : `?${search}`}`
}

/** Navigates to a page. */
export function go(page: string, id = '', query: Readonly<Record<string, string | number>> = {}): void {
  location.hash = linkTo(page, id, query)
}

export type PageProps = { readonly id: string; readonly query: Readonly<Record<string, string>> }
