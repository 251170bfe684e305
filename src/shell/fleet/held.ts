/** Holds requests until a member's copy has caught up with its fleet. */
import { performance } from 'node:perf_hooks'
import type { InputBody } from '../../plan/input.ts'
import type { OnReply } from '../queue.ts'

export type HeldInput = readonly [body: InputBody, onReply: OnReply | undefined]

export type HeldInputs = {
  /** Returns whether the input is held; false once `letGo` has been called. */
  readonly hold: (waiting: HeldInput) => boolean
  /** Stops holding inputs and returns those held so far. */
  readonly letGo: () => readonly HeldInput[]
  /** Refuses all held inputs. */
  readonly stop: () => void
}

/** Maximum time that a request is held, in milliseconds. */
const joinMs = 10_000
const lookEveryMs = 250

/** Returns an empty list of held inputs. It refuses each input held for longer than 10 s. */
export function createHeld(refuse: (waiting: HeldInput, why: string) => void): HeldInputs {
  let held: { readonly waiting: HeldInput; readonly since: number }[] | undefined = []
  const timer = setInterval(() => {
    refuseSince(performance.now() - joinMs, 'this member has not caught up with its fleet yet: retry later')
  }, lookEveryMs).unref()

  function refuseSince(moment: number, why: string): void {
    for (let [first] = held ?? []; first !== undefined && first.since <= moment; [first] = held ?? []) {
      held?.shift()
      refuse(first.waiting, why)
    }
  }

  return {
    hold: (waiting) => {
      held?.push({ waiting, since: performance.now() })
      return held !== undefined
    },
    letGo: () => {
      clearInterval(timer)
      const all = held ?? []
      held = undefined
      return all.map(({ waiting }) => waiting)
    },
    stop: () => {
      clearInterval(timer)
      refuseSince(Infinity, 'this member closed the chain before it had caught up with its fleet')
    },
  }
}
