/** The rules of block time (design §3, `comet-rpc.md` §5.8). */
import { addNanos, compareTime, timeFromMs, timeToMs, type Time } from '../data/time.ts'
import type { Chain } from './chain.ts'

const nanosPerMs = 1_000_000n

/**
 * Returns the time of the block that would be made now; `nowMs` is simulation time. It is always
 * later than the block before by at least a millisecond, as a validator's vote makes it.
 */
export function nextBlockTime(chain: Chain, nowMs: bigint): Time {
  if (chain.clock.next !== undefined) return later(chain, chain.clock.next)
  if (chain.height === 0n && chain.clock.offsetMs === 0n) return chain.genesis.time
  return later(chain, clockTime(chain, nowMs))
}

function clockTime({ clock, genesis, height, lastBlockTime }: Chain, nowMs: bigint): Time {
  if (clock.stepMs !== undefined) return addNanos(lastBlockTime, (clock.stepMs + clock.offsetMs) * nanosPerMs)
  if (clock.source === 'wall') return timeFromMs(clock.startMs + nowMs + clock.offsetMs)
  const blocks = height + 1n - genesis.initialHeight
  return addNanos(genesis.time, (blocks * clock.blockTimeMs + clock.offsetMs) * nanosPerMs)
}

function later(chain: Chain, time: Time): Time {
  if (chain.height === 0n) return time
  const earliest = addNanos(chain.lastBlockTime, nanosPerMs)
  return compareTime(time, earliest) < 0 ? earliest : time
}

/** Returns the chain whose next block, and all after it, are `ms` later. */
export function advancedTime(chain: Chain, ms: bigint): Chain {
  return { ...chain, clock: { ...chain.clock, offsetMs: chain.clock.offsetMs + ms } }
}

/** Returns the chain whose next block has a time in milliseconds since 1970; later ones keep the shift if asked. */
export function withNextTime(chain: Chain, nowMs: bigint, { ms, keep }: { ms: bigint; keep: boolean }): Chain {
  const offsetMs = keep ? chain.clock.offsetMs + ms - timeToMs(clockTime(chain, nowMs)) : chain.clock.offsetMs
  return { ...chain, clock: { ...chain.clock, offsetMs, next: timeFromMs(ms) } }
}

/**
 * Returns the chain whose blocks are `ms` apart from here on, or as far as they were by default. What
 * was added to block time before stays in it.
 */
export function withStep(chain: Chain, nowMs: bigint, ms: bigint | undefined): Chain {
  const { clock, lastBlockTime } = chain
  if (ms !== undefined) return { ...chain, clock: { ...clock, stepMs: ms, offsetMs: 0n } }
  const plain: Chain = { ...chain, clock: { ...clock, stepMs: undefined, offsetMs: 0n } }
  const missingMs = timeToMs(lastBlockTime) + clock.blockTimeMs - timeToMs(clockTime(plain, nowMs))
  return { ...plain, clock: { ...plain.clock, offsetMs: clock.source === 'logical' || missingMs > 0n ? missingMs : 0n } }
}
