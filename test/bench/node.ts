/** A server in a process of its own, and calls to it over kept connections. */
import { spawn, type ChildProcess } from 'node:child_process'
import http from 'node:http'
import { performance } from 'node:perf_hooks'
import { fileURLToPath } from 'node:url'

const main = fileURLToPath(new URL('../../program/main.js', import.meta.url))
const agent = new http.Agent({ keepAlive: true, maxSockets: 64 })

export type Node = {
  readonly url: string
  readonly process: ChildProcess
  readonly stop: () => void
}

/** Starts the command line with one interface on a free port and waits until it listens. */
export async function startNode(flags: readonly string[]): Promise<Node> {
  const child = spawn(
    process.execPath,
    [main, 'start', '--no-watch', '--json-rpc.ws-address', '', '--api.address', '', '--grpc.address', '', ...flags],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  )
  let text = ''
  const url = await new Promise<string>((done, fail) => {
    child.stdout.on('data', (part: Buffer) => {
      text += String(part)
      const found = /Listening on (http:\S+)/.exec(text)?.[1]
      if (found !== undefined) done(found)
    })
    child.once('exit', (code) => fail(new Error(`the server ended with ${code}`)))
  })
  return {
    url,
    process: child,
    stop: () => {
      child.kill('SIGTERM')
      agent.destroy()
    },
  }
}

/** Returns the result of a call; throws its error. */
export async function ask(url: string, method: string, ...params: readonly unknown[]): Promise<unknown> {
  return resultOf(method, (await post(url, { jsonrpc: '2.0', id: 1, method, params })) as Answer)
}

/** Returns the results of calls that go as one batch; throws the first error. */
export async function askAll(url: string, calls: readonly (readonly [string, ...unknown[]])[]): Promise<unknown[]> {
  const batch = calls.map(([method, ...params], id) => ({ jsonrpc: '2.0', id, method, params }))
  const answers = (await post(url, batch)) as readonly Answer[]
  return answers.map((answer, index) => resultOf(calls[index]?.[0] ?? '', answer))
}

type Answer = { readonly result?: unknown; readonly error?: { readonly message: string } }

function resultOf(method: string, { result, error }: Answer): unknown {
  if (error !== undefined) throw new Error(`${method}: ${error.message}`)
  return result
}

function post(url: string, content: unknown): Promise<unknown> {
  const body = JSON.stringify(content)
  const headers = {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
  }
  return new Promise((done, fail) => {
    const request = http.request(url, { method: 'POST', agent, headers }, (response) => {
      const parts: Buffer[] = []
      response.on('data', (part: Buffer) => parts.push(part))
      response.on('end', () => done(JSON.parse(Buffer.concat(parts).toString())))
    })
    request.on('error', fail)
    request.end(body)
  })
}

/** Returns calls a second, `clients` at a time. */
export async function rate(count: number, clients: number, call: (index: number) => Promise<unknown>): Promise<number> {
  let next = 0
  const started = performance.now()
  await Promise.all(
    Array.from({ length: clients }, async () => {
      for (let index = next++; index < count; index = next++) await call(index)
    }),
  )
  return Math.round(count / ((performance.now() - started) / 1000))
}
