/**
 * Plays recorded cases on a server whose simulation time the player moves itself: what took a real
 * node a minute takes a second here, and every run is the same.
 */
import { readFileSync } from 'node:fs'
import { grpcCall, sortLists } from './grpc.ts'
import { dig, Num, plain, write, type Json } from './json.ts'
import { encodeTree } from './proto.ts'
import { resolve, Symbols } from './symbols.ts'
import { exchange, rawExchange, Socket, type Answer } from './wire.ts'

/** `advance` moves simulation time by some milliseconds and resolves when all of it has happened. */
export type Target = {
  readonly a: string
  readonly aWs: string
  readonly b: string
  readonly bWs: string
  readonly c: string
  /** HOST:PORT of gRPC. */
  readonly g: string
  readonly advance: (ms: number) => Promise<void>
  /** Whether a reply waits for what time brings; without it, whatever is late does. */
  readonly owes?: () => boolean
  /** What the recorded node was called, where an answer repeats it. */
  readonly host?: string
}

export type Case = {
  readonly name: string
  readonly interface: 'a' | 'b' | 'c' | 'g'
  /** Absent where `method` is called by gRPC. */
  readonly via?: string
  readonly method?: string
  /** The node answers in random order. */
  readonly unordered?: boolean
  readonly request: unknown
  readonly path?: string
  readonly headers?: Record<string, string | null>
  readonly capture?: Record<string, string>
  readonly slow?: boolean
  readonly within?: number
  readonly tolerate?: readonly { readonly path: string; readonly why: string }[]
}

type SessionTx = { bytes: string; cometHash: string; raw?: string; ethHash?: string }
type Session = { steps: [string, string][][]; txs: Record<string, SessionTx>; constants: Record<string, string> }
type Play = { fresh?: boolean; submit?: [string, string][]; included?: string[]; pause?: number }
type Step = {
  send?: unknown
  binary?: unknown
  ping?: string
  pause?: number
  play?: Play
  expect?: number
  within?: number
  unordered?: boolean
  capture?: Record<string, string>
  closed?: number
  code?: boolean
}

const folder = new URL('../../../test/golden/', import.meta.url)
const jsonType = { 'content-type': 'application/json' }
const stepMs = 250

/** Returns a file of this folder, parsed. */
export function readData(path: string): unknown {
  return JSON.parse(readFileSync(new URL(path, folder), 'utf8'))
}

/** The recorded session, and the further transactions that cases of the REST API send. */
function sessionOf(): Session {
  const session = readData('session.json') as Session
  const { txs } = readData('session-c.json') as Pick<Session, 'txs'>
  return { ...session, txs: { ...session.txs, ...txs } }
}

export class Player {
  readonly symbols = new Symbols()
  readonly #target: Target
  readonly #session = sessionOf()

