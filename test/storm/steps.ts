/** The steps of a storm: plain data, so that a part of them can be run again. */
import type { Draw } from '../helpers/randomTx.ts'
import { pick } from '../helpers/randomTx.ts'

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

const kinds: readonly (readonly [number, (draw: Draw) => Step])[] = [
  [12, (draw) => ({ do: 'send', from: draw(4), to: draw(6), value: draw(1e6), over: draw(4) })],
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
  [4, (draw) => ({ do: 'burst', count: 2 + draw(6), from: draw(4) })],
  [2, (draw) => ({ do: 'commit', tx: draw(1e6) })],
  [2, (draw) => ({ do: 'fault', which: draw(8) })],
  [1, () => ({ do: 'clearFaults' })],
  [2, (draw) => ({ do: 'scenario', number: draw(4) })],
  [1, (draw) => ({ do: 'signal', number: draw(4) })],
  [1, () => ({ do: 'save' })],
  [1, (draw) => ({ do: 'load', which: draw(4) })],
  [2, (draw) => ({ do: 'session', which: draw(3), value: draw(1e6) })],
  [1, (draw) => ({ do: 'endSession', which: draw(3) })],
  [1, () => ({ do: 'restart' })],
  [4, (draw) => ({ do: 'crash', isPower: draw(3) > 0, after: draw(draw(2) === 0 ? 1 : 25) })],
  [2, (draw) => ({ do: 'disk', trouble: pick(draw, ['shortWrites', 'shortWrites', 'failedSyncs', 'full', 'none']) })],
]

const bag = kinds.flatMap(([weight, kind]) => Array.from({ length: weight }, () => kind))

/** Returns steps drawn from a seed's generator. */
export function drawSteps(draw: Draw, count: number): readonly Step[] {
  return Array.from({ length: count }, () => pick(draw, bag)(draw))
}
