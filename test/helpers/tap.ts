/** Raw traffic of a node, made up exchange by exchange, and its playback in simulated time. */
import type { Answer } from '../../src/node/answer.ts'
import { callKey } from '../../src/recording/playback/callKey.ts'
import { importTap } from '../../src/recording/playback/importTap.ts'
import type { Library } from '../../src/recording/playback/library.ts'
import type { Player } from '../../src/recording/playback/player.ts'
import { cometNames } from '../../src/shell/playback.ts'

/** A call over HTTP at `t` ms that took `ms`; `result` is the text of the result. */
export type Exchange = {
  readonly t: number
  readonly ms?: number
  readonly side?: 'eth' | 'comet'
  readonly method: string
  readonly params?: unknown
  readonly result: string
}

/** Returns what a recording of exchanges knows. */
export function libraryOfTap(exchanges: readonly Exchange[]): Library {
  const lines = exchanges.map(({ t, ms = 4, side = 'eth', method, params = [], result }, at) => ({
    n: at + 1,
    t,
    ms,
    iface: side === 'eth' ? 'b' : 'a',
    kind: 'http',
    conn: 1,
    method: 'POST',
    path: '/',
    req: JSON.stringify({ jsonrpc: '2.0', id: 7, method, params }),
    res: `{"jsonrpc":"2.0","id":7,"result":${result}}\n`,
  }))
  const text = [{ format: 'tap/1' }, ...lines].map((line) => JSON.stringify(line)).join('\n')
  return importTap(text, cometNames)
}

/** Returns the key of a call. */
export function keyOf({ side = 'eth', method, params = [] }: Omit<Exchange, 't' | 'result'>): string {
  return callKey({ side, method, params: JSON.stringify(params) }, cometNames)
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
