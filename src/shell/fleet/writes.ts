/**
 * Writes of a member's clients, from the request until the member's copy has applied them. They are
 * sent to the leader, again if a message was lost, and fail after a time limit.
 */
import { performance } from 'node:perf_hooks'
import type { InputBody } from '../../plan/input.ts'
import type { OnReply } from '../queue.ts'
import type { Operated } from '../ports.ts'
import type { Claimed } from './copy.ts'
import type { CallId } from './entry.ts'

/** A write. `atMs` is the earliest simulation time that the leader may stamp on it. */
export type Call = { readonly call: number; readonly body: InputBody; readonly atMs?: bigint | undefined }

type Writer = {
  readonly onReply: OnReply | undefined
  /** Called with the result of the write; with undefined after it has failed. */
  readonly settled: (operated: Operated | undefined) => void
  readonly atMs?: bigint | undefined
}

export type Writes = {
  readonly add: (body: InputBody, writer: Writer) => void
  /** Removes and returns the open write of a call; undefined if it is not one of this member's. */
  readonly claim: (from: CallId) => Claimed | undefined
  /** Sends all open writes to a new leader. None of them is in the log before its first entry. */
  readonly sendAll: () => void
  readonly size: () => number
  readonly stop: () => void
}

export type WritesOptions = {
  readonly self: string
  /** Sends calls to the leader; does nothing without a leader. */
  readonly send: (calls: readonly Call[]) => void
  /** Responds to a client whose write has failed. */
  readonly fail: (body: InputBody, why: string, onReply: OnReply | undefined) => void
}

type Open = Writer & { readonly body: InputBody; readonly since: number; sentAt: number }

const giveUpMs = 5000
const againMs = 1000
const openMost = 20_000

/** Returns the writes of one chain. */
export function createWrites({ self, send, fail }: WritesOptions): Writes {
  const open = new Map<number, Open>()
  let outgoing: Call[] = []
  let count = 0
  const flush = () => {
    const calls = outgoing
    outgoing = []
    if (calls.length > 0) send(calls)
  }
  const put = (call: number, one: Open) => {
    one.sentAt = performance.now()
    if (outgoing.length === 0) setImmediate(flush)
    outgoing.push({ call, body: one.body, ...(one.atMs === undefined ? {} : { atMs: one.atMs }) })
  }
  const turn = () => {
    const now = performance.now()
    for (const [call, one] of open) {
      if (now - one.since > giveUpMs) {
        open.delete(call)
        fail(one.body, tooLate, one.onReply)
        one.settled(undefined)
      } else if (now - one.sentAt > againMs) put(call, one)
    }
  }
  const timer = setInterval(turn, 100)
  return {
    add: (body, writer) => {
      if (open.size >= openMost) {
        fail(body, `${openMost} writes are already waiting for the leader: send fewer at a time`, writer.onReply)
        return writer.settled(undefined)
      }
      const now = performance.now()
      const one: Open = { ...writer, body, since: now, sentAt: now }
      count += 1
      open.set(count, one)
      put(count, one)
    },
    claim: ({ member, call }) => {
      const one = member === self ? open.get(call) : undefined
      if (one === undefined) return undefined
      open.delete(call)
      return one
    },
    sendAll: () => {
      outgoing = []
      for (const [call, one] of open) put(call, one)
    },
    size: () => open.size,
    stop: () => {
      clearInterval(timer)
      for (const { body, onReply, settled } of open.values()) {
        fail(body, ended, onReply)
        settled(undefined)
      }
      open.clear()
    },
  }
}

const ended = 'this member closed the chain before the leader confirmed this write. The write may still take effect.'

const tooLate =
  `no leader of the fleet confirmed this write within ${giveUpMs / 1000} s. ` +
  'It may still take effect: check before you send it again.'
