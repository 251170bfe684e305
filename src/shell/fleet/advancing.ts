/** Moves the time of a chain whose clock stands still, on all members. */
import { nextDue } from '../../data/agenda.ts'
import type { Operated } from '../ports.ts'
import type { Copy } from './copy.ts'
import type { Writes } from './writes.ts'

/**
 * Returns a function that moves simulation time forward by milliseconds, one due event after the
 * other. It resolves when this member's copy has reached that time.
 */
export function createAdvancing(copy: Copy, writes: Writes): (ms: number) => Promise<Operated> {
  return async (ms) => {
    // It counts from the time after all that the leader had before, which may not be here yet.
    const caughtUp = await tickThrough(writes)
    if (caughtUp.kind !== 'done') return caughtUp
    const target = copy.nowMs() + BigInt(ms)
    for (;;) {
      const due = nextDue(copy.shared().node.agenda)?.timeMs ?? target
      // What is due now runs with any tick: only a later moment is a step.
      const next = due > copy.nowMs() && due < target ? due : target
      const operated = await tickThrough(writes, next)
      if (operated.kind !== 'done' || next === target) return operated
    }
  }
}

/**
 * Sends a tick to the leader, to be stamped with a time of `atMs` or later. Resolves when this
 * member's copy has applied it, and with it everything that the leader had before.
 */
export function tickThrough(writes: Writes, atMs?: bigint): Promise<Operated> {
  return new Promise((resolve) => {
    const onReply = undefined
    const settled = (operated: Operated | undefined) => resolve(operated ?? { kind: 'unconfirmed', message: late })
    writes.add({ kind: 'tick' }, { onReply, settled, atMs })
  })
}

const late = 'no leader of the fleet answered in time. Check the chain before you repeat this'
