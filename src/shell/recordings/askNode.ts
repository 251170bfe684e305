/** Asks a real node what a client asked of a playback. */
import type { Answer } from '../../node/answer.ts'
import { answerOf } from '../../recording/playback/draft.ts'
import { memberTexts } from '../../recording/playback/slice.ts'
import type { TapLine } from '../../recording/playback/tapLine.ts'
import type { Asked } from './modes.ts'
import { ask, type Received, type Upstreams } from './upstream.ts'

/** `line` is what a recording would keep of it; a node that did not answer leaves none. */
export type Live = { readonly answer: Answer; readonly line: TapLine | undefined }

const tries = 3

/** Resolves with the answer of a node; `t` is when it stands in the recording. */
export async function askNode(
  { comet, eth }: Upstreams, { side, call }: Pick<Asked, 'side' | 'call'>, t: number,
): Promise<Live> {
  const upstream = side === 'comet' ? comet : eth
  if (upstream === undefined) {
    return { answer: refusal(`no node was named for it: --upstream-${side}`), line: undefined }
  }
  const sent = sentOf(call)
  for (let count = 1; ; count++) {
    const got = await ask(
      upstream,
      { ...sent, headers: { 'content-type': 'application/json' }, body: Buffer.from(sent.body) }
    )
      .catch(() => undefined)
    const answer = got === undefined ? undefined : readAnswer(got)
    if (got !== undefined && answer !== undefined) {
      return {
        answer, line: {
          t, ms: 0, iface: side === 'comet' ? 'a' : 'b', kind: 'http', conn: 0, method: sent.method,
          path: sent.path,
          req: sent.body, status: got.status, res: got.body.toString('utf8'),
        },
      }
    }
    if (count === tries) return { answer: refusal('the node did not answer'), line: undefined }
    await new Promise((done) => { setTimeout(done, 200 * count) })
  }
}

function sentOf({ name, params }: Asked['call']): { method: string; path: string; body: string } {
  if (params.form === 'uri') {
    const query = [...params.pairs].map(([key, value]) => `${key}=${encodeURIComponent(value)}`)
      .join('&')
    return { method: 'GET', path: `/${name}${query === '' ? '' : `?${query}`}`, body: '' }
  }
  const text = params.form === 'json' && params.text !== undefined ? `,"params":${params.text}` : ''
  return {
    method: 'POST', path: '/',
    body: `{"jsonrpc":"2.0","id":1,"method":${JSON.stringify(name)}${text}}`,
  }
}

/** What a gateway says for the node is no answer. */
function readAnswer({ status, body }: Received): Answer | undefined {
  if ([429, 502, 503, 504].includes(status)) return undefined
  try {
    const message = memberTexts(body.toString('utf8'))
    return message.has('result') || message.has('error') ? answerOf(message) : undefined
  } catch {
    return undefined
  }
}

function refusal(why: string): Answer {
  return { ok: false, error: {
    code: -32071, message: `chainstage: this call was not recorded, and ${why}`, data: undefined,
  } }
}
