/** Raw traffic of a node, made up exchange by exchange, and its playback in simulated time. */
import type { Answer } from '../../src/node/answer.ts'
import { callKey } from '../../src/recording/playback/callKey.ts'
import { importTap } from '../../src/recording/playback/importTap.ts'
import type { Library } from '../../src/recording/playback/library.ts'
import { createPlayer, type Player } from '../../src/recording/playback/player.ts'
import { sideOfTap, type TapLine } from '../../src/recording/playback/tapLine.ts'
import { cometNames } from '../../src/shell/playback.ts'

/** A call over HTTP at `t` ms that took `ms`; `result` is the text of the result. */
export type Exchange = {
  readonly t: number
  readonly ms?: number
  readonly side?: 'eth' | 'comet'
  readonly method: string
  readonly params?: unknown
  readonly result: string
  /** A call to the REST API or gRPC as it is in raw traffic; `method` and `params` are those of the service. */
  readonly line?: Pick<TapLine, 'iface' | 'method' | 'path' | 'req' | 'status'>
}

/** Returns what a recording of exchanges knows. */
export function libraryOfTap(exchanges: readonly Exchange[]): Library {
  const lines = exchanges.map(({ t, ms = 4, side = 'eth', method, params = [], result, line }, at) => ({
    n: at + 1,
    t,
    ms,
    iface: side === 'eth' ? 'b' : 'a',
    kind: 'http',
    conn: 1,
    method: 'POST',
    path: '/',
    req: JSON.stringify({ jsonrpc: '2.0', id: 7, method, params }),
    res: line === undefined ? `{"jsonrpc":"2.0","id":7,"result":${result}}\n` : result,
    ...line,
  }))
  const text = [{ format: 'tap/1' }, ...lines].map((line) => JSON.stringify(line)).join('\n')
  return importTap(text, cometNames)
}

/** Returns the key of a call. */
export function keyOf({ side = 'eth', method, params = [], line }: Omit<Exchange, 't' | 'result'>): string {
  const service = line === undefined ? undefined : sideOfTap(line.iface)
  return callKey({ side: service ?? side, method, params: JSON.stringify(params) }, cometNames)
}

/**
 * Asks at a moment in real ms, and again every 5 ms until there is an answer; returns it with the
 * moment. Gives up after a minute.
 */
export function askUntil(
  player: Player,
  key: string,
  from: number,
): { readonly answer: Answer | undefined; readonly at: number } {
  for (let at = from; at < from + 60_000; at += 5) {
    const answer = player.ask(key, at)
    if (answer !== undefined) return { answer, at }
  }
  return { answer: undefined, at: from + 60_000 }
}

/** Returns the answer of a player at a moment of the recording, where no write is waited for. */
export function answersAt(exchanges: readonly Exchange[], asked: Exchange, at: number): unknown {
  const player = createPlayer(libraryOfTap(exchanges), { patienceMs: 0 })
  player.ask(keyOf({ method: 'eth_blockNumber' }), 0)
  const writes = exchanges.filter(({ method }) => /send|broadcast/i.test(method))
  for (let now = 0; now < at; now++) {
    player.advance(now)
    for (const one of writes.filter(({ t }) => t === now)) player.ask(keyOf(one), now)
  }
  const answer = player.ask(keyOf(asked), at)
  return answer?.ok === true ? answer.text : answer
}
