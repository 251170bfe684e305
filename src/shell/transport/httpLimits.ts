import type { Side } from '../../settings/side.ts'
import { durationMs } from '../../settings/duration.ts'
import type { Settings } from '../../settings/settings.ts'

/** Returns Go's timeouts: 10 s each for CometBFT (`comet-rpc.md` §2.1), else as configured. */
export function timeoutsOf(side: Side, { ethHttpTimeout, ethHttpIdleTimeout, apiReadTimeout }: Settings) {
  const ethMs = { readMs: durationMs(ethHttpTimeout), idleMs: durationMs(ethHttpIdleTimeout) }
  const restMs = { readMs: apiReadTimeout * 1000, idleMs: apiReadTimeout * 1000 }
  const { readMs, idleMs } = side === 'eth' ? ethMs : side === 'rest' ? restMs : { readMs: 10_000, idleMs: 10_000 }
  const requestTimeout = Number(readMs)
  return { requestTimeout, headersTimeout: requestTimeout, keepAliveTimeout: Number(idleMs) }
}

/** Returns the maximum number of simultaneous connections of an interface; 0 is unlimited. */
export function connectionsOf(side: Side, settings: Settings): number {
  if (side === 'eth') return settings.ethMaxOpenConnections
  return side === 'rest' ? settings.apiMaxOpenConnections : settings.maxOpenConnections
}
