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

function clockTime({ clock, genesis, height }: Chain, nowMs: bigint): Time {
  if (clock.source === 'wall') return timeFromMs(clock.startMs + nowMs + clock.offsetMs)
  const blocks = height === 0n ? 0n : height + 1n - genesis.initialHeight
  const { ms, shiftMs } = clock.step ?? { ms: clock.blockTimeMs, shiftMs: 0n }
  return addNanos(genesis.time, (blocks * ms + shiftMs + clock.offsetMs) * nanosPerMs)
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

/**
 * Returns the chain whose next block has a time in milliseconds since 1970; later ones keep the
 * shift if asked.
 */
export function withNextTime(chain: Chain, nowMs: bigint, { ms, keep }: { ms: bigint; keep: boolean }): Chain {
  const offsetMs = keep ? chain.clock.offsetMs + ms - timeToMs(clockTime(chain, nowMs)) : chain.clock.offsetMs
  return { ...chain, clock: { ...chain.clock, offsetMs, next: timeFromMs(ms) } }
}

/**
 * Returns the chain whose next block comes `gapMs` after the last in block time, and all after it
 * as much later.
 */
export function withGap(chain: Chain, nowMs: bigint, gapMs: bigint): Chain {
  const next = addNanos(chain.lastBlockTime, gapMs * nanosPerMs)
  const shiftMs = timeToMs(next) - timeToMs(clockTime(chain, nowMs))
  return { ...chain, clock: { ...chain.clock, offsetMs: chain.clock.offsetMs + shiftMs, next } }
}

/** Returns the chain whose blocks are `ms` apart from now on, or what the clock began with. */
export function withBlockStep(chain: Chain, ms: bigint | undefined): Chain {
  const { clock, genesis, height } = chain
  const next = ms ?? clock.blockTimeMs
  const { ms: before, shiftMs } = clock.step ?? { ms: clock.blockTimeMs, shiftMs: 0n }
  const steps = height === 0n ? 0n : height - genesis.initialHeight
  return {
    ...chain,
    clock: { ...clock, step: { ms: next, shiftMs: shiftMs + steps * (before - next) } },
  }
}
