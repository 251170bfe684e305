/** What a member is told of its fleet; a file of its own, so that no declaration of the package needs the types of NATS. */
import type { Settings } from '../../settings/settings.ts'

/** `replicas` is how many servers of a NATS cluster keep each stream; undefined is 3 in a cluster. */
export type FleetOptions = {
  /** URLs like nats://HOST:4222, or tls://. */
  readonly servers: readonly string[]
  readonly name: string
  readonly replicas?: number | undefined
  /** After how many inputs a snapshot is written. */
  readonly snapshotEvery?: number | undefined
  readonly user?: string | undefined
  readonly password?: string | undefined
  readonly token?: string | undefined
  /** Paths of files. */
  readonly nkey?: string | undefined
  readonly creds?: string | undefined
  readonly tlsCa?: string | undefined
  readonly tlsCert?: string | undefined
  readonly tlsKey?: string | undefined
}

/** What all members of a fleet have in common. */
export type Charter = {
  readonly version: string
  readonly settings: Settings
  /** The text of a genesis document, if one was given. */
  readonly genesis: string | undefined
  /** The digest of the scenario; '' without one. */
  readonly plan: string
}
