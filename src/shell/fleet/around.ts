/** What the parts of a fleet member share. */
import type { Call } from './writes.ts'
import type { FleetMeasure } from './figures.ts'
import type { Members } from './members.ts'
import type { Nats } from './nats.ts'

export type Leader = { readonly member: string; readonly term: number }

/** Writes for the leader of a term: `log` is the id of the log that it appends to. */
export type Written = {
  readonly chain: string
  readonly log: string
  readonly term: number
  readonly member: string
  readonly calls: readonly Call[]
}

/** What chains of one member share. */
export type Around = {
  readonly nats: Nats
  readonly members: Members
  /** Hands writes to another member. */
  readonly send: (to: string, written: Omit<Written, 'member'>) => void
  /** Asks another member to open a chain, because it is the one to lead it. */
  readonly invite: (member: string, chain: string) => void
  readonly measure: FleetMeasure
  /** Is told of a chain whose log has been removed. */
  readonly gone: (chain: string) => void
  /** Is told why this process cannot go on as a member. */
  readonly failed: (why: string) => void
  /** After how many inputs a snapshot is written. */
  readonly snapshotEvery: number
}