  constructor(target: Target) {
    this.#target = target
    for (const [name, value] of Object.entries(this.#session.constants)) this.symbols.set(name, value)
    for (const [name, tx] of Object.entries(this.#session.txs)) this.#nameTx(name, tx)
  }

  #nameTx(name: string, tx: SessionTx): void {
    if (tx.raw !== undefined) this.symbols.set(`raw:${name}`, tx.raw)
    if (tx.ethHash !== undefined) this.symbols.set(`ethHash:${name}`, tx.ethHash)
    this.symbols.set(`b64:${name}`, tx.bytes)
    this.symbols.set(`cometHash:${name}`, tx.cometHash)
    this.symbols.set(`cometHash0x:${name}`, `0x${tx.cometHash}`)
    this.symbols.set(`cometHashB64:${name}`, Buffer.from(tx.cometHash, 'hex').toString('base64'))
  }

  /** Resolves when there are blocks to ask for. */
  async started(): Promise<void> {
    await this.#untilHeight(3)
  }

  /** Resolves when what was sent before has settled and the latest block is empty again. */
  async quiet(): Promise<void> {
    await this.#untilHeight((await this.#head()) + 2)
  }

  /** Sends every transaction of the session, each step in a block of its own; returns refusals. */
  async playSession(): Promise<string[]> {
    const refused: string[] = []
    await this.#untilHeight(6)
    for (const step of this.#session.steps) {
      await this.#freshBlock()
      const commits: Promise<unknown>[] = []
      const sent: string[] = []
      for (const [name, via] of step) {
        const pending = this.#submit(name, via)
        if (via === 'a-commit') {
          commits.push(this.#patiently(pending))
          sent.push(name)
          continue
        }
        const body = plain((await pending).get('body')) as { error?: unknown; result?: { code?: number } } | null
        if (body?.error !== undefined || (body?.result?.code ?? 0) !== 0)
          refused.push(`${name}: ${JSON.stringify(body)}`)
        else sent.push(name)
      }
      for (const name of sent) await this.#included(name).catch((error: Error) => refused.push(error.message))
      await Promise.all(commits)
    }
    return refused
  }

  /** Returns the answers of the cases of one file by name. Slow cases run beside the others. */
  async playCases(cases: readonly Case[]): Promise<Map<string, Answer>> {
    const answers = new Map<string, Answer>()
    const background = cases
      .filter((one) => one.slow === true)
      .map(async (one) => {
        answers.set(one.name, await this.#playCase(one))
      })
    for (const one of cases) {
      if (one.slow === true) continue
      const answer = await this.#playCase(one)
      answers.set(one.name, answer)
      this.#capture(one.capture, answer.get('body'))
    }
    await Promise.all(background)
    return answers
  }

  async #playCase(one: Case): Promise<Answer> {
    try {
      return await this.#play(one)
    } catch (error) {
      return new Map([['error', `player: ${error instanceof Error ? error.message : String(error)}`]])
    }
  }

  async #play(one: Case): Promise<Answer> {
    if (one.via === 'ws') return this.#script(one)
    const request = resolve(one.request, this.symbols)
    if (one.via === 'play') return new Map([['body', await this.#playTxs(request as Play)]])
    if (one.interface === 'g') return this.#callGrpc(one, encodeTree(request))
    const url = this.#target[one.interface]
    const isRest = one.interface === 'c'
    if (one.via === 'raw') {
      const withinMs = Math.min(one.within ?? 1500, 300)
      return rawExchange(url, bodyOf(request), { withinMs, isRest })
    }
    const { host } = this.#target
    const given = resolve(one.headers ?? {}, this.symbols) as Record<string, string | null>
    const headers = headersOf({ ...(host && { host }), ...(one.via === 'post' ? jsonType : {}), ...given })
    if (one.via === 'post') {
      const path = resolve(one.path ?? '/', this.symbols) as string
      return this.#patiently(exchange(url + path, { method: 'POST', headers, body: bodyOf(request), isRest }))
    }
    const path = encodeURI(String(request)).replaceAll('%25', '%')
    return this.#patiently(
      exchange(url + path, { method: (one.via ?? 'get').toUpperCase(), headers, body: undefined, isRest }),
    )
  }

  async #callGrpc({ method = '', headers = {}, unordered = false }: Case, message: Buffer): Promise<Answer> {
    const answer = await this.#patiently(
      grpcCall(this.#target.g, method, {
        message,
        headers: headersOf(resolve(headers, this.symbols) as Record<string, string | null>),
      }),
    )
    if (unordered) sortLists(answer.get('body'))
    return answer
  }

  /** Lets simulation time pass while an answer is outstanding. */
  async #patiently<Value>(pending: Promise<Value>): Promise<Value> {
    let done = false
    const finished = pending.finally(() => {
      done = true
    })
    await Promise.race([finished, pause(60)])
    // A busy machine is late as well, and must not be given time that the recorded node had not.
    const mayBeBusy = () => this.#target.owes?.() === false
    for (let tries = 0; !done && mayBeBusy() && tries < 400; tries++) {
      await Promise.race([finished, pause(5)])
    }
    for (let waited = 0; !done && waited < 90_000; waited += stepMs) {
      await this.#target.advance(stepMs)
      await Promise.race([finished, pause(5)])
    }
    return finished
  }

  #capture(names: Record<string, string> | undefined, value: Json | undefined): void {
    for (const [name, where] of Object.entries(names ?? {})) {
      const found = dig(value, where)
      if (found === undefined || found === null) continue
      this.symbols.set(name, found instanceof Num ? found.raw : String(found))
    }
  }

