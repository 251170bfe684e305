/** Forwards a client's call from a playback to a real node. */
import type { Answer } from '../../node/answer.ts'
import { answerInMessage } from '../../recording/playback/draft.ts'
import { memberTexts } from '../../recording/playback/slice.ts'
import type { TapLine } from '../../recording/playback/tapLine.ts'
import { answerIn } from '../../recording/playback/takeService.ts'
import { askGrpc, askRest, type Exchanged } from './askService.ts'
import { ask, isOfGateway, type Upstreams } from './upstream.ts'
import type { Call } from '../../rpc/transport.ts'
import { ownCodes } from '../../rpc/ownCodes.ts'
import type { Side } from '../../settings/side.ts'

/** The node's answer with the exchange to record; or why there is none. */
export type Live =
  | { readonly answer: Answer; readonly line: TapLine }
  | { readonly answer: undefined; readonly line: undefined; readonly why: string }

const tries = 3

/**
 * Resolves with a node's answer after up to three tries; `t` is the time of the exchange in the
 * recording, in ms.
 */
export async function askNode(
  upstreams: Upstreams,
  { side, call }: Pick<NodeRequest, 'side' | 'call'>,
  t: number,
): Promise<Live> {
  const upstream = upstreams[side]
  if (upstream === undefined) {
    return { answer: undefined, line: undefined, why: `no node is set for it (--upstream-${side})` }
  }
  for (let count = 1; ; count++) {
    const line = await asks[side](upstream, call)
    const answer = line === undefined || isRefused(line) ? undefined : readAnswer({ ...line, t })
    if (line !== undefined && answer !== undefined) return { answer, line: { ...line, t } }
    if (count === tries) return { answer: undefined, line: undefined, why: whyOf(line) }
    await new Promise((done) => {
      setTimeout(done, 200 * count)
    })
  }
}

type Ask = (upstream: URL, call: Call) => Promise<Exchanged>

const asks: Readonly<Record<Side, Ask>> = {
  comet: askRpc('a'),
  eth: askRpc('b'),
  rest: askRest,
  grpc: askGrpc,
}

function askRpc(iface: 'a' | 'b'): Ask {
  return async (upstream, call) => {
    const { method, path, body } = sentOf(call)
    const headers = { 'content-type': 'application/json' }
    const got = await ask(upstream, { method, path, headers, body: Buffer.from(body) }).catch(() => undefined)
    if (got === undefined) return undefined
    const { status } = got
    return { ms: 0, iface, kind: 'http', conn: 0, method, path, req: body, status, res: got.body.toString('utf8') }
  }
}

function sentOf({ name, params }: NodeRequest['call']): { method: string; path: string; body: string } {
  if (params.form === 'uri') {
    const query = [...params.pairs].map(([key, value]) => `${key}=${encodeURIComponent(value)}`).join('&')
    return { method: 'GET', path: `/${name}${query === '' ? '' : `?${query}`}`, body: '' }
  }
  const text = params.form === 'json' && params.text !== undefined ? `,"params":${params.text}` : ''
  return {
    method: 'POST',
    path: '/',
    body: `{"jsonrpc":"2.0","id":1,"method":${JSON.stringify(name)}${text}}`,
  }
}

function readAnswer(line: TapLine): Answer | undefined {
  try {
    const message = isService(line) ? answerIn(line) : memberTexts(line.res ?? '')
    return message?.has('result') === true || message?.has('error') === true ? answerInMessage(message) : undefined
  } catch {
    return undefined
  }
}

/** Returns whether a gateway answered Ethereum JSON-RPC or CometBFT RPC instead of the node. */
function isRefused(line: Omit<TapLine, 't'>): boolean {
  return !isService(line) && isOfGateway(line.status ?? 200)
}

function whyOf(line: Exchanged): string {
  if (line === undefined) return 'no response'
  return line.status === 200 ? 'the response is not JSON-RPC' : `HTTP status ${line.status}`
}

const isService = ({ iface }: Pick<TapLine, 'iface'>): boolean => iface === 'c' || iface === 'g'

/** Returns the answer to a call that no node answered; `why` is a clause. */
export function refusal(why: string): Answer {
  return { ok: false, error: { code: ownCodes.away, message: `chainstage: ${why}`, data: undefined } }
}

/** A client's call, with its key in the recording. */
export type NodeRequest = {
  readonly side: Side
  readonly call: Call
  readonly key: string
  readonly connection: number | undefined
  /** Sends a frame to the client. */
  readonly push: (text: string) => void
}
