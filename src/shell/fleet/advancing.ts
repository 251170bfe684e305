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
  const tickAt = (atMs: bigint) =>
    new Promise<Operated>((resolve) => {
      const onReply = undefined
      const settled = (operated: Operated | undefined) => resolve(operated ?? { kind: 'unconfirmed', message: late })
      writes.add({ kind: 'tick' }, { onReply, settled, atMs })
    })
  return async (ms) => {
    const target = copy.nowMs() + BigInt(ms)
    for (;;) {
      const due = nextDue(copy.shared().node.agenda)?.timeMs ?? target
      // What is due now runs with any tick: only a later moment is a step.
      const next = due > copy.nowMs() && due < target ? due : target
      const operated = await tickAt(next)
      if (operated.kind !== 'done' || next === target) return operated
    }
  }
}

const late = 'no leader of the fleet confirmed that time moved. It may still move: check before you repeat it'