  async #playTxs(request: Play): Promise<Json> {
    if (request.fresh === true) await this.#freshBlock()
    const bodies: Json[] = []
    for (const [name, via] of request.submit ?? []) {
      bodies.push((await this.#patiently(this.#submit(name, via))).get('body') ?? null)
    }
    for (const name of request.included ?? []) await this.#included(name)
    if (request.pause !== undefined) await this.#target.advance(request.pause)
    return bodies
  }

  async #script(one: Case): Promise<Answer> {
    const url = (one.interface === 'a' ? this.#target.aWs : this.#target.bWs) + (one.path ?? '')
    const socket = await Socket.open(url, headersOf(one.headers ?? {}))
    if (!(socket instanceof Socket)) return socket
    const seen: Json[] = []
    try {
      for (const step of one.request as Step[]) seen.push(...(await this.#scriptStep(socket, step)))
    } finally {
      socket.close()
    }
    return new Map([['body', seen]])
  }

  async #scriptStep(socket: Socket, step: Step): Promise<Json[]> {
    if ('send' in step) socket.send(bodyOf(resolve(step.send, this.symbols)))
    if ('binary' in step) socket.send(Buffer.from(bodyOf(resolve(step.binary, this.symbols))))
    if (step.ping !== undefined) socket.ping(step.ping)
    if (step.pause !== undefined) await this.#target.advance(step.pause)
    if (step.play !== undefined) await this.#playTxs(resolve(step.play, this.symbols) as Play)
    if (step.expect !== undefined) {
      const got = await this.#take(socket, step.expect, step.within ?? 3000)
      if (step.unordered === true) got.sort((x, y) => (shapeOf(x) < shapeOf(y) ? -1 : 1))
      this.#capture(step.capture, got)
      return [got]
    }
    if (step.closed === undefined) return []
    await this.#until(() => socket.closed !== undefined, step.closed)
    const { closed } = socket
    return [
      [
        closed === undefined
          ? 'still open'
          : step.code === false
            ? 'closed'
            : `closed ${closed.code} ${closed.reason}`.trim(),
      ],
    ]
  }

  async #take(socket: Socket, count: number, withinMs: number): Promise<Json[]> {
    await this.#until(() => socket.queue.length >= count || socket.closed !== undefined, withinMs)
    return socket.queue.splice(0, count)
  }

  /** Waits in simulation time, but gives what is on its way a moment of real time first. */
  async #until(holds: () => boolean, withinMs: number): Promise<void> {
    for (let real = 0; real < 4 && !holds(); real++) await pause(10)
    for (let waited = 0; !holds() && waited < withinMs; waited += stepMs) {
      await this.#target.advance(stepMs)
      await pause(5)
    }
  }

  async #submit(name: string, via: string): Promise<Answer> {
    const tx = this.#session.txs[name]
    if (tx === undefined) throw new Error(`no transaction ${name}`)
    if (via === 'b') return this.#post('b', 'eth_sendRawTransaction', [tx.raw])
    return this.#post('a', `broadcast_tx_${via.slice(2)}`, { tx: tx.bytes })
  }

  #post(side: 'a' | 'b', method: string, params: unknown): Promise<Answer> {
    const url = `${this.#target[side]}/`
    return exchange(url, {
      method: 'POST',
      headers: jsonType,
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    })
  }

  async #ask<Result>(side: 'a' | 'b', method: string, params: unknown): Promise<Result | undefined> {
    const body = plain((await this.#post(side, method, params)).get('body')) as { result?: Result } | undefined
    return body?.result
  }

  async #head(): Promise<number> {
    const status = await this.#ask<{ sync_info: { latest_block_height: string } }>('a', 'status', {})
    return Number(status?.sync_info.latest_block_height ?? 0)
  }

  async #untilHeight(height: number): Promise<void> {
    for (let tries = 0; tries < 200 && (await this.#head()) < height; tries++) await this.#target.advance(stepMs)
  }

  /** Returns right after a block was made, so that what is sent next shares the one after it. */
  async #freshBlock(): Promise<void> {
    await this.#untilHeight((await this.#head()) + 1)
  }

  async #included(name: string): Promise<void> {
    const hash = Buffer.from(this.#session.txs[name]?.cometHash ?? '', 'hex').toString('base64')
    for (let tries = 0; tries < 40; tries++) {
      const found = await this.#ask<{ height: string }>('a', 'tx', { hash })
      if (found !== undefined) return this.#nameBlock(name, Number(found.height))
      await this.#target.advance(stepMs)
    }
    throw new Error(`transaction ${name} was not included`)
  }

  async #nameBlock(name: string, height: number): Promise<void> {
    const comet = await this.#ask<{ block_id: { hash: string }; block: { header: { time: string } } }>('a', 'block', {
      height: String(height),
    })
    const eth = await this.#ask<{ baseFeePerGas?: string }>('b', 'eth_getBlockByNumber', [
      `0x${height.toString(16)}`,
      false,
    ])
    if (comet === undefined) throw new Error(`no block ${height}`)
    this.symbols.setBlock(name, {
      height,
      hash: comet.block_id.hash,
      time: comet.block.header.time,
      baseFee: eth?.baseFeePerGas,
    })
  }
}

function headersOf(headers: Record<string, string | null>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter((pair): pair is [string, string] => pair[1] !== null))
}

/** JSON, text as it is, `{"$hex": "…"}` for bytes, or `{"$text": [[piece, times]…]}` for big ones. */
function bodyOf(request: unknown): string | Buffer {
  if (typeof request === 'string') return request
  const hex = (request as { $hex?: string } | null)?.$hex
  if (hex !== undefined) return Buffer.from(hex, 'hex')
  const pieces = (request as { $text?: [string, number][] } | null)?.$text
  return pieces === undefined ? JSON.stringify(request) : pieces.map(([piece, times]) => piece.repeat(times)).join('')
}

function shapeOf(message: Json): string {
  return write(message).replace(/0x[0-9a-f]+|[0-9A-F]{40,}|\d+/g, '0')
}

function pause(ms: number): Promise<void> {
  return new Promise((done) => {
    setTimeout(done, ms)
  })
}
