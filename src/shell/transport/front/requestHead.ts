/** Reads the heads of requests in their most common form, and recognizes heads that it has read before. */
import { recentMap } from '../../../data/remembered.ts'

export type RequestHead = {
  readonly method: 'GET' | 'POST'
  readonly url: string
  /** The headers with lower-case names, as node:http returns them. */
  readonly headers: Readonly<Record<string, string>>
  /** The size of the head with its empty line, in bytes. */
  readonly headBytes: number
  /** The size of the body that follows, in bytes. */
  readonly bodyBytes: number
}

/** The longest head that is read here, in bytes; the limits of all settings are higher. */
const headMost = 4096

/** The longest body that is read here, in bytes. */
const bodyMost = 1_000_000

/** The most heads that are recognized. */
const knownMost = 128

/** Headers that change how a request is read or answered. */
const unusual: ReadonlySet<string> = new Set([
  ...['expect', 'http2-settings', 'proxy-connection', 'set-cookie', 'te', 'trailer', 'transfer-encoding', 'upgrade'],
])

/**
 * Returns a reader of the head at the start of some bytes. It returns undefined for a head that is
 * incomplete, malformed or in any way unusual: node:http decides about those. The usual head is
 *
 *     POST /path HTTP/1.1␍␊Host: localhost:8545␍␊Content-Length: 61␍␊␍␊
 */
export function createHeadReader(): (bytes: Buffer) => RequestHead | undefined {
  const known = recentMap<string, RequestHead>(knownMost)
  return (bytes) => {
    const end = bytes.indexOf('\r\n\r\n')
    if (end < 0 || end > headMost - 4) return undefined
    const text = bytes.toString('latin1', 0, end)
    const found = known.get(text)
    if (found !== undefined) return found
    const head = parsedHead(text)
    if (head === undefined) return undefined
    known.set(text, head)
    return head
  }
}

function parsedHead(text: string): RequestHead | undefined {
  const [line = '', ...lines] = text.split('\r\n')
  const [, method, url = ''] = /^(GET|POST) (\/[!-"$-~]*) HTTP\/1\.1$/.exec(line) ?? []
  const headers = headersOf(lines)
  if (headers === undefined || headers['host'] === undefined) return undefined
  if (!/^(?:keep-alive)?$/i.test(headers['connection'] ?? '')) return undefined
  const length = headers['content-length']
  const headBytes = text.length + 4
  if (method === 'GET') return length === undefined ? { method, url, headers, headBytes, bodyBytes: 0 } : undefined
  if (method !== 'POST' || length === undefined || !/^(?:0|[1-9]\d{0,6})$/.test(length)) return undefined
  const bodyBytes = Number(length)
  return bodyBytes <= bodyMost ? { method, url, headers, headBytes, bodyBytes } : undefined
}

/** Returns headers by lower-case name; undefined if one is unusual, repeated or has unusual characters. */
function headersOf(lines: readonly string[]): Record<string, string> | undefined {
  const headers: Record<string, string> = {}
  const seen = new Set<string>()
  for (const line of lines) {
    const [, given, value] = /^([-0-9A-Za-z]+):([ -~]*)$/.exec(line) ?? []
    if (given === undefined || value === undefined) return undefined
    const name = given.toLowerCase()
    if (seen.has(name) || unusual.has(name)) return undefined
    seen.add(name)
    headers[name] = value.trim()
  }
  return headers
}
