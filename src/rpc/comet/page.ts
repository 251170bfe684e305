/**
 * The responses of CometBFT RPC that are not JSON: index page, redirects and refusals
 * (`comet-rpc.md` §2.1, §2.3).
 */
import type { Settings } from '../../settings/settings.ts'
import type { Table } from '../table.ts'
import type { Framed } from '../transport.ts'
import { hasPath } from './dialect.ts'
import { escapePath } from './path.ts'

/**
 * The shell fills in the wall clock's seconds. The real node sends this header on the same
 * responses.
 */
export const serverTime = ['X-Server-Time', ''] as const

const plainText = [
  ['Content-Type', 'text/plain; charset=utf-8'],
  ['X-Content-Type-Options', 'nosniff'],
  serverTime,
] as const

/** The response to an unknown path, sent before anything is parsed. */
export const notFound: Framed = { status: 404, headers: plainText, body: '404 page not found\n' }

/** The response to a plain HTTP request on the WebSocket path. */
export const notUpgraded: Framed = {
  status: 400,
  headers: [['Sec-Websocket-Version', '13'], ...plainText],
  body: 'Bad Request\n',
}

/** The response to a path that Go cannot unescape; it never reaches the node's own code. */
export const badPath: Framed = {
  status: 400,
  headers: [
    ['Content-Type', 'text/plain; charset=utf-8'],
    ['Connection', 'close'],
  ],
  body: '400 Bad Request',
}

/**
 * Returns the redirect to a cleaned path: only GET has a body; only GET and HEAD have a content
 * type.
 */
export function movedTo(path: string, query: string, verb: string): Framed {
  const location = escapePath(path) + (query === '' ? '' : `?${query}`)
  const isPage = verb === 'GET' || verb === 'HEAD'
  return {
    status: 301,
    headers: [
      ['Location', location],
      ...(isPage ? [['Content-Type', 'text/html; charset=utf-8'] as const] : []),
      serverTime,
    ],
    body: verb === 'GET' ? `<a href="${escapeHtml(location)}">Moved Permanently</a>.\n\n` : '',
  }
}

function escapeHtml(text: string): string {
  const entities: Record<string, string> = {
    '&': '&amp;',
    '<': '&lt;',
    '>': '&gt;',
    '"': '&#34;',
    "'": '&#39;',
  }
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? character)
}

/** Returns the index page: every path with its parameters, in one line of HTML. */
export function indexPage(table: Table, host: string, settings: Settings): Framed {
  const routes = table.methods
    .filter((method) => hasPath(method, settings))
    .map(({ name, params }) => `//${host}/${name}?${params.map((one) => `${one.name}=_`).join('&')}`)
  const links = routes.sort().map((link) => `<a href="${link}">${link}</a></br>`)
  const body =
    '<html><body><br>Available endpoints:<br><br>Endpoints that require arguments:<br>' +
    `${links.join('')}</body></html>`
  return { status: 200, headers: [['Content-Type', 'text/html'], serverTime], body }
}
