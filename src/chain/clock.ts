/** Block timestamps (design §3, `comet-rpc.md` §5.8). */
import { formatTime } from '../codec/time.ts'
import { addNanos, compareTime, lastTimestamp, timeFromMs, timeToMs, type Time } from '../data/time.ts'
import { SimError } from '../errors.ts'
import type { Chain } from './chain.ts'

const nanosPerMs = 1_000_000n

/**
 * Returns the timestamp of a block mined at simulation time `nowMs`. It is at least one millisecond
 * later than the previous block's, as the vote times of CometBFT require.
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

/**
 * Returns the chain with the next block and all later ones shifted by `ms`. Throws `TimeRefused` if
 * RFC 3339 cannot represent the next block's time.
 */
export function advancedTime(chain: Chain, nowMs: bigint, ms: bigint): Chain {
  return withinTime({ ...chain, clock: { ...chain.clock, offsetMs: chain.clock.offsetMs + ms } }, nowMs)
}

function withinTime(chain: Chain, nowMs: bigint): Chain {
  assertRepresentable(clockTime(chain, nowMs))
  return chain
}

/**
 * Returns the chain with the next block's timestamp set to `ms` (milliseconds since 1970). With
 * `keep`, later blocks are shifted by the same amount, and a time before the second of the last block
 * throws `TimeRefused`: the blocks of a clock that is behind would be a millisecond apart.
 */
export function withNextTime(chain: Chain, nowMs: bigint, { ms, keep }: { ms: bigint; keep: boolean }): Chain {
  const { height, lastBlockTime } = chain
  if (keep && height > 0n && ms < lastBlockTime.seconds * 1000n) {
    const [last, wanted] = [lastBlockTime, timeFromMs(ms)].map(formatTime)
    throw new TimeRefused(
      `expected a time that is not before the last block, ${last}, received ${wanted}`,
      'Restore a checkpoint to go back.',
    )
  }
  const offsetMs = keep ? chain.clock.offsetMs + ms - timeToMs(clockTime(chain, nowMs)) : chain.clock.offsetMs
  return { ...chain, clock: { ...chain.clock, offsetMs, next: timeFromMs(ms) } }
}

/**
 * Returns the chain with the next block `gapMs` of block time after the last one. Later blocks are
 * shifted by the same amount.
 */
export function withGap(chain: Chain, nowMs: bigint, gapMs: bigint): Chain {
  const next = addNanos(chain.lastBlockTime, gapMs * nanosPerMs)
  const shiftMs = timeToMs(next) - timeToMs(clockTime(chain, nowMs))
  return { ...chain, clock: { ...chain.clock, offsetMs: chain.clock.offsetMs + shiftMs, next } }
}

/**
 * Throws `TimeRefused` if RFC 3339 cannot represent the time of the last of `count` blocks that are
 * `gapMs` apart, the first of which is mined now.
 */
export function assertGaps(
  chain: Chain,
  nowMs: bigint,
  { count, gapMs = 0n }: { count: number; gapMs?: bigint },
): void {
  assertRepresentable(addNanos(nextBlockTime(chain, nowMs), BigInt(count - 1) * gapMs * nanosPerMs))
}

/**
 * Returns the chain whose blocks are `ms` apart from now on; undefined restores the clock's initial
 * interval. Throws as `advancedTime` does.
 */
export function withBlockStep(chain: Chain, nowMs: bigint, ms: bigint | undefined): Chain {
  const { clock, genesis, height } = chain
  const next = ms ?? clock.blockTimeMs
  const { ms: before, shiftMs } = clock.step ?? { ms: clock.blockTimeMs, shiftMs: 0n }
  const steps = height === 0n ? 0n : height - genesis.initialHeight
  const step = { ms: next, shiftMs: shiftMs + steps * (before - next) }
  return withinTime({ ...chain, clock: { ...clock, step } }, nowMs)
}

/** Returns whether blocks are another interval apart than the clock's initial one. */
export function hasBlockStep({ clock }: Chain): boolean {
  return clock.step !== undefined && clock.step.ms !== clock.blockTimeMs
}

/** Thrown for a move of time beyond the year 9999, or to before the last block. */
export class TimeRefused extends SimError {
  constructor(message: string, hint: string) {
    super('TIME_REFUSED', message, { hint })
  }
}

/** Throws `TimeRefused` if RFC 3339 cannot represent a time. */
function assertRepresentable({ seconds }: Time): void {
  if (seconds <= lastTimestamp) return
  throw new TimeRefused(
    `expected a time of at most ${lastTimestamp} seconds (the end of the year 9999), received ${seconds}`,
    'Move time by less.',
  )
}
