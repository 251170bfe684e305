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
      single('gauge', 'chainstage_fleet_members', 'Number of active members, including this one.', members),
      single('gauge', 'chainstage_fleet_chains', 'Number of chains that this member has a copy of.', chains),
      single('gauge', 'chainstage_fleet_chains_led', 'Number of chains that this member leads.', leads),
      single('gauge', 'chainstage_fleet_term', 'Current term of the main chain.', term),
      single('gauge', 'chainstage_fleet_sequence', 'Last entry of the main chain that this member applied.', sequence),
      single(
        'gauge',
        'chainstage_fleet_entries_behind',
        'Number of main chain entries that this member has not applied.',
        behind,
      ),
      single(
        'gauge',
        'chainstage_fleet_lag_seconds',
        "Seconds since this member's main chain was last up to date.",
        lagMs / 1000,
      ),
      single(
        'gauge',
        'chainstage_fleet_open_writes',
        "Number of writes of this member's clients that wait for a leader.",
        openWrites,
      ),
      single(
        'counter',
        'chainstage_fleet_takeovers_total',
        'Number of times that this member became the leader of a chain.',
        takeovers,
      ),
      single(
        'counter',
        'chainstage_fleet_inputs_total',
        'Number of inputs that this member appended as the leader.',
        inputs,
      ),
      {
        name: 'chainstage_fleet_append_duration_seconds',
        type: 'histogram',
        samples: appends.samples(),
        help: 'Seconds until NATS acknowledged an entry appended by this member.',
      },
    ],
  }
}
