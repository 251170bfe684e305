/** Which calls of a recording tell that a client is there. */

import { ofTip } from './library.ts'

/** Quantities, hashes, ids and searches depend on what a client has found before. */
const depends = /"0x[0-9a-f]{1,16}"|"0x[0-9a-f]{64}"|"(?:hash|query)":|unsubscribe|eth_uninstallFilter |eth_getFilter|"0x[0-9a-f]{64,}"\]$/

/**
 * Returns whether a client asks this however it is paced: not a height near the head, nor what it
 * only learned on the way, nor what is polled.
 */
export function isSteady(key: string, head: number): boolean {
  if (depends.test(key) || ofTip.test(key)) return false
  const heights = [...key.matchAll(/"(?:height|minHeight|maxHeight)":"(\d+)"/g)]
  return heights.every(([, height]) => Number(height) <= Math.max(3, head - 100))
}
