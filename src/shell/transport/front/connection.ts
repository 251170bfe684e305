/** A connection whose requests the front serves, one after the other. */
import type { Socket } from 'node:net'
import { afterReading, ifStillSilent } from '../../afterReading.ts'
import { sendHeld } from '../../heldResponses.ts'
import type { HttpExchange } from '../httpExchange.ts'
import { refuseMalformed } from '../httpReply.ts'
import type { RequestHead } from './requestHead.ts'
import { FrontTurn } from './turn.ts'

/** A timeout of 0 ms never ends. */
export type FrontOptions = {
  readonly readHead: (bytes: Buffer) => RequestHead | undefined
  readonly listener: (exchange: HttpExchange) => void
  /** The longest time until the first request. */
  readonly headersTimeoutMs: number
  /** The longest time from the head of a request to the end of its body. */
  readonly requestTimeoutMs: number
  /** The longest time between two requests. */
  readonly keepAliveTimeoutMs: number
  /** Called when the connection is closed or handed over. */
  readonly onLeft: () => void
  /** Gives the connection to node:http. */
  readonly passOn: () => void
}

/** The connection is not read further while this many bytes of later requests wait, or more. */
const heldMost = 65_536

/** Serves the requests of a new connection until it sends an unusual one. */
export class FrontConnection {
  readonly #socket: Socket
  readonly #options: FrontOptions
  /** Bytes of later requests. */
  #held: Buffer | undefined
  #turn: FrontTurn | undefined
  #isRunning = false
  #isFirst = true
  #bodyTimer: NodeJS.Timeout | undefined

  constructor(socket: Socket, options: FrontOptions) {
    this.#socket = socket
    this.#options = options
    for (const [name, act] of this.#listeners) socket.on(name, act)
    socket.on('close', this.#left)
    socket.setTimeout(options.headersTimeoutMs)
  }

  /** Closes the connection, or, if `onlyIdle`, only without a request in progress. */
  destroy(onlyIdle: boolean): void {
    if (onlyIdle && this.#turn !== undefined) return
    sendHeld()
    this.#socket.destroy()
  }

  readonly #onData = (bytes: Buffer): void => {
    const turn = this.#turn
    if (turn === undefined || turn.missing === 0) {
      this.#held = this.#held === undefined ? bytes : Buffer.concat([this.#held, bytes])
    } else {
      this.#held = turn.feed(bytes)
      if (turn.missing > 0) return
      clearTimeout(this.#bodyTimer)
      this.#turnMayBeOver()
    }
    this.#run()
  }

  /** Serves the held requests until one of them has to wait. */
  #run(): void {
    if (this.#isRunning) return
    this.#isRunning = true
    while (this.#turn === undefined && this.#held !== undefined && !this.#isBehind()) this.#begin(this.#held)
    this.#isRunning = false
    if (this.#held !== undefined && this.#held.length >= heldMost) this.#socket.pause()
  }

  /** Returns whether the client reads more slowly than it sends; its requests then wait. */
  #isBehind(): boolean {
    if (!this.#socket.writableNeedDrain) return false
    this.#socket.pause()
    return true
  }

  #begin(bytes: Buffer): void {
    const { readHead, requestTimeoutMs, listener } = this.#options
    const head = readHead(bytes)
    if (head === undefined) return this.#handOver(bytes)
    const end = head.headBytes + head.bodyBytes
    this.#held = bytes.length > end ? bytes.subarray(end) : undefined
    const turn = new FrontTurn(this.#socket, head, bytes, this.#turnEnds)
    this.#turn = turn
    if (bytes.length < end && requestTimeoutMs > 0) {
      this.#bodyTimer = setTimeout(this.#onBodyTimeout, requestTimeoutMs, turn)
    }
    listener(turn.exchange)
  }

  readonly #turnMayBeOver = (): void => {
    const turn = this.#turn
    if (turn === undefined || turn.missing > 0 || !turn.isAnswered) return
    this.#turn = undefined
    if (this.#isFirst) {
      this.#isFirst = false
      this.#socket.setTimeout(this.#options.keepAliveTimeoutMs)
    }
    if (this.#isRunning || this.#held === undefined) return
    if (this.#socket.isPaused()) this.#socket.resume()
    this.#run()
  }

  /** Gives the connection to node:http, which reads these bytes before all others. */
  readonly #handOver = (bytes: Buffer): void => {
    const held = this.#held
    this.#held = undefined
    this.#turn = undefined
    sendHeld()
    this.#detach()
    this.#left()
    this.#socket.pause()
    this.#socket.unshift(held === undefined || held === bytes ? bytes : Buffer.concat([bytes, held]))
    this.#options.passOn()
    this.#socket.resume()
  }

  readonly #onDrain = (): void => {
    if (this.#held === undefined || this.#turn === undefined) this.#socket.resume()
    this.#run()
  }

  readonly #onTimeout = (): void => {
    ifStillSilent(this.#socket, () => {
      if (this.#turn !== undefined) return
      if (this.#isFirst) this.#refuse('ERR_HTTP_REQUEST_TIMEOUT')
      else this.#socket.destroy()
    })
  }

  readonly #onBodyTimeout = (turn: FrontTurn): void => {
    afterReading(() => {
      if (this.#turn === turn && turn.missing > 0) this.#refuse('ERR_HTTP_REQUEST_TIMEOUT')
    })
  }

  /** The client sends nothing more; like node:http, the front then ends the connection. */
  readonly #onEnd = (): void => {
    if (this.#turn !== undefined && this.#turn.missing > 0) this.#refuse('HPE_INVALID_EOF_STATE')
    else this.#socket.end()
  }

  /** Answers an incomplete request as node:http does, and closes the connection. */
  #refuse(code: string): void {
    this.#detach()
    this.#socket.on('error', this.#onError)
    this.#socket.resume()
    refuseMalformed(Object.assign(new Error('the request is incomplete'), { code }), this.#socket)
  }

  readonly #onError = (): void => {
    this.#socket.destroy()
  }

  #detach(): void {
    clearTimeout(this.#bodyTimer)
    this.#socket.setTimeout(0)
    for (const [name, act] of this.#listeners) this.#socket.off(name, act)
  }

  readonly #left = (): void => {
    clearTimeout(this.#bodyTimer)
    this.#socket.off('close', this.#left)
    this.#options.onLeft()
  }

  readonly #turnEnds = {
    over: this.#turnMayBeOver,
    handOver: this.#handOver,
    keepAliveTimeoutMs: () => this.#options.keepAliveTimeoutMs,
  }

  readonly #listeners = [
    ['data', this.#onData],
    ['drain', this.#onDrain],
    ['timeout', this.#onTimeout],
    ['end', this.#onEnd],
    ['error', this.#onError],
  ] as const
}
