/** Mines blocks for an operator, who learns if the chain stops before the last one. */
import { stoppedMining } from '../../chain/quorum.ts'
import { isMining, sliceSize } from '../../node/mining.ts'
import type { Instance } from '../ports.ts'
import { stoppedText } from '../stopped.ts'
import { type Action, ActionRefused, act, actNow, durationOf, staysText } from './act.ts'
import { heightView, latestHeight } from './views.ts'

export type MineOptions = {
  readonly blocks?: number | undefined
  readonly interval?: string | undefined
}

/**
 * Mines blocks whose timestamps are `interval` apart, and serves other requests in between.
 * Resolves with the new height when all blocks are mined. Throws `ActionRefused`, also if the chain
 * stops first.
 */
export async function mine(instance: Instance, options: MineOptions) {
  const job = await act(instance, () => mining(instance, options))
  await new Promise<void>((done, fail) => {
    if (job.isOver()) {
      done()
      return
    }
    const forget = instance.queue.onStop(() => fail(new ActionRefused(stoppedText)))
    // Listeners are called before the simulation is replaced.
    const stop = instance.onChange(() => {
      queueMicrotask(() => {
        if (job.isOver()) {
          forget()
          stop()
          done()
        }
      })
    })
  })
  job.assertWhole()
  return heightView(instance)
}

/** Stops all mining jobs; the result is the height at which they stopped. */
export function stopMining(instance: Instance) {
  return { commands: [{ type: 'stopMining' }], result: () => heightView(instance) } satisfies Action<unknown>
}

/** Mines blocks, then returns the new height. No other request is served in the meantime. */
export function mineNow(instance: Instance, options: MineOptions) {
  const job = actNow(instance, mining(instance, options))
  while (!job.isOver()) {
    const before = instance.simulation()
    instance.enter({ kind: 'tick' })
    // A fork that waits for its other chain mines these blocks after that chain has responded.
    if (instance.simulation() === before) break
  }
  job.assertWhole()
  return heightView(instance)
}

/**
 * `assertWhole` throws `ActionRefused` if the chain halted or lost its quorum before the last block, or a playback
 * did not move.
 */
type Job = { readonly isOver: () => boolean; readonly assertWhole: () => void }

function mining(instance: Instance, { blocks = 1, interval }: MineOptions): Action<Job> {
  const gap = interval === undefined ? {} : { gapMs: durationOf(interval) }
  const { simulation } = instance
  const nextJob = () => simulation().node.counters.mining ?? 1
  const before = nextJob()
  const most = sliceSize(simulation().node)
  const cutBefore = simulation().node.cutShort
  const heightBefore = latestHeight(instance)
  return {
    commands: [{ type: 'mine', count: blocks, ...gap }],
    result: () => {
      // Other members of a fleet may have started jobs in between: the newest one is ours.
      const job = nextJob() - 1
      const isStarted = job >= before && blocks > most
      return {
        isOver: () => !isStarted || !isMining(simulation().node, job),
        assertWhole: () => {
          if (instance.playback !== undefined && blocks > 0 && latestHeight(instance) === heightBefore) {
            throw new ActionRefused(staysText(heightBefore))
          }
          const { chain, cutShort } = simulation().node
          if (cutShort === undefined || cutShort === cutBefore || cutShort.id !== (isStarted ? job : before)) return
          const { message, hint } = stoppedMining(instance.world, chain, { blocks, left: cutShort.left })
          throw new ActionRefused(message, hint)
        },
      }
    },
  }
}
