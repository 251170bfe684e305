/** Requests that wait until a member's copy has caught up with its fleet. */
import { performance } from 'node:perf_hooks'
import type { InputBody } from '../../node/input.ts'
import type { OnReply } from '../queue.ts'

export type Waiting = readonly [body: InputBody, onReply: OnReply | undefined]

export type Held = {
  /** Returns whether it holds the input; it does until everything is let go. */
  readonly hold: (waiting: Waiting) => boolean
  /** Ends the waiting, and returns what waited. */
  readonly letGo: () => readonly Waiting[]
  /** Refuses everything that waits. */
  readonly stop: () => void
}

/** How long a request waits. */
const joinMs = 10_000
const lookEveryMs = 250

/** Returns a list that holds inputs, and refuses each that has waited for 10 s. */
export function createHeld(refuse: (waiting: Waiting, why: string) => void): Held {
  let held: { readonly waiting: Waiting; readonly since: number }[] | undefined = []
  const timer = setInterval(() => {
    refuseSince(performance.now() - joinMs, 'this member has not caught up with its fleet yet: try again')
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
