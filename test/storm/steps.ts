/** The steps of a storm: plain data, so that a part of them can be run again. */
import type { Draw } from '../helpers/randomTx.ts'
import { pick } from '../helpers/randomTx.ts'
import type { ReadEnd } from './longReads.ts'

/** Numbers that name something (`which`, `from`, `to`) are taken modulo how many there are. */
export type Step =
  | { readonly do: 'send'; readonly from: number; readonly to: number; readonly value: number; readonly over: number }
  | { readonly do: 'mine'; readonly blocks: number }
  | { readonly do: 'advance'; readonly ms: number }
  | { readonly do: 'setBalance'; readonly to: number; readonly value: number }
  | { readonly do: 'automine'; readonly isOn: boolean }
  | { readonly do: 'checkpoint' }
  | { readonly do: 'restore'; readonly which: number }
  | { readonly do: 'filter' }
  | { readonly do: 'poll'; readonly which: number }
  | { readonly do: 'connect'; readonly side: 'eth' | 'comet' }
  | { readonly do: 'subscribe'; readonly which: number }
  | { readonly do: 'disconnect'; readonly which: number; readonly isBroken: boolean }
  /** The reader of a WebSocket stops reading, or goes on. */
  | { readonly do: 'stall'; readonly which: number; readonly isOn: boolean }
  | { readonly do: 'read'; readonly which: number; readonly over: number }
  /** Sends so many transactions and reads without waiting for an answer. */
  | { readonly do: 'burst'; readonly count: number; readonly from: number }
  | { readonly do: 'commit'; readonly tx: number }
  /** Sends a signed Cosmos transaction: over CometBFT RPC, REST or gRPC. */
  | { readonly do: 'cosmos'; readonly from: number; readonly to: number; readonly value: number; readonly over: number }
  /** Reads over REST or gRPC. */
  | { readonly do: 'service'; readonly which: number }
  /** Reads a block of the past over every interface. */
  | { readonly do: 'past'; readonly which: number }
  /** Makes a call that leaves the core; it ends so many steps later. */
  | { readonly do: 'longRead'; readonly over: number; readonly value: number; readonly end: ReadEnd }
  /** Uses a chain that continues the main chain; with 0, or where there is none yet, a new one. */
  | { readonly do: 'fork'; readonly which: number; readonly to: number; readonly value: number }
  | { readonly do: 'fault'; readonly which: number }
  | { readonly do: 'clearFaults' }
  | { readonly do: 'scenario'; readonly number: number }
  | { readonly do: 'signal'; readonly number: number }
  | { readonly do: 'save' }
  | { readonly do: 'load'; readonly which: number }
  | { readonly do: 'session'; readonly which: number; readonly value: number }
  | { readonly do: 'endSession'; readonly which: number }
  | { readonly do: 'restart' }
  /** The process is killed, or the power fails, so many operations on files later. */
  | { readonly do: 'crash'; readonly isPower: boolean; readonly after: number }
  | { readonly do: 'disk'; readonly trouble: 'shortWrites' | 'failedSyncs' | 'full' | 'none' }

const ends: readonly ReadEnd['how'][] = ['value', 'value', 'value', 'timeout', 'lost']

const kinds: readonly (readonly [number, (draw: Draw) => Step])[] = [
  [9, (draw) => ({ do: 'send', from: draw(4), to: draw(6), value: draw(1e6), over: draw(4) })],
  [5, (draw) => ({ do: 'mine', blocks: 1 + draw(draw(4) === 0 ? 12 : 3) })],
  [4, (draw) => ({ do: 'advance', ms: 1 + draw(draw(3) === 0 ? 60_000 : 2000) })],
  [3, (draw) => ({ do: 'setBalance', to: draw(6), value: draw(1e9) })],
  [2, (draw) => ({ do: 'automine', isOn: draw(3) > 0 })],
  [3, () => ({ do: 'checkpoint' })],
  [2, (draw) => ({ do: 'restore', which: draw(8) })],
  [1, () => ({ do: 'filter' })],
  [2, (draw) => ({ do: 'poll', which: draw(8) })],
  [4, (draw) => ({ do: 'connect', side: pick(draw, ['eth', 'comet']) })],
  [5, (draw) => ({ do: 'subscribe', which: draw(8) })],
  [2, (draw) => ({ do: 'disconnect', which: draw(8), isBroken: draw(2) === 0 })],
  [2, (draw) => ({ do: 'stall', which: draw(8), isOn: draw(2) === 0 })],
  [6, (draw) => ({ do: 'read', which: draw(100), over: draw(4) })],
  [3, (draw) => ({ do: 'burst', count: 2 + draw(4), from: draw(4) })],
  [2, (draw) => ({ do: 'commit', tx: draw(1e6) })],
  [4, (draw) => ({ do: 'cosmos', from: draw(2), to: draw(6), value: draw(1e6), over: draw(3) })],
  [3, (draw) => ({ do: 'service', which: draw(100) })],
  [3, (draw) => ({ do: 'past', which: draw(1e6) })],
  [3, (draw) => ({ do: 'longRead', over: draw(4), value: draw(1e6), end: { steps: draw(3), how: pick(draw, ends) } })],
  [2, (draw) => ({ do: 'fork', which: draw(6), to: draw(6), value: draw(1e6) })],
  [2, (draw) => ({ do: 'fault', which: draw(8) })],
  [1, () => ({ do: 'clearFaults' })],
  [2, (draw) => ({ do: 'scenario', number: draw(4) })],
  [1, (draw) => ({ do: 'signal', number: draw(4) })],
  [1, () => ({ do: 'save' })],
  [1, (draw) => ({ do: 'load', which: draw(4) })],
  [2, (draw) => ({ do: 'session', which: draw(3), value: draw(1e6) })],
  [1, (draw) => ({ do: 'endSession', which: draw(3) })],
  [1, () => ({ do: 'restart' })],
  [6, (draw) => ({ do: 'crash', isPower: draw(3) > 0, after: draw(draw(2) === 0 ? 1 : 25) })],
  [3, (draw) => ({ do: 'disk', trouble: pick(draw, ['shortWrites', 'failedSyncs', 'failedSyncs', 'full', 'none']) })],
]

const bag = kinds.flatMap(([weight, kind]) => Array.from({ length: weight }, () => kind))

/** Returns steps drawn from a seed's generator. */
export function drawSteps(draw: Draw, count: number): readonly Step[] {
  return Array.from({ length: count }, () => pick(draw, bag)(draw))
}
