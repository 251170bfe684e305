/** Opens listeners: TCP on a host and port, or Unix sockets. */
import { Server as TlsServer } from 'node:tls'
import type { AddressInfo, Server } from 'node:net'
import { SimError } from '../../errors.ts'

/**
 * Makes a server listen and resolves with its URL. `where` is HOST:PORT, tcp://HOST:PORT or
 * unix://PATH. Throws `BadAddress`; rejects with `CannotListen`.
 */
export function listen(server: Server, where: string): Promise<string> {
  const unix = /^unix:\/\/(.+)$/.exec(where)?.[1]
  const { host, port } = unix === undefined ? hostAndPort(where) : { host: '', port: 0 }
  return new Promise((done, fail) => {
    server.once('error', (error: NodeJS.ErrnoException) => fail(new CannotListen(where, error)))
    const ready = () => {
      const address = server.address() as AddressInfo | string
      const scheme = server instanceof TlsServer ? 'https' : 'http'
      done(typeof address === 'string' ? `unix://${address}` : `${scheme}://${urlHost(host)}:${address.port}`)
    }
    if (unix === undefined) server.listen(port, host, ready)
    else server.listen(unix, ready)
  })
}

/** Returns the URL that `listen` would resolve with, or undefined for port 0. */
export function plannedUrl(where: string, scheme: 'http' | 'https'): string | undefined {
  if (where.startsWith('unix://')) return where
  const { host, port } = hostAndPort(where)
  return port === 0 ? undefined : `${scheme}://${urlHost(host)}:${port}`
}

function urlHost(host: string): string {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1'
  return host.includes(':') ? `[${host}]` : host
}

function hostAndPort(where: string): { host: string; port: number } {
  const match = /^(?:tcp:\/\/|http:\/\/)?(\[[^\]]+\]|[^:]*):(\d{1,5})$/.exec(where)
  const port = Number(match?.[2])
  if (match === null || port > 65_535) throw new BadAddress(where)
  const host = (match[1] ?? '').replace(/^\[(.*)\]$/, '$1')
  return { host: host === '' ? '127.0.0.1' : host, port }
}

/** An address is invalid. */
export class BadAddress extends SimError {
  constructor(where: string) {
    super('BAD_ADDRESS', `expected HOST:PORT, tcp://HOST:PORT or unix://PATH, received "${where}"`, {
      hint: 'Use an address like 127.0.0.1:8545. Port 0 chooses a free port.',
    })
  }
}

/** A listener could not be opened, usually because its port is in use. */
export class CannotListen extends SimError {
  constructor(where: string, cause: NodeJS.ErrnoException) {
    const isUnix = where.startsWith('unix://')
    const reasons: Record<string, string> = {
      EADDRINUSE: 'the address is already in use',
      // node also reports a missing folder of a Unix socket as EACCES.
      EACCES: isUnix ? 'permission denied, or no such folder' : 'permission denied',
      EADDRNOTAVAIL: 'this machine does not have this address',
      ENOTFOUND: 'no such host',
      EAI_AGAIN: 'no such host',
    }
    super('CANNOT_LISTEN', `cannot listen on ${where}: ${reasons[cause.code ?? ''] ?? cause.message}`, {
      cause,
      hint: isUnix ? unixHint : hintOf(cause.code ?? ''),
    })
  }
}

const unixHint = 'Use a path in a folder that you may write to. If no program listens on an existing socket, remove it.'

function hintOf(code: string): string {
  if (['EADDRNOTAVAIL', 'ENOTFOUND', 'EAI_AGAIN'].includes(code)) {
    return 'Use an address of this machine, like 127.0.0.1, or 0.0.0.0 for all of them.'
  }
  const start = code === 'EADDRINUSE' ? 'Stop the program that has it, or give each listener' : 'Choose'
  return `${start} another port: --rpc.laddr, --json-rpc.address, --json-rpc.ws-address, --api.address, --grpc.address, --control.`
}
