/** What a member counts of its fleet; a file of its own, so that metrics need nothing else of it. */

/** Figures of this member now; those of a chain are the main chain's. */
export type FleetFigures = {
  readonly members: number
  readonly chains: number
  readonly leads: number
  /** 0 before the first leader. */
  readonly term: number
  readonly sequence: number
  /** Entries that the leader has and this member does not. */
  readonly behind: number
  readonly lagMs: number
  /** Of all chains. */
  readonly openWrites: number
}

/** Is told of what this member does as a leader. */
export type FleetMeasure = {
  readonly led: () => void
  /** `inputs` were acknowledged together, `tookMs` after they were sent. */
  readonly appended: (tookMs: number, inputs: number) => void
}
