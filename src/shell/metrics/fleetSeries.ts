/** The metrics of a fleet, as seen by this member. */
import type { FleetFigures, FleetMeasure } from '../fleet/figures.ts'
import { single, type Family } from './exposition.ts'
import { createHistogram } from './histogram.ts'

export type FleetSeries = {
  /** Counts the leader's events. */
  readonly measure: FleetMeasure
  readonly families: (figures: FleetFigures) => readonly Family[]
}

/** Bounds in seconds: a round trip to NATS takes about a millisecond, and two seconds at most. */
const appendBounds = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5]

/** Returns the series with every counter at 0. */
export function createFleetSeries(): FleetSeries {
  const appends = createHistogram(appendBounds)
  let [takeovers, inputs] = [0, 0]
  return {
    measure: {
      led: () => {
        takeovers += 1
      },
      appended: (tookMs, count) => {
        appends.observe(tookMs / 1000)
        inputs += count
      },
    },
    families: ({ members, chains, leads, term, sequence, behind, lagMs, openWrites }) => [
      single('gauge', 'chainstage_fleet_members', 'Members that were heard of lately, this one included.', members),
      single('gauge', 'chainstage_fleet_chains', 'Chains that this member holds.', chains),
      single('gauge', 'chainstage_fleet_chains_led', 'Chains that this member leads.', leads),
      single('gauge', 'chainstage_fleet_term', 'Term of the leader of the main chain.', term),
      single('gauge', 'chainstage_fleet_sequence', 'Last entry of the main chain that took effect here.', sequence),
      single('gauge', 'chainstage_fleet_entries_behind', 'Entries of the main chain that are missing here.', behind),
      single('gauge', 'chainstage_fleet_lag_seconds', 'Seconds since the main chain was last complete.', lagMs / 1000),
      single('gauge', 'chainstage_fleet_open_writes', 'Writes of own clients that wait for a leader.', openWrites),
      single('counter', 'chainstage_fleet_takeovers_total', 'Times this member began to lead a chain.', takeovers),
      single('counter', 'chainstage_fleet_inputs_total', 'Inputs that this member appended as a leader.', inputs),
      {
        name: 'chainstage_fleet_append_duration_seconds',
        type: 'histogram',
        samples: appends.samples(),
        help: 'Seconds until the stream acknowledged an entry that this member appended.',
      },
    ],
  }
}
