/** Flags of a fleet: NATS servers and credentials. */
import { Option, type Command } from 'commander'
import { BadFleet } from '../fleet/connection.ts'
import type { FleetOptions } from '../fleet/options.ts'
import { detail } from './help.ts'
import { BadOption } from './options.ts'

export type FleetFlags = {
  readonly fleet?: readonly string[]
  readonly fleetName?: string
  readonly fleetReplicas?: number
  readonly fleetSnapshotEvery?: number
  readonly fleetUser?: string
  readonly fleetPassword?: string
  readonly fleetToken?: string
  readonly fleetNkey?: string
  readonly fleetCreds?: string
  readonly fleetTlsCa?: string
  readonly fleetTlsCert?: string
  readonly fleetTlsKey?: string
}

const group = 'Fleet:'

/** Adds the flags of a member of a fleet. */
export function withFleet(command: Command): Command {
  const replicas = flag(
    '--fleet-replicas <count>',
    'Servers of a NATS cluster that store the chain (default: 3 in a cluster, else 1).',
  )
  const every = flag('--fleet-snapshot-every <inputs>', 'Inputs between two snapshots for newcomers (default: 1000).')
  withServers(command)
    .addOption(detail(fleetName()))
    .addOption(detail(replicas.argParser(count('--fleet-replicas'))))
    .addOption(detail(every.argParser(count('--fleet-snapshot-every'))))
  return withLogin(command)
}

/** Adds the flags of a command that asks about a fleet. */
export function withFleetName(command: Command): Command {
  return withLogin(withServers(command).addOption(detail(fleetName())))
}

/** Adds the NATS servers. */
export function withServers(command: Command): Command {
  const servers = flag('--fleet <urls>', 'Share the chain through NATS servers, like nats://HOST:4222.')
  return command.addOption(
    servers.argParser((text: string) => text.split(',').map((url) => url.trim())).helpGroup('Network:'),
  )
}

/** Adds the credentials for NATS. */
export function withLogin(command: Command): Command {
  for (const [words, help] of credentials) command.addOption(detail(flag(words, help)))
  return command
}

function fleetName(): Option {
  return flag('--fleet-name <name>', 'Fleet to join among those on the servers (default: demo).')
}

const credentials: readonly (readonly [string, string])[] = [
  ['--fleet-user <name>', 'User for NATS.'],
  ['--fleet-password <text>', 'Password for NATS; the environment hides it from other users of the machine.'],
  ['--fleet-token <text>', 'Token for NATS; the environment hides it from other users of the machine.'],
  ['--fleet-nkey <file>', 'File with the nkey seed for NATS.'],
  ['--fleet-creds <file>', 'Credentials file for NATS.'],
  ['--fleet-tls-ca <file>', 'Certificate authority of the NATS servers; turns TLS on.'],
  ['--fleet-tls-cert <file>', 'Client certificate for NATS; turns TLS on.'],
  ['--fleet-tls-key <file>', 'Key of the client certificate.'],
]

/** Returns a flag that can also be set by an environment variable. */
function flag(words: string, help: string): Option {
  const variable = `CHAINSTAGE_${(words.split(' ')[0] ?? '').slice(2).replaceAll('-', '_').toUpperCase()}`
  return new Option(words, help).env(variable).helpGroup(group)
}

function count(name: string): (text: string) => number {
  return (text) => {
    if (!/^[1-9]\d{0,6}$/.test(text)) throw new BadOption(`${name} with a number of 1 or more`, text)
    return Number(text)
  }
}

/** Returns the fleet options given by flags; undefined without `--fleet`. Throws `BadFleet`. */
export function fleetOf(flags: FleetFlags): FleetOptions | undefined {
  const { fleet: servers, fleetPassword: password, fleetUser: user } = flags
  if (servers === undefined) return undefined
  if (password !== undefined && user === undefined) {
    throw new BadFleet('expected --fleet-user beside --fleet-password, received none')
  }
  return {
    servers,
    name: flags.fleetName ?? 'demo',
    replicas: flags.fleetReplicas,
    snapshotEvery: flags.fleetSnapshotEvery,
    user,
    password,
    token: flags.fleetToken,
    nkey: flags.fleetNkey,
    creds: flags.fleetCreds,
    tlsCa: flags.fleetTlsCa,
    tlsCert: flags.fleetTlsCert,
    tlsKey: flags.fleetTlsKey,
  }
}

type Beside = {
  readonly watch?: boolean
  readonly fork?: unknown
  readonly playback?: unknown
  readonly state?: unknown
  readonly loadState?: unknown
  readonly dumpState?: unknown
}

/**
 * Throws `BadFleet` for flags that a fleet cannot support: members would differ, or need files of
 * one member.
 */
export function assertFleetFits({ watch, fork, playback, state, loadState, dumpState }: Beside): void {
  const given = {
    '--watch': watch === true ? true : undefined,
    ...{ '--fork': fork, '--playback': playback, '--state': state },
    ...{ '--load-state': loadState, '--dump-state': dumpState },
  }
  for (const [name, value] of Object.entries(given)) {
    if (value !== undefined) throw new BadFleet(`expected --fleet without ${name}, received both`)
  }
}
