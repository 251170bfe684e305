/** How far a member's copy of a chain is behind its leader, in time. */
import { performance } from 'node:perf_hooks'

export type LagOptions = {
  /** The last entry that the leader has said it applied; undefined where none has said so. */
  readonly announced: () => number | undefined
  /** The last entry that took effect here. */
  readonly sequence: () => number
  /** Milliseconds since NATS last carried a message; 0 while it does. */
  readonly silentMs: () => number
}

export type Lag = {
  /** Compares once more; to be called several times a second. */
  readonly look: () => void
  /** Entries that the leader has and the copy has not. */
  readonly entries: () => number
  /** Milliseconds since the copy last had what the leader had; 0 while it keeps up. */
  readonly ms: () => number
}

/** An entry and the announcement that counts it do not arrive at the same time. */
const graceMs = 500

/** Returns the lag of a copy that keeps up so far. */
export function createLag({ announced, sequence, silentMs }: LagOptions): Lag {
  let reachedAt = performance.now()
  const look = () => {
    if (sequence() >= (announced() ?? 0)) reachedAt = performance.now()
  }
  return {
    look,
    entries: () => Math.max(0, (announced() ?? 0) - sequence()),
    ms: () => {
      look()
      const behindMs = performance.now() - reachedAt
      return Math.max(silentMs(), behindMs < graceMs ? 0 : Math.round(behindMs))
    },
  }
}
