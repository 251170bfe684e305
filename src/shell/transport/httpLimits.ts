import type { Side } from '../../settings/side.ts'
import { durationMs } from '../../settings/duration.ts'
import type { Settings } from '../../settings/settings.ts'
import { longestTimerMs } from '../pace.ts'

/** The longest timeout of a connection: Node adds a second. A longer timer would end at once. */
const longestMs = longestTimerMs - 1000

/** Returns Go's timeouts: 10 s each for CometBFT (`comet-rpc.md` §2.1), else as configured. */
export function timeoutsOf(side: Side, { ethHttpTimeout, ethHttpIdleTimeout, apiReadTimeout }: Settings) {
  const ethMs = { readMs: durationMs(ethHttpTimeout), idleMs: durationMs(ethHttpIdleTimeout) }
  const restMs = { readMs: apiReadTimeout * 1000, idleMs: apiReadTimeout * 1000 }
  const { readMs, idleMs } = side === 'eth' ? ethMs : side === 'rest' ? restMs : { readMs: 10_000, idleMs: 10_000 }
  const requestTimeout = Math.min(Number(readMs), longestMs)
  return { requestTimeout, headersTimeout: requestTimeout, keepAliveTimeout: Math.min(Number(idleMs), longestMs) }
}

/** Returns the maximum number of simultaneous connections of an interface; 0 is unlimited. */
export function connectionsOf(side: Side, settings: Settings): number {
  if (side === 'eth') return settings.ethMaxOpenConnections
  return side === 'rest' ? settings.apiMaxOpenConnections : settings.maxOpenConnections
}
