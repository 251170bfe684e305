/** Clients of a fleet while its members come and go: writers, subscribers, and what they saw. */
import { setTimeout as delay } from 'node:timers/promises'
import WebSocket from 'ws'
import { agreement, startMember, statusOf, type Member } from './nats.ts'
import { post } from './raw.ts'
import { startRunningClock, type RunningClock } from './runningClock.ts'

type Answer<Result> = { readonly result?: Result; readonly error?: { readonly message: string } }

/** Resolves with the result of a call of Ethereum JSON-RPC. Throws what was answered instead. */
export async function eth<Result = string>(url: string, method: string, params: unknown = []): Promise<Result> {
  const answer = (await post(url, { jsonrpc: '2.0', id: 1, method, params })) as Answer<Result>
  if (answer.error !== undefined) throw new Error(answer.error.message)
  return answer.result as Result
}

/** Resolves with the hash of a transfer that the node signs for the account of a number. */
export async function transfer(url: string, account: number): Promise<string> {
  const accounts = await eth<readonly string[]>(url, 'eth_accounts')
  return eth(url, 'eth_sendTransaction', [{ from: accounts[account], to: accounts[0], value: '0x1' }])
}

type Writers = {
  /** Hashes that were answered, and when by the given clock. */
  readonly acknowledged: readonly { readonly hash: string; readonly atMs: number }[]
  readonly failed: () => number
  readonly stop: () => Promise<void>
}

/** `pauseMs` passes between an answer and the next transaction of an account. */
type WriterOptions = { readonly count: number; readonly pauseMs: number }

/** Begins to send, from so many accounts at a time, to whichever members there are. */
function startWriters(members: () => readonly Member[], options: WriterOptions, clock: RunningClock): Writers {
  const acknowledged: { hash: string; atMs: number }[] = []
  let failed = 0
  let isStopped = false
  const write = async (account: number) => {
    for (let turn = account; !isStopped; turn += 1) {
      const there = members()
      const member = there[turn % there.length]
      try {
        if (member === undefined) await delay(20)
        else acknowledged.push({ hash: await transfer(member.eth, account), atMs: clock.nowMs() })
        await delay(options.pauseMs)
      } catch {
        failed += 1
        await delay(20)
      }
    }
  }
  const all = Array.from({ length: options.count }, (_, account) => write(account))
  return {
    acknowledged,
    failed: () => failed,
    stop: async () => {
      isStopped = true
      await Promise.all(all)
    },
  }
}

export type Subscriber = {
  /** What is wrong with the heads so far; undefined where each follows the one before it. */
  readonly gap: () => string | undefined
  readonly heads: () => number
  readonly stop: () => void
}

