/** Redacts exchanges with the REST API and gRPC (`mocks.md` §4.9). */
import { GrpcStatus } from '../../app/grpcStatus.ts'
import { readTarget, unescapeGo } from '../../rpc/comet/path.ts'
import { queryNames, restCall } from '../../rpc/rest/call.ts'
import { changedMessage } from '../../rpc/grpc/jsonCall.ts'
import type { Call } from '../../rpc/transport.ts'
import { sideOfTap, type TapLine } from '../playback/tapLine.ts'
import { withoutIdentity } from './identity.ts'

/**
 * Returns an exchange with only its method's parameters from the path, body and headers. An
 * exchange that is not a service call loses its whole content.
 */
export function redactService(line: TapLine): TapLine {
  const { n, t, iface, kind, conn, path = '', status, at, isEarly, res = '', ms } = line
  const kept = {
    ...(n === undefined ? {} : { n }),
    t,
    iface,
    kind,
    conn,
    ...(status === undefined ? {} : { status }),
    ...(at === undefined ? {} : { at }),
    ...(isEarly === undefined ? {} : { isEarly }),
    ...(ms === undefined ? {} : { ms }),
  }
  if (sideOfTap(iface) === 'grpc') {
    return { ...kept, path, req: line.req ?? '', ...(line.res === undefined ? {} : { res: plainMessage(line) }) }
  }
  const verb = line.method === 'POST' ? 'POST' : 'GET'
  const call = callOf(verb, line)
  if (call === undefined) return { ...kept, method: verb, path: '/', req: '', res: '' }
  return {
    ...kept,
    method: verb,
    path: verb === 'GET' ? plainPath(path) : (path.split('?')[0] ?? ''),
    req: verb === 'POST' && call.params.form === 'json' ? call.params.text : '',
    ...(line.res === undefined ? {} : { res: withoutIdentity(res) }),
  }
}

function callOf(verb: string, { path = '/', req = '', at }: TapLine): Call | undefined {
  try {
    return restCall({ verb, target: path, body: req, height: at })
  } catch (error) {
    if (!(error instanceof GrpcStatus)) throw error
    return undefined
  }
}

/** Keeps only query parameters that the method takes, because others may be API keys. */
function plainPath(path: string): string {
  const { path: route, query } = readTarget(path)
  const known = queryNames('GET', path)
  const nameIn = (pair: string) => unescapeGo(pair.split('=')[0] ?? '', 'plusIsBlank')?.split('.')[0]
  const pairs = query.split('&').filter((pair) => known.includes(nameIn(pair) ?? ''))
  return `${route}${pairs.length === 0 ? '' : `?${pairs.join('&')}`}`
}

function plainMessage({ path = '', status = 0, res = '' }: TapLine): string {
  if (status !== 0 || !path.endsWith('/GetNodeInfo')) return res
  const changed = changedMessage(path.replace(/^\//, ''), JSON.stringify(res), withoutIdentity)
  return changed.ok === true ? (JSON.parse(changed.text) as string) : ''
}
