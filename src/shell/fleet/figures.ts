/**
 * Counters that a member keeps about its fleet. They are in a separate file, so that metrics import
 * nothing else of the fleet.
 */

/** Current figures of this member; chain figures are those of the main chain. */
export type FleetFigures = {
  readonly members: number
  readonly chains: number
  readonly leads: number
  /** The current term; 0 before the first leader. */
  readonly term: number
  readonly sequence: number
  /** Number of entries that the leader has applied and this member has not. */
  readonly behind: number
  readonly lagMs: number
  /** Pending writes on all chains. */
  readonly openWrites: number
}

/** Callbacks that count this member's work as a leader. */
export type FleetMeasure = {
  readonly led: () => void
  /** The log acknowledged `inputs` inputs together, `tookMs` milliseconds after they were sent. */
  readonly appended: (tookMs: number, inputs: number) => void
}
