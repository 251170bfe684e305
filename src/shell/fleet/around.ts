/** What the parts of a fleet member share. */
import type { Call } from './writes.ts'
import type { Members } from './members.ts'
import type { Nats } from './nats.ts'

export type Leader = { readonly member: string; readonly term: number }

/** What chains of one member share. */
export type Around = {
  readonly nats: Nats
  readonly members: Members
  /** Hands writes to another member. */
  readonly send: (to: string, chain: string, term: number, calls: readonly Call[]) => void
  /** Asks another member to open a chain, because it is the one to lead it. */
  readonly invite: (member: string, chain: string) => void
  /** After how many inputs a snapshot is written. */
  readonly snapshotEvery: number
}
