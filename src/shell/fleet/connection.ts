/** Connects to NATS: server addresses and credentials. */
import { readFile } from 'node:fs/promises'
import type { NatsConnection } from '@nats-io/transport-node'
import { SimError, thrownText } from '../../errors.ts'
import type { FleetOptions } from './options.ts'

const connectMs = 3000
const againMs = 250

/**
 * Resolves with a connection that reconnects by itself. Throws `FleetUnreachable`; its text names
 * the servers, but neither users nor secrets.
 */
export async function connectToNats(options: FleetOptions, program: string): Promise<NatsConnection> {
  const { connect } = await import('@nats-io/transport-node')
  const places = options.servers.map(placeOf)
  try {
    return await connect({
      servers: places.map(({ server }) => server),
      name: program,
      timeout: connectMs,
      maxReconnectAttempts: -1,
      reconnectTimeWait: againMs,
      reconnectJitter: againMs,
      pingInterval: 2000,
      maxPingOut: 2,
      ...(await credentialsOf(options, places)),
    })
  } catch (error) {
    if (error instanceof SimError) throw error
    throw new FleetUnreachable(places.map(({ server }) => server).join(', '), reasonOf(error))
  }
}

type Place = { readonly server: string; readonly user: string; readonly password: string; readonly isTls: boolean }

/** Splits a URL into server address and credentials. Only the login gets to see the credentials. */
function placeOf(text: string): Place {
  const url = URL.parse(/^[a-z]+:\/\//.test(text) ? text : `nats://${text}`)
  if (url === null || !['nats:', 'tls:'].includes(url.protocol) || url.hostname === '') {
    throw new BadFleet(
      'expected --fleet nats://HOST:4222, with further servers after commas, received a different form of URL',
    )
  }
  return {
    server: `${url.hostname}:${url.port || '4222'}`,
    user: decodeURIComponent(url.username),
    password: decodeURIComponent(url.password),
    isTls: url.protocol === 'tls:',
  }
}

async function credentialsOf(options: FleetOptions, places: readonly Place[]) {
  const { nkeyAuthenticator, credsAuthenticator } = await import('@nats-io/transport-node')
  const own = places.find(({ user }) => user !== '')
  // A URL with a user and without a password contains a token.
  const inUrl =
    own === undefined ? {} : own.password === '' ? { token: own.user } : { user: own.user, pass: own.password }
  const { user, password, token, nkey, creds, tlsCa, tlsCert, tlsKey } = options
  const hasTls = places.some(({ isTls }) => isTls) || tlsCa !== undefined || tlsCert !== undefined
  return {
    ...inUrl,
    ...(user === undefined ? {} : { user, pass: password ?? '' }),
    ...(token === undefined ? {} : { token }),
    ...(nkey === undefined
      ? {}
      : { authenticator: nkeyAuthenticator(seedIn((await secretIn(nkey)).toString('utf8'))) }),
    ...(creds === undefined ? {} : { authenticator: credsAuthenticator(await secretIn(creds)) }),
    ...(hasTls
      ? {
          tls: {
            ...(tlsCa === undefined ? {} : { caFile: tlsCa }),
            ...(tlsCert === undefined ? {} : { certFile: tlsCert }),
            ...(tlsKey === undefined ? {} : { keyFile: tlsKey }),
          },
        }
      : {}),
  }
}

async function secretIn(path: string): Promise<Buffer> {
  return readFile(path).catch((error: NodeJS.ErrnoException) => {
    throw new BadFleet(
      `expected a file with NATS credentials, received ${path}: ${error.code ?? 'the file is unreadable'}`,
    )
  })
}

function seedIn(text: string): Uint8Array {
  const seed = /\bS[A-Z2-7]{57}\b/.exec(text)?.[0]
  if (seed === undefined) throw new BadFleet('expected a seed that starts with S in the file of --fleet-nkey')
  return new TextEncoder().encode(seed)
}

/**
 * Returns the text of an error of the client library without the URL, which may contain
 * credentials.
 */
function reasonOf(error: unknown): string {
  const text = thrownText(error)
  if (/authorization|authentication/i.test(text)) return 'the server rejected the credentials'
  if (/tls|certificate|self.signed/i.test(text)) return 'TLS failed'
  return /timeout/i.test(text) ? `no response within ${connectMs / 1000} s` : 'the connection was refused'
}

/** Thrown for fleet flags that contradict each other. */
export class BadFleet extends SimError {
  constructor(message: string) {
    super('BAD_FLEET', message, { hint: 'Run chainstage start --help for the fleet flags.' })
  }
}

/** Thrown when no NATS server responds. */
export class FleetUnreachable extends SimError {
  constructor(servers: string, why: string) {
    super('FLEET_UNREACHABLE', `cannot connect to NATS at ${servers}: ${why}`, {
      hint: 'Start nats-server with JetStream (nats-server -js), and check --fleet and the credentials.',
    })
  }
}