/** Listens to new heads of one member as long as it lives. */
export function subscribe(member: Member): Subscriber {
  const socket = new WebSocket(member.ethWs)
  const numbers: number[] = []
  let wrong: string | undefined
  let parent: string | undefined
  socket.on('error', () => {})
  socket.on('open', () => {
    socket.send(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_subscribe', params: ['newHeads'] }))
  })
  socket.on('message', (data) => {
    const { params } = JSON.parse(String(data)) as {
      params?: { result: { number: string; hash: string; parentHash: string } }
    }
    if (params === undefined) return
    const { number, hash, parentHash } = params.result
    const before = numbers.at(-1)
    if (before !== undefined && Number(number) !== before + 1) wrong ??= `${Number(number)} after ${before}`
    if (parent !== undefined && parentHash !== parent) wrong ??= `head ${Number(number)} has another parent`
    parent = hash
    numbers.push(Number(number))
  })
  return { gap: () => wrong, heads: () => numbers.length, stop: () => socket.terminate() }
}

export type Takeovers = {
  readonly acknowledged: number
  readonly failed: number
  readonly missing: readonly string[]
  readonly gaps: readonly string[]
  readonly heads: number
  /**
   * From the end of a leader to the next transaction that was answered, in milliseconds for which
   * this process ran.
   */
  readonly pausesMs: readonly number[]
  /** Milliseconds for which the machine did not run this process. */
  readonly lostMs: number
  /** Number and digest that all members came to. */
  readonly agreed: string
}

export type TakeoverOptions = {
  readonly url: string
  readonly name: string
  readonly takeovers: number
  readonly subscribers: number
  readonly writers: WriterOptions
  readonly words?: readonly string[]
}

/** Kills the leader of three members so many times while they are used, each time at another moment. */
export async function runTakeovers(options: TakeoverOptions): Promise<Takeovers> {
  const { url, name, takeovers, subscribers, words = [] } = options
  let members: Member[] = await Promise.all([1, 2, 3].map(() => startMember(url, name, words)))
  const clock = startRunningClock()
  const writers = startWriters(() => members, options.writers, clock)
  const listening = new Map<Member, Subscriber[]>()
  const over: Subscriber[] = []
  const listen = () => {
    for (const member of members) {
      const own = listening.get(member) ?? []
      while (own.length < Math.ceil(subscribers / members.length)) own.push(subscribe(member))
      listening.set(member, own)
    }
  }
  listen()
  const pausesMs: number[] = []
  for (let turn = 0; turn < takeovers; turn += 1) {
    await delay(Math.random() * 1500)
    const leader = await leaderOf(url, name)
    const killed = members.find(({ pid }) => pid === leader)
    if (killed === undefined) throw new Error(`nobody of these leads: ${leader}`)
    members = members.filter((member) => member !== killed)
    await killed.kill()
    const at = clock.nowMs()
    over.push(...(listening.get(killed) ?? []))
    listening.delete(killed)
    pausesMs.push(await nextAnswer(writers, clock, at))
    members.push(await startMember(url, name, words))
    listen()
  }
  await delay(500)
  await writers.stop()
  clock.stop()
  const agreed = await agreement(url, name, 3)
  await delay(300)
  const all = [...over, ...[...listening.values()].flat()]
  const missing = await missingOn(
    members,
    writers.acknowledged.map(({ hash }) => hash),
  )
  for (const one of all) one.stop()
  await Promise.all(members.map((member) => member.stop()))
  return {
    acknowledged: writers.acknowledged.length,
    failed: writers.failed(),
    missing,
    gaps: all.flatMap(({ gap }) => gap() ?? []),
    heads: all.reduce((sum, { heads }) => sum + heads(), 0),
    pausesMs,
    lostMs: clock.lostMs(),
    agreed,
  }
}

async function nextAnswer({ acknowledged }: Writers, { nowMs }: RunningClock, at: number): Promise<number> {
  for (;;) {
    const next = acknowledged.find(({ atMs }) => atMs > at + 5)
    if (next !== undefined) return next.atMs - at
    if (nowMs() - at > 30_000) throw new Error('no member answered for 30 s')
    await delay(5)
  }
}

/** Resolves with the process that leads the main chain. */
export async function leaderOf(url: string, name: string): Promise<number> {
  for (let tries = 0; tries < 30; tries += 1) {
    const all = await statusOf(url, name, false)
    const leader = all.find(({ chains }) => chains.some(({ chain, leads }) => chain === '' && leads))
    if (leader !== undefined) return leader.pid
  }
  throw new Error('nobody leads')
}

/** Resolves with the hashes that some member does not have in a block. */
export async function missingOn(members: readonly Member[], hashes: readonly string[]): Promise<readonly string[]> {
  const missing: string[] = []
  for (const { eth: url } of members) {
    for (let start = 0; start < hashes.length; start += 50) {
      const some = hashes.slice(start, start + 50)
      const found = await Promise.all(some.map((hash) => eth<object | null>(url, 'eth_getTransactionReceipt', [hash])))
      missing.push(...some.filter((_, index) => found[index] === null))
    }
  }
  return missing
}
