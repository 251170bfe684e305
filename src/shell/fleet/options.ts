/**
 * Options of a fleet member. They are in a separate file, so that the package's declarations do not
 * need the types of NATS.
 */
import type { Settings } from '../../settings/settings.ts'

/**
 * Options of a fleet member. `replicas` is the number of servers in a NATS cluster that store each
 * stream; the default is 3 in a cluster.
 */
export type FleetOptions = {
  /** URLs such as nats://HOST:4222 or tls://HOST:4222. */
  readonly servers: readonly string[]
  readonly name: string
  readonly replicas?: number | undefined
  /** Number of inputs between snapshots. */
  readonly snapshotEvery?: number | undefined
  readonly user?: string | undefined
  readonly password?: string | undefined
  readonly token?: string | undefined
  /** File paths. */
  readonly nkey?: string | undefined
  readonly creds?: string | undefined
  readonly tlsCa?: string | undefined
  readonly tlsCert?: string | undefined
  readonly tlsKey?: string | undefined
}

/** The properties that all members of a fleet must share. */
export type Charter = {
  readonly version: string
  readonly settings: Settings
  /** The text of the genesis document, if one is given. */
  readonly genesis: string | undefined
  /** The digest of the scenario; '' if there is none. */
  readonly plan: string
}
