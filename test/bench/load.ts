/**
 * Many requests over kept connections, with so little work per answer that the server is what is
 * measured: requests are bytes made beforehand, answers are counted and not parsed.
 */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { performance } from 'node:perf_hooks'

/** `micros`: processor time of the server per request, NaN where the system does not tell. */
export type Measured = { readonly perSecond: number; readonly micros: number }

export type Load = {
  readonly url: string
  readonly pid: number | undefined
  /** Sent in turn; each connection waits for its answer. */
  readonly requests: readonly Buffer[]
  readonly connections: number
  readonly milliseconds: number
}

/** Returns a POST of JSON as bytes. */
export function postOf(url: string, content: unknown): Buffer {
  const body = JSON.stringify(content)
  const { host, pathname } = new URL(url)
  const length = Buffer.byteLength(body)
  const head = `POST ${pathname} HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json\r\nContent-Length: ${length}`
  return Buffer.from(`${head}\r\n\r\n${body}`)
}

/** Returns a call of JSON-RPC as bytes. */
export function callOf(url: string, method: string, params: unknown): Buffer {
  return postOf(url, { jsonrpc: '2.0', id: 1, method, params })
}

/** Returns a GET as bytes. */
export function getOf(url: string, path: string): Buffer {
  return Buffer.from(`GET ${path} HTTP/1.1\r\nHost: ${new URL(url).host}\r\n\r\n`)
}

/** Loads a server for a time. Throws if an answer is an error or a connection ends. */
export async function load({ url, pid, requests, connections, milliseconds }: Load): Promise<Measured> {
  const { hostname, port } = new URL(url)
  let answered = 0
  let next = 0
  const before = cpuMicros(pid)
  const started = performance.now()
  const until = started + milliseconds
  const one = () =>
    new Promise<void>((done, fail) => {
      const socket = connect({ host: hostname, port: Number(port), noDelay: true })
      const send = () => socket.write(requests[next++ % requests.length] ?? '')
      let missing = 0
      socket.once('connect', send)
      socket.once('error', fail)
      socket.on('data', (part) => {
        missing = missing === 0 ? missingOf(part) : missing - part.length
        if (missing > 0) return
        answered += 1
        if (performance.now() < until) return void send()
        socket.destroy()
        done()
      })
    })
  await Promise.all(Array.from({ length: connections }, one))
  const tookMs = performance.now() - started
  return { perSecond: answered / (tookMs / 1000), micros: (cpuMicros(pid) - before) / answered }
}

const ticksPerSecond = process.platform === 'linux' ? Number(execFileSync('getconf', ['CLK_TCK'])) : Number.NaN

/** Returns processor time of a process so far in microseconds, its kernel's included. */
export function cpuMicros(pid: number | undefined): number {
  if (process.platform !== 'linux' || pid === undefined) return Number.NaN
  const fields = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ')[1]?.split(' ') ?? []
  return ((Number(fields[11]) + Number(fields[12])) / ticksPerSecond) * 1e6
}

/** Returns how many bytes of an answer are still to come; its head is in the first part. */
function missingOf(part: Buffer): number {
  const end = part.indexOf('\r\n\r\n')
  const head = part.toString('latin1', 0, end)
  if (end < 0 || !head.startsWith('HTTP/1.1 200')) throw new Error(`not an answer: ${head.slice(0, 200)}`)
  const body = part.toString('latin1', end + 4, end + 60)
  if (body.includes('"error"')) throw new Error(`an error: ${part.toString('utf8', end + 4)}`)
  const length = /content-length: (\d+)/i.exec(head)?.[1]
  if (length === undefined) throw new Error(`an answer without a length: ${head}`)
  return end + 4 + Number(length) - part.length
}
