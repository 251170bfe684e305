/**
 * Reads paths and queries as Go's net/url and ServeMux do: percent escapes, plus signs and
 * redirects (`comet-rpc.md` §2.1, §2.2).
 */
import { concatBytes } from '../../data/bytes.ts'
import { rememberedBy } from '../../data/remembered.ts'
import { goText } from '../../codec/goText.ts'

/** `path` is still escaped, as sent; `query` has no question mark. */
export type Target = { readonly path: string; readonly query: string }

/** The longest target that is kept, in characters. */
const lengthMost = 256

const knownTarget = rememberedBy((target: string) => target, split, 128)

/**
 * Returns the path and query of a request target, which may be a full URL; Go's server knows no
 * fragments. The latest targets are kept, because clients repeat them.
 */
export function readTarget(target: string): Target {
  return target.length > lengthMost ? split(target) : knownTarget(target)
}

function split(target: string): Target {
  const local = target.replace(/^[a-zA-Z][a-zA-Z0-9+.-]*:\/\/[^/?]*/, '')
  const at = local.indexOf('?')
  const path = at < 0 ? local : local.slice(0, at)
  return { path: path === '' ? '/' : path, query: at < 0 ? '' : local.slice(at + 1) }
}

/** Returns the path without `.`, `..` and empty segments; a trailing slash stays. */
export function cleanPath(path: string): string {
  if (path === '/' || /^\/[\w-]+$/.test(path)) return path
  const kept: string[] = []
  for (const segment of path.split('/')) {
    if (segment === '..') kept.pop()
    else if (segment !== '' && segment !== '.') kept.push(segment)
  }
  if (kept.length === 0) return '/'
  return `/${kept.join('/')}${path.endsWith('/') ? '/' : ''}`
}

/**
 * Returns the unescaped text, or undefined if an escape is broken. `plus` decides whether `+` is a
 * blank.
 */
export function unescapeGo(text: string, plus: 'plusIsBlank' | 'plusStays'): string | undefined {
  const given = plus === 'plusIsBlank' ? text.replaceAll('+', ' ') : text
  if (!given.includes('%')) return given
  if (/%(?![0-9a-fA-F]{2})/.test(given)) return undefined
  const encoder = new TextEncoder()
  const parts = given
    .split(/((?:%[0-9a-fA-F]{2})+)/)
    .map((part, index) => (index % 2 === 0 ? encoder.encode(part) : bytesOf(part)))
  return goText(concatBytes(parts))
}

function bytesOf(escapes: string): Uint8Array {
  return Uint8Array.from(escapes.slice(1).split('%'), (digits) => Number.parseInt(digits, 16))
}

/** Returns the pairs of a query or form in order; pairs with `;` or a broken escape are dropped. */
export function readPairs(query: string): readonly (readonly [string, string])[] {
  if (query === '') return []
  return query.split('&').flatMap((pair) => {
    if (pair === '' || pair.includes(';')) return []
    const at = pair.indexOf('=')
    const name = unescapeGo(at < 0 ? pair : pair.slice(0, at), 'plusIsBlank')
    const value = unescapeGo(at < 0 ? '' : pair.slice(at + 1), 'plusIsBlank')
    return name === undefined || value === undefined ? [] : [[name, value] as const]
  })
}

/** Returns the named parts of a `multipart/form-data` body that are not files. */
export function readMultipart(contentType: string, body: string): readonly (readonly [string, string])[] {
  const boundary = /;\s*boundary="?([^";]+)"?/i.exec(contentType)?.[1]
  if (boundary === undefined) return []
  return `\r\n${body}`
    .split(`\r\n--${boundary}`)
    .slice(1)
    .flatMap((part) => {
      const end = part.indexOf('\r\n\r\n')
      const head = part.slice(0, Math.max(end, 0))
      const name = /\bname="([^"]*)"/i.exec(head.replace(/filename="[^"]*"/gi, ''))?.[1]
      return end < 0 || name === undefined || /\bfilename=/i.test(head) ? [] : [[name, part.slice(end + 4)] as const]
    })
}

/**
 * Returns a path as Go's URL writes it. Characters that are not allowed are escaped, and so are
 * percent signs: a redirect escapes an escaped path twice.
 */
export function escapePath(path: string): string {
  return [...new TextEncoder().encode(path)]
    .map((byte) => {
      const character = String.fromCharCode(byte)
      const hex = byte.toString(16).toUpperCase().padStart(2, '0')
      return /[A-Za-z0-9\-_.~$&+,/:;=@]/.test(character) ? character : `%${hex}`
    })
    .join('')
}
