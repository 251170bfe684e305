/** One request on a connection of the front, from its head to its response. */
import { ServerResponse, STATUS_CODES, type IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { createBytePool } from '../../bytePool.ts'
import { holdResponse, sendHeld } from '../../heldResponses.ts'
import type { Headers } from '../cors.ts'
import type { IncomingHead, FrontExchange, Fronted } from '../httpExchange.ts'
import { httpDate } from '../httpReply.ts'
import type { RequestHead } from './requestHead.ts'

export type TurnEnds = {
  /** Called when the response has been sent. */
  readonly over: () => void
  /** Gives the connection to node:http with the bytes of this request. */
  readonly handOver: (bytes: Buffer) => void
  readonly keepAliveTimeoutMs: () => number
}

/** Responses from this size on are written from a pool of bytes. For a text, Node gets new memory each time. */
const pooledFromBytes = 4 * 1024
/** Larger responses are rare, and would keep much memory in the pool. */
const pooledMostBytes = 256 * 1024
const pool = createBytePool()

/** node:http refuses other headers, or sends them in another way. */
const ordinaryName = /^(?!connection$|keep-alive$|transfer-encoding$|trailer$|content-length$|date$)[-0-9a-z]+$/i
const ordinaryValue = /^[ -~]*$/

/** Properties of a response that the server of node:http sets and reads. */
type Internals = {
  /** The time in the header `Keep-Alive`, in milliseconds. */
  _keepAliveTimeout?: number
  /** Whether the connection ends with this response. */
  _last?: boolean
}

/** A request whose head is known; the rest of its body may follow later. */
export class FrontTurn implements Fronted {
  readonly exchange: FrontExchange
  readonly bodyBytes: number
  /** The number of bytes of the body that have not been received. */
  missing: number
  isAnswered = false
  readonly #socket: Socket
  readonly #head: RequestHead
  readonly #ends: TurnEnds
  readonly #request: IncomingHead
  /** The bytes of the request so far. */
  readonly #parts: Buffer[]
  #onWhole: ((body: Buffer) => void) | undefined
  #early: Map<string, string> | undefined
  #response: (ServerResponse & Internals) | undefined

  /** `first` starts with the head; bytes of later requests may follow this one. */
  constructor(socket: Socket, head: RequestHead, first: Buffer, ends: TurnEnds) {
    const { method, url, headers, headBytes, bodyBytes } = head
    const bytes = headBytes + bodyBytes
    this.#socket = socket
    this.#head = head
    this.#ends = ends
    this.#parts = [first.length > bytes ? first.subarray(0, bytes) : first]
    this.bodyBytes = bodyBytes
    this.missing = Math.max(bytes - first.length, 0)
    this.#request = { method, url, headers, socket, httpVersion: '1.1', httpVersionMajor: 1, httpVersionMinor: 1 }
    this.exchange = { request: this.#request, front: this }
  }

  /** Takes further bytes of the body; returns those that follow it. */
  feed(bytes: Buffer): Buffer | undefined {
    const own = bytes.length > this.missing ? bytes.subarray(0, this.missing) : bytes
    this.#parts.push(own)
    this.missing -= own.length
    if (this.missing === 0) this.#onWhole?.(this.#body())
    return own === bytes ? undefined : bytes.subarray(own.length)
  }

  onBody(done: (body: Buffer) => void): void {
    if (this.missing > 0) this.#onWhole = done
    else done(this.#body())
  }

  setHeader(name: string, value: string): void {
    this.#early ??= new Map()
    this.#early.set(name, value)
  }

  send(status: number, headers: Headers, body: string): boolean {
    if (this.isAnswered || !this.#socket.writable) return true
    if (this.#response !== undefined || status < 200 || status === 204 || status === 304) return false
    const start = this.#early === undefined ? startOf(status, headers) : newStart(status, headers, this.#early)
    if (start === undefined) return false
    const size = Buffer.byteLength(body)
    const head = `${start}${size}\r\n\r\n`
    this.#write(head, body, size)
    this.#over()
    return true
  }

  #write(head: string, body: string, size: number): void {
    const socket = this.#socket
    holdResponse(socket)
    const encoding = size === body.length ? 'latin1' : 'utf8'
    if (size < pooledFromBytes) return void socket.write(head + body, encoding)
    if (size <= pooledMostBytes) {
      const bytes = pool.take(head.length + size)
      bytes.write(head, 'latin1')
      bytes.write(body, head.length, encoding)
      return void socket.write(bytes.subarray(0, head.length + size), () => pool.give(bytes))
    }
    socket.write(head, 'latin1')
    socket.write(body, encoding)
  }

  response(): ServerResponse {
    // A fault may end the connection at once.
    sendHeld()
    this.#response ??= this.#createResponse()
    return this.#response
  }

  #createResponse(): ServerResponse {
    const socket = this.#socket
    const response: ServerResponse & Internals = new ServerResponse(this.#request as IncomingMessage)
    response._keepAliveTimeout = this.#ends.keepAliveTimeoutMs()
    for (const [name, value] of this.#early ?? []) response.setHeader(name, value)
    response.assignSocket(socket)
    response.on('finish', () => {
      response.detachSocket(socket)
      if (response._last === true) socket.destroySoon()
      this.#over()
    })
    return response
  }

  handOver(): void {
    this.#ends.handOver(this.#whole())
  }

  #over(): void {
    this.isAnswered = true
    this.#ends.over()
  }

  #body(): Buffer {
    return this.#whole().subarray(this.#head.headBytes)
  }

  #whole(): Buffer {
    const [first] = this.#parts
    return this.#parts.length === 1 && first !== undefined ? first : Buffer.concat(this.#parts)
  }
}

let last = { status: 0, headers: [] as Headers, date: '', start: '' as string | undefined }

/** Returns what `newStart` returns; most responses have the status and headers of the last one. */
function startOf(status: number, headers: Headers): string | undefined {
  const date = httpDate()
  if (headers !== last.headers || status !== last.status || date !== last.date) {
    last = { status, headers, date, start: newStart(status, headers, []) }
  }
  return last.start
}

/** Returns the head of a response up to the value of `Content-Length`; undefined if a header is not ordinary. */
function newStart(status: number, headers: Headers, early: Iterable<readonly [string, string]>): string | undefined {
  const before = linesOf(early)
  const lines = linesOf(headers)
  if (before === undefined || lines === undefined) return undefined
  const first = `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? 'unknown'}\r\n`
  return `${first}${before}${lines}Date: ${httpDate()}\r\nContent-Length: `
}

/** Returns headers as lines; undefined if one is not ordinary. */
function linesOf(headers: Iterable<readonly [string, string]>): string | undefined {
  let lines = ''
  for (const [name, value] of headers) {
    if (!ordinaryName.test(name) || !ordinaryValue.test(value)) return undefined
    lines += `${name}: ${value}\r\n`
  }
  return lines
}
