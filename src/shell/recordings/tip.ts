/**
 * Polls the height of a node while clients use it. With level `blocks`, also requests every block
 * and the basic facts of the chain.
 */
import { thrownText } from '../../errors.ts'
import type { TapLine } from '../../recording/playback/tapLine.ts'
import { ask, isOfGateway, type Upstreams } from './upstream.ts'

export type TipOptions = {
  readonly upstreams: Pick<Upstreams, 'comet' | 'eth' | 'rest'>
  readonly everyMs: number
  readonly level: 'calls' | 'blocks'
  readonly nowMs: () => number
  readonly note: (line: TapLine) => void
  /** Called with the reason each time that the node does not tell its height. */
  readonly unheard?: (why: string) => void
}

/** `stop` polls once more, then ends. */
export type Tip = { readonly stop: () => Promise<void> }

/** Starts polling. New heights are reported as lines of kind `head`. */
export function followTip(options: TipOptions): Tip {
  let height = 0
  const follow = createFollowing(options)
  let working: Promise<void> = Promise.resolve()
  let isBusy = false
  const look = async () => {
    isBusy = true
    const found = await heightOf(options).catch((error: unknown) => {
      options.unheard?.(thrownText(error))
      return 0
    })
    if (found > height) {
      options.note({ t: options.nowMs(), iface: 'a', kind: 'head', conn: 0, height: found })
      height = found
    }
    if (options.level === 'blocks' && found > 0) await follow(height)
    isBusy = false
  }
  const turn = () => {
    if (!isBusy) working = look()
  }
  const timer = options.everyMs > 0 ? setInterval(turn, options.everyMs) : undefined
  if (timer !== undefined) turn()
  return {
    stop: async () => {
      clearInterval(timer)
      await working
      // A block with the last change that a client saw may have been made since the last poll.
      if (timer !== undefined) await look()
    },
  }
}

type Call = { readonly iface: 'a' | 'b'; readonly method: string; readonly params: unknown }

async function heightOf({ upstreams: { comet, eth, rest } }: TipOptions): Promise<number> {
  if (eth !== undefined) {
    return toldHeight(await resultOf(eth, { iface: 'b', method: 'eth_blockNumber', params: [] }))
  }
  if (comet === undefined) return rest === undefined ? 0 : heightOverRest(rest)
  const status = (await resultOf(comet, { iface: 'a', method: 'status', params: {} })) as
    | { sync_info?: { latest_block_height?: string } }
    | undefined
  return toldHeight(status?.sync_info?.latest_block_height)
}

async function heightOverRest(rest: URL): Promise<number> {
  const path = '/cosmos/base/tendermint/v1beta1/blocks/latest'
  const { body } = await ask(rest, { method: 'GET', path, headers: {}, body: Buffer.alloc(0) })
  const { block } = JSON.parse(body.toString('utf8')) as { block?: { header?: { height?: string } } }
  return toldHeight(block?.header?.height)
}

function toldHeight(told: unknown): number {
  const height = typeof told === 'string' ? Number(told) : Number.NaN
  if (Number.isNaN(height)) throw new Error('its response contains no height')
  return height
}

async function resultOf(upstream: URL, call: Call): Promise<unknown> {
  const { body } = await ask(upstream, sentOf(call))
  return (JSON.parse(body.toString('utf8')) as { result?: unknown }).result
}

function sentOf({ method, params }: Call) {
  const body = Buffer.from(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }))
  return { method: 'POST', path: '/', headers: { 'content-type': 'application/json' }, body }
}

/** Facts that blocks do not contain; other such facts are derived from these. */
const chainFacts: readonly Call[] = [
  { iface: 'b', method: 'eth_chainId', params: [] },
  { iface: 'a', method: 'status', params: {} },
  { iface: 'a', method: 'abci_info', params: {} },
]

/** How many turns wait for a block that the node does not give, before blocks are left out. */
const triesMost = 10

/**
 * Returns a function that requests the blocks up to a height, from the first height that it is
 * given. A block that the node did not give, because it was away or limits requests, is requested
 * again in the next turn.
 */
function createFollowing(options: TipOptions): (last: number) => Promise<void> {
  let next: number | undefined
  let hasFacts = false
  let tries = 0
  const isDone = async (calls: readonly Call[]) => {
    const isGiven = await askAll(options, calls).then(
      () => true,
      () => false,
    )
    tries = isGiven ? 0 : tries + 1
    return isGiven || tries >= triesMost
  }
  return async (last) => {
    next ??= last
    hasFacts ||= await isDone(chainFacts)
    while (hasFacts && next <= last && (await isDone(callsOf(next)))) next += 1
  }
}

function callsOf(height: number): readonly Call[] {
  const tag = `0x${height.toString(16)}`
  const ofComet = ['block', 'block_results', 'commit', 'header', 'validators'] as const
  return [
    { iface: 'b', method: 'eth_getBlockByNumber', params: [tag, true] },
    { iface: 'b', method: 'eth_getBlockByNumber', params: [tag, false] },
    { iface: 'b', method: 'eth_getBlockReceipts', params: [tag] },
    { iface: 'b', method: 'eth_getLogs', params: [{ fromBlock: tag, toBlock: tag }] },
    ...ofComet.map((method) => ({ iface: 'a', method, params: { height: String(height) } }) as const),
  ]
}

/**
 * Sends each call whose interface has a node, one at a time, and reports the exchanges. Rejects if
 * the node does not respond.
 */
async function askAll({ upstreams: { comet, eth }, nowMs, note }: TipOptions, calls: readonly Call[]): Promise<void> {
  for (const call of calls) {
    const upstream = call.iface === 'a' ? comet : eth
    if (upstream === undefined) continue
    const t = nowMs()
    const sent = sentOf(call)
    const got = await ask(upstream, sent)
    if (isOfGateway(got.status)) throw new Error(`the gateway responded with ${got.status}`)
    const ms = Math.round((nowMs() - t) * 10) / 10
    if (got.status < 500)
      note({
        t,
        iface: call.iface,
        kind: 'http',
        conn: 0,
        method: 'POST',
        path: '/',
        req: sent.body.toString('utf8'),
        status: got.status,
        res: got.body.toString('utf8'),
        ms,
      })
  }
}
