/**
 * Redacts exchanges by allowlists (`mocks.md` §4.9): four headers, the route with its own
 * parameters, and the members of JSON-RPC bodies. Addresses and transactions are kept, because
 * hashes and signatures cover them.
 */
import { readTarget } from '../../rpc/comet/path.ts'
import type { ParameterNames } from '../playback/callKey.ts'
import { itemTexts, memberTexts } from '../playback/slice.ts'
import { type TapLine, type TapInterface, sideOfTap } from '../playback/tapLine.ts'
import { redactCall } from '../redactCall.ts'
import { redactService } from './redactService.ts'
import { withoutIdentity } from './identity.ts'

const keptHeaders = ['content-type', 'content-encoding', 'cache-control', 'retry-after'] as const

/** Returns an exchange that contains only what may be stored. */
export function redactLine(line: TapLine, names: ParameterNames): TapLine {
  const side = sideOfTap(line.iface)
  return side === 'comet' || side === 'eth' ? redactRpc(line, names) : redactService(line)
}

function redactRpc(line: TapLine, names: ParameterNames): TapLine {
  const { n, t, iface, kind, conn, method, path, req, status, headers, res, text, ms, height } = line
  return {
    ...(n === undefined ? {} : { n }),
    t,
    iface,
    kind,
    conn,
    ...(method === undefined ? {} : { method: method === 'GET' ? 'GET' : 'POST' }),
    ...(path === undefined ? {} : { path: redactPath(line, path, names) }),
    ...(req === undefined ? {} : { req: redactBody(req, iface, names) }),
    ...(status === undefined ? {} : { status }),
    ...(headers === undefined ? {} : { headers: redactHeaders(headers) }),
    ...(res === undefined ? {} : { res: redactBody(res, iface, names) }),
    ...(text === undefined ? {} : { text: redactBody(text, iface, names) }),
    ...(ms === undefined ? {} : { ms }),
    ...(height === undefined ? {} : { height }),
  }
}

function redactHeaders(headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(
    keptHeaders.flatMap((name) => {
      const value = headers[name]
      return value === undefined ? [] : [[name, value]]
    }),
  )
}

/** Keeps a CometBFT RPC route with its known parameters. All other paths may contain API keys. */
function redactPath({ iface, method }: TapLine, path: string, names: ParameterNames): string {
  if (iface === 'b' || method !== 'GET') return '/'
  const { path: route, query } = readTarget(path)
  const name = route.slice(route.lastIndexOf('/') + 1)
  if (!/^[a-z_]{1,32}$/.test(name)) return '/'
  const known = names(name)
  const pairs = query.split('&').filter((pair) => known.includes(pair.split('=')[0] ?? ''))
  return `/${name}${pairs.length === 0 ? '' : `?${pairs.join('&')}`}`
}

/** Keeps the raw text of allowed members, and drops a body that is not JSON-RPC. */
function redactBody(body: string, iface: TapInterface, names: ParameterNames): string {
  const text = body.trim()
  const end = body.endsWith('\n') ? '\n' : ''
  try {
    if (text.startsWith('[')) {
      return `[${itemTexts(text)
        .map((one) => redactMessage(one, iface, names))
        .join(',')}]${end}`
    }
    return text.startsWith('{') ? `${redactMessage(text, iface, names)}${end}` : ''
  } catch {
    return ''
  }
}

const members = ['jsonrpc', 'id', 'method', 'params', 'result', 'error'] as const

function redactMessage(text: string, iface: TapInterface, names: ParameterNames): string {
  const found = memberTexts(text)
  const method = found.get('method')
  const kept = members.flatMap((name) => {
    const value = found.get(name)
    if (value === undefined) return []
    if (name === 'params') return [`"params":${redactParams(method, value, { iface, names })}`]
    return [`"${name}":${name === 'result' && iface === 'a' ? withoutIdentity(value) : value}`]
  })
  return `{${kept.join(',')}}`
}

type Where = { readonly iface: TapInterface; readonly names: ParameterNames }

function redactParams(method: string | undefined, params: string, { iface, names }: Where): string {
  const name = method === undefined ? '' : nameIn(method)
  const { params: kept } = redactCall({ side: sideOfTap(iface), method: name, params }, names)
  return typeof kept === 'string' ? kept : params
}

function nameIn(text: string): string {
  try {
    return String(JSON.parse(text))
  } catch {
    return ''
  }
}
