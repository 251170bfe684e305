/** Measures the time by which a member's copy of a chain lags behind its leader. */
import { performance } from 'node:perf_hooks'

export type LagOptions = {
  /**
   * The last entry that the leader has announced as applied; undefined if there was no
   * announcement.
   */
  readonly announced: () => number | undefined
  /** The last entry applied here. */
  readonly sequence: () => number
  /** Milliseconds since NATS last delivered a message; 0 while it does. */
  readonly silentMs: () => number
  /** Milliseconds of a clock that never goes back. */
  readonly nowMs?: () => number
}

export type Lag = {
  /** Compares the copy with the leader; call it several times a second. */
  readonly look: () => void
  /** Number of entries that the leader has applied and the copy has not. */
  readonly entries: () => number
  /** Milliseconds since the copy was last up to date with the leader; 0 while it is. */
  readonly ms: () => number
}

/**
 * Lag below this is reported as 0, because an entry and its announcement arrive at different times.
 */
const graceMs = 500

/** Returns the lag of a copy that is up to date now. */
export function createLag({ announced, sequence, silentMs, nowMs = () => performance.now() }: LagOptions): Lag {
  let reachedAt = nowMs()
  const look = () => {
    if (sequence() >= (announced() ?? 0)) reachedAt = nowMs()
  }
  return {
    look,
    entries: () => Math.max(0, (announced() ?? 0) - sequence()),
    ms: () => {
      look()
      const behindMs = nowMs() - reachedAt
      return Math.max(silentMs(), behindMs < graceMs ? 0 : Math.round(behindMs))
    },
  }
}
