/** State and callbacks shared by the parts of a fleet member. */
import type { Call } from './writes.ts'
import type { FleetMeasure } from './figures.ts'
import type { Members } from './members.ts'
import type { Nats } from './nats.ts'

export type Leader = { readonly member: string; readonly term: number }

/** Writes sent to the leader of a term; `log` is the id of the log that the leader appends to. */
export type Written = {
  readonly chain: string
  readonly log: string
  readonly term: number
  readonly member: string
  readonly calls: readonly Call[]
}

/** Context shared by all chains of a member. */
export type Around = {
  readonly nats: Nats
  readonly members: Members
  /** Sends writes to another member. */
  readonly send: (to: string, written: Omit<Written, 'member'>) => void
  /** Asks another member to open a chain that it should lead. */
  readonly invite: (member: string, chain: string) => void
  readonly measure: FleetMeasure
  /** Called when the log of a chain has been removed. */
  readonly gone: (chain: string) => void
  /** Called with the reason when this process can no longer be a member. */
  readonly failed: (why: string) => void
  /** Number of inputs between snapshots. */
  readonly snapshotEvery: number
}
