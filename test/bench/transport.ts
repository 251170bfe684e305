/**
 * `npm run bench transport`: what HTTP itself costs. Two servers answer every POST with the same
 * bytes, one through node:http, one that takes requests apart by itself over node:net; neither has
 * a chain behind it. The difference is the most that a leaner transport could save per request.
 */
import { createServer } from 'node:http'
import { createServer as createSocketServer, type AddressInfo, type Server } from 'node:net'
import { once } from 'node:events'
import { performance } from 'node:perf_hooks'
import { fileURLToPath } from 'node:url'
import { fork, type ChildProcess } from 'node:child_process'
import type { Line } from './evm.ts'
import { callOf, load } from './load.ts'
import { median } from '../helpers/median.ts'

const [rounds, milliseconds, connections] = [5, 600, 16]
const answer = '{"jsonrpc":"2.0","id":1,"result":"0x1b4"}\n'
const kinds = ['node:http', 'node:net'] as const
type Kind = (typeof kinds)[number]

/** Returns processor time per request of each, measured by turns. */
export async function lines(): Promise<Line[]> {
  const servers = await Promise.all(kinds.map(started))
  try {
    const micros: number[][] = kinds.map(() => [])
    for (let round = 0; round <= rounds; round++) {
      for (const [index, { url, child }] of servers.entries()) {
        const requests = [callOf(url, 'eth_blockNumber', [])]
        const measured = await load({ url, pid: child.pid, requests, connections, milliseconds })
        if (round > 0) micros[index]?.push(measured.micros)
      }
    }
    return kinds.map((name, index) => {
      const value = median(micros[index] ?? []).toFixed(1)
      return { name: `an answer of ${answer.length} bytes by ${name}`, value, unit: 'µs' }
    })
  } finally {
    for (const { child } of servers) child.kill('SIGTERM')
  }
}

async function started(kind: Kind): Promise<{ readonly url: string; readonly child: ChildProcess }> {
  const child = fork(fileURLToPath(import.meta.url), [kind])
  const [port] = (await once(child, 'message')) as [number]
  return { url: `http://127.0.0.1:${port}`, child }
}

function byHttp(): Server {
  return createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      JSON.parse(Buffer.concat(parts).toString())
      response.removeHeader('Connection')
      response.writeHead(200, [
        ...['Content-Type', 'application/json', 'Vary', 'Origin'],
        ...['Date', httpDate(), 'Content-Length', String(answer.length)],
      ])
      response.end(answer)
    })
  })
}

/** Reads requests that come whole in one chunk, as those of the load do. */
function bySocket(): Server {
  return createSocketServer({ noDelay: true }, (socket) => {
    socket.on('data', (chunk) => {
      const text = chunk.toString('latin1')
      const end = text.indexOf('\r\n\r\n')
      const length = Number(/\r\ncontent-length: *(\d+)/i.exec(text)?.[1])
      if (!text.startsWith('POST / HTTP/1.1\r\n') || end + 4 + length !== chunk.length) return socket.destroy()
      JSON.parse(chunk.toString('utf8', end + 4))
      const head = `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nVary: Origin\r\nDate: ${httpDate()}\r\n`
      socket.write(`${head}Content-Length: ${answer.length}\r\n\r\n${answer}`, 'latin1')
      return undefined
    })
    socket.on('error', () => socket.destroy())
  })
}

let date = { atMs: Number.NEGATIVE_INFINITY, text: '' }

function httpDate(): string {
  const atMs = performance.now()
  if (atMs - date.atMs > 1000) date = { atMs, text: new Date().toUTCString() }
  return date.text
}

const [, , given] = process.argv
if (process.send !== undefined && kinds.some((kind) => kind === given)) {
  const server = given === 'node:http' ? byHttp() : bySocket()
  server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port))
}
