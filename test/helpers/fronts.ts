/** The same interfaces twice, with the front and without it, and what both do with the same bytes. */
import { once } from 'node:events'
import net, { type AddressInfo } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import { noPlan } from '../../src/plan/plan.ts'
import type { InputBody } from '../../src/plan/input.ts'
import { profileSettings } from '../../src/settings/profiles.ts'
import type { Settings } from '../../src/settings/settings.ts'
import type { Side } from '../../src/settings/side.ts'
import { createHttp } from '../../src/shell/http.ts'
import { run, type Running } from '../../src/shell/server.ts'
import { attachSockets } from '../../src/shell/ws.ts'

/** What came back, without dates, how the connection ended, and which inputs the requests became. */
export type Heard = { readonly text: string; readonly end: string; readonly entered: readonly InputBody[] }

/** An interface over HTTP/1.1. */
export type FrontSide = Exclude<Side, 'grpc'>

export type Fronts = AsyncDisposable & {
  readonly running: Running
  /**
   * Sends the pieces to both; then ends the connection, or waits for the server to do so, until it has
   * sent nothing for `keepMs`.
   */
  readonly heard: (
    side: FrontSide,
    pieces: readonly Buffer[],
    keepMs?: number,
  ) => Promise<{ front: Heard; plain: Heard }>
  readonly heardByFront: (side: FrontSide, pieces: readonly Buffer[], keepMs?: number) => Promise<Heard>
  /** Returns a connection to the interface with the front. */
  readonly open: (side: FrontSide) => net.Socket
  /** Returns the inputs that the interface with the front has entered. */
  readonly entered: (side: FrontSide) => readonly InputBody[]
}

type Door = { readonly port: number; readonly entered: InputBody[]; readonly close: () => void }

/** Starts a chain without listeners, and the interfaces twice before it. */
export async function startFronts(given: Partial<Settings> = {}): Promise<Fronts> {
  const nowhere = {
    rpcLaddr: '',
    ethAddress: '',
    ethWsAddress: '',
    apiAddress: '',
    grpcAddress: '',
    controlAddress: '',
  }
  const settings = { ...profileSettings('local'), ...nowhere, prometheusAddress: '', ...given }
  const quiet = () => {}
  const running = await run({ settings, plan: noPlan, genesis: undefined, home: undefined, log: quiet, record: quiet })
  const doors = {
    eth: { front: await doorOf(running, 'eth', true), plain: await doorOf(running, 'eth', false) },
    comet: { front: await doorOf(running, 'comet', true), plain: await doorOf(running, 'comet', false) },
    rest: { front: await doorOf(running, 'rest', true), plain: await doorOf(running, 'rest', false) },
  }
  return {
    running,
    heard: async (side, pieces, keepMs) => {
      const [front, plain] = await Promise.all([
        heardBy(doors[side].front, pieces, keepMs),
        heardBy(doors[side].plain, pieces, keepMs),
      ])
      return { front, plain }
    },
    heardByFront: (side, pieces, keepMs) => heardBy(doors[side].front, pieces, keepMs),
    open: (side) => net.connect(doors[side].front.port, '127.0.0.1'),
    entered: (side) => doors[side].front.entered,
    [Symbol.asyncDispose]: async () => {
      for (const { front, plain } of Object.values(doors)) {
        front.close()
        plain.close()
      }
      await running.close()
    },
  }
}

async function doorOf({ main, sessions, settings }: Running, side: FrontSide, hasFront: boolean): Promise<Door> {
  const entered: InputBody[] = []
  const queue = {
    ...main.queue,
    enter: (...[body, onReply]: Parameters<typeof main.queue.enter>) => {
      entered.push(body)
      main.queue.enter(body, onReply)
    },
  }
  const options = {
    ...{ side, queue, sessions, hasFront },
    ...{ serves: 'all' as const, settings: () => settings, wallSeconds: () => 1, log: () => {}, tellsGeneration: true },
  }
  const server = createHttp(options)
  attachSockets(server, options, main.sockets)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const close = () => {
    server.close()
    server.closeAllConnections()
  }
  return { port: (server.address() as AddressInfo).port, entered, close }
}

async function heardBy({ port, entered }: Door, pieces: readonly Buffer[], keepMs?: number): Promise<Heard> {
  const socket = net.connect({ port, host: '127.0.0.1', noDelay: true, allowHalfOpen: true })
  const parts: Buffer[] = []
  let end = 'closed'
  let timer: NodeJS.Timeout | undefined
  socket.on('data', (part) => {
    parts.push(part)
    timer?.refresh()
  })
  socket.on('end', () => socket.end())
  socket.on('error', (error: NodeJS.ErrnoException) => {
    end = String(error.code)
  })
  const closed = once(socket, 'close').catch(() => {})
  await once(socket, 'connect').catch(() => {})
  for (const piece of pieces) {
    if (socket.writable) socket.write(piece)
    // Both ends are in this process: after some rounds of its loop the piece has been read and answered.
    for (let round = 0; round < 6; round++) await setImmediate()
  }
  if (keepMs === undefined) socket.end()
  timer = setTimeout(() => {
    end = 'open'
    socket.destroy()
  }, keepMs ?? 10_000)
  await closed
  clearTimeout(timer)
  const text = Buffer.concat(parts)
    .toString('latin1')
    .replaceAll(/^date: .*$/gim, 'Date: …')
  return { text, end, entered: entered.splice(0) }
}
