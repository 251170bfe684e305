/** Timer for a member's own clients: delayed replies, and replies that time out. */

export type OwnTimer = { readonly wake: (atMs: bigint | undefined) => void }

const longestMs = 2 ** 31 - 1

/** Returns a timer. `nowMs` is simulation time, which must not run slower than the clock. */
export function createOwnTimer(nowMs: () => bigint, tick: () => void): OwnTimer {
  let timer: NodeJS.Timeout | undefined
  return {
    wake: (atMs) => {
      clearTimeout(timer)
      if (atMs === undefined) return
      timer = setTimeout(tick, Math.min(Math.max(Number(atMs - nowMs()), 1), longestMs)).unref()
    },
  }
}
