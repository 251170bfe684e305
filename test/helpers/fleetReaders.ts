/** Readers of a fleet at a fixed pace, and the processor time that they cost. */
import { setTimeout as delay } from 'node:timers/promises'
import { cpuMicros } from '../bench/load.ts'
import { eth, subscribe, transfer } from './fleetLoad.ts'
import type { Member } from './nats.ts'

export type Round = {
  /** Milliseconds of processor time that each of `watched` has used. */
  readonly usedMs: readonly number[]
  readonly reads: number
  readonly heads: number
}

export type RoundOptions = {
  /** Members that serve writes and readers in turn. */
  readonly members: readonly Member[]
  readonly readers: number
  /** Transfers, one each `everyMs`. */
  readonly writes: number
  readonly everyMs: number
  readonly watched: readonly number[]
}

/** Time between two reads of a reader. */
const readEveryMs = 50

/** Sends transfers at a fixed pace beside readers, each of which polls and follows new heads. */
export async function readersRound(options: RoundOptions): Promise<Round> {
  const { members, readers, writes, everyMs, watched } = options
  const memberAt = (at: number) => members[at % members.length] as Member
  let isOver = false
  let reads = 0
  const listening = Array.from({ length: readers }, (_, at) => subscribe(memberAt(at)))
  const reading = listening.map(async (_, at) => {
    for (; !isOver; reads += 1) {
      await Promise.all([eth(memberAt(at).eth, 'eth_getBlockByNumber', ['latest', true]), delay(readEveryMs)])
    }
  })
  // Connections are opened before the time that counts.
  await delay(200)
  const before = watched.map(cpuMicros)
  for (let sent = 0; sent < writes; sent += 1) {
    await Promise.all([transfer(memberAt(sent).eth, sent % 5), delay(everyMs)])
  }
  const usedMs = watched.map((pid, at) => (cpuMicros(pid) - (before[at] ?? 0)) / 1000)
  isOver = true
  await Promise.all(reading)
  const heads = listening.reduce((sum, one) => sum + one.heads(), 0)
  for (const one of listening) one.stop()
  return { usedMs, reads, heads }
}
