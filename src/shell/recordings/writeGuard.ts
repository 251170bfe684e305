/** Blocks transactions to nodes on other machines, unless allowed (`mocks.md` §4.10). */
import { parsedJson } from '../../data/parsedJson.ts'
import { itemTexts, memberTexts } from '../../recording/playback/slice.ts'
import type { TapInterface } from '../../recording/playback/tapLine.ts'
import { maySubmit } from '../../rpc/anyMethod.ts'
import { isLoopbackHost } from '../transport/hosts.ts'
import type { Upstreams } from './upstream.ts'
import { ownCodes } from '../../rpc/ownCodes.ts'

export const wouldWrite = 'this request would change the node; use --allow-writes to forward it'

const refusedText = `chainstage: ${wouldWrite}`

/**
 * Returns whether transactions may be sent: always to nodes on this machine, and to others if
 * allowed.
 */
export function mayWrite(upstreams: Upstreams, isAllowed: boolean): boolean {
  const given = Object.values(upstreams).filter((url) => url !== undefined)
  return isAllowed || given.every((url) => isLoopbackHost(url.host))
}

/**
 * Returns whether the path of a request may submit a transaction: the method in its last segment,
 * or the REST route of transactions. A path that cannot be decoded may be any path.
 */
export function isWritePath(verb: string, path: string): boolean {
  const segments = segmentsOf(path)
  const last = segments?.at(-1) ?? ''
  return segments === undefined || maySubmit(last) || (verb === 'POST' && last === 'txs')
}

/** Returns the decoded segments of a path, or undefined if its node may read it differently. */
function segmentsOf(path: string): readonly string[] | undefined {
  try {
    const segments = decodeURIComponent(path.split('?')[0] ?? '').split('/')
    return segments.includes('..') ? undefined : segments.filter((one) => one !== '' && one !== '.')
  } catch {
    return undefined
  }
}

/** A request to a node. */
type Asked = {
  readonly iface: TapInterface
  readonly method: string
  readonly path: string
  readonly body: string
}

/**
 * Returns the error response to a request that contains a blocked transaction; undefined for any
 * other request.
 */
export function writeRefusal({ iface, method, path, body }: Asked): string | undefined {
  if (isWritePath(method, path)) {
    return iface === 'c' ? `{"code":7, "message":${JSON.stringify(refusedText)}, "details":[]}` : errorText('-1')
  }
  const messages = messagesIn(body)
  if (!messages.some((one) => membersOf(one, 'method').some((text) => maySubmit(plainText(text))))) return undefined
  const errors = messages.map((one) => errorText(membersOf(one, 'id').at(-1) ?? 'null'))
  return body.trim().startsWith('[') ? `[${errors.join(',')}]` : errors[0]
}

type Message = ReadonlyMap<string, string>

/** Returns the messages of a body; none if the body is not JSON, which every node refuses. */
function messagesIn(body: string): readonly Message[] {
  const text = body.trim()
  try {
    return (text.startsWith('[') ? itemTexts(text) : [text]).map(memberTexts)
  } catch {
    return []
  }
}

/** Returns the members with a name, in any case: Go ignores the case of names. */
function membersOf(message: Message, name: string): readonly string[] {
  return [...message].filter(([one]) => one.toLowerCase() === name).map(([, value]) => value)
}

/** Returns the value of a JSON string; any other text stays as it is. */
function plainText(text: string): string {
  return String(parsedJson(text) ?? text)
}

/** Returns an error response with a code that clients do not retry. */
function errorText(id: string): string {
  return `{"jsonrpc":"2.0","id":${id},"error":{"code":${ownCodes.away},"message":${JSON.stringify(refusedText)}}}`
}
