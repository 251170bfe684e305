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
  const credentials = await credentialsOf(options, places)
  const once = {
    servers: places.map(({ server }) => server),
    name: program,
    timeout: connectMs,
    ...credentials,
  }
  const again = { maxReconnectAttempts: -1, reconnectTimeWait: againMs, reconnectJitter: againMs }
  try {
    return await connect({ ...once, ...again, pingInterval: 2000, maxPingOut: 2 })
  } catch (error) {
    // A server that refuses a client certificate resets the connection, which the library retries.
    const first =
      'tls' in credentials && isTimeout(error) ? await refusalOf(() => connect({ ...once, reconnect: false })) : error
    throw new FleetUnreachable(once.servers.join(', '), reasonOf(first ?? error))
  }
}

/** Resolves with the error of a connection that is tried once; undefined if it succeeds. */
async function refusalOf(connectOnce: () => Promise<NatsConnection>): Promise<unknown> {
  try {
    await (await connectOnce()).close()
    return undefined
  } catch (error) {
    return error
  }
}

function isTimeout(error: unknown): boolean {
  return /timeout/i.test(thrownText(error))
}

type NatsServer = { readonly server: string; readonly user: string; readonly password: string; readonly isTls: boolean }

/** Splits a URL into server address and credentials. Only the login gets to see the credentials. */
function placeOf(text: string): NatsServer {
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

async function credentialsOf(options: FleetOptions, places: readonly NatsServer[]) {
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
    ...(creds === undefined ? {} : { authenticator: credsAuthenticator(userIn(await secretIn(creds))) }),
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

/** Calls `work` whenever the connection has been restored, until it is closed. */
export async function onReconnect(connection: NatsConnection, work: () => void): Promise<void> {
  for await (const { type } of connection.status()) if (type === 'reconnect') work()
}

async function secretIn(path: string): Promise<Buffer> {
  return readFile(path).catch((error: NodeJS.ErrnoException) => {
    throw new BadFleet(
      `expected a file with NATS credentials, received ${path}: ${error.code ?? 'the file is unreadable'}`,
    )
  })
}

function userIn(file: Buffer): Buffer {
  const text = file.toString('latin1')
  if (text.includes('NATS USER JWT') && text.includes('USER NKEY SEED')) return file
  throw new BadFleet('expected a user JWT and its nkey seed in the file of --fleet-creds, as nsc writes them')
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
  if (/ECONNRESET|EPIPE|disconnected|alert/.test(text)) {
    return 'the server ended the connection: check --fleet-tls-cert and --fleet-tls-key'
  }
  if (/tls|certificate|self.signed/i.test(text)) return 'TLS failed: check --fleet-tls-ca'
  return isTimeout(error) ? `no response within ${connectMs / 1000} s` : 'the connection was refused'
}

/** Thrown for fleet flags that contradict each other. */
export class BadFleet extends SimError {
  constructor(message: string) {
    super('BAD_FLEET', message, { hint: 'Run chainstage start --help all for the fleet flags.' })
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
