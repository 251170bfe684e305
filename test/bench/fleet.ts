/** What a fleet does and costs: three members, their clients and a NATS server on one machine. */
import { spawnSync } from 'node:child_process'
import { performance } from 'node:perf_hooks'
import { openNats, type Nats } from '../../src/shell/fleet/nats.ts'
import { eth, leaderOf, runTakeovers } from '../helpers/fleetLoad.ts'
import { readersRound } from '../helpers/fleetReaders.ts'
import { startMember, startNats, type Member } from '../helpers/nats.ts'
import { seriesValue } from '../helpers/exposition.ts'
import { callOf, load } from './load.ts'
import type { Line } from './evm.ts'

const name = 'bench'
const alice = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const transfer = { from: alice, to: alice, value: '0x1', gas: '0x5208' }
const milliseconds = 3000
const blocks = 10_000
const metrics = ['--instrumentation.prometheus', '--instrumentation.prometheus_listen_addr', '127.0.0.1:0']

/** Resolves with the figures of a fleet of three; empty without a NATS server. */
export async function lines(): Promise<Line[]> {
  if (spawnSync('nats-server', ['--version']).status !== 0) {
    return [{ name: 'nats-server is not installed', value: 0, unit: 'members' }]
  }
  const server = await startNats()
  const members = await Promise.all([1, 2, 3].map(() => startMember(server.url, name, metrics)))
  const nats = await openNats({ servers: [server.url], name }, 'bench')
  try {
    const pid = await leaderOf(server.url, name)
    const leader = members.find((one) => one.pid === pid) as Member
    const followers = members.filter((one) => one !== leader)
    return [
      ...(await writing(nats, leader, followers[0] as Member)),
      ...(await reading(leader, followers)),
      ...(await joining(nats, server.url, followers[0] as Member)),
      ...(await takingOver(server.url)),
    ]
  } finally {
    await nats.connection.close()
    await Promise.all(members.map((one) => one.kill()))
    await server.remove()
  }
}

async function writing(nats: Nats, leader: Member, follower: Member): Promise<Line[]> {
  const all: Line[] = []
  for (const [who, { eth: url, pid }] of [['leader', leader] as const, ['follower', follower] as const]) {
    const requests = [callOf(url, 'eth_sendTransaction', [transfer])]
    for (const connections of [1, 50]) {
      const before = await appended(nats, leader)
      const { perSecond } = await load({ url, pid, requests, connections, milliseconds })
      const after = await appended(nats, leader)
      all.push({
        name: `writes through the ${who}, ${connections} at a time`,
        value: Math.round(perSecond),
        unit: 'tx/s',
      })
      const [inputs, entries] = [after.inputs - before.inputs, after.entries - before.entries]
      all.push({
        name: `  round trip of an append`,
        value: Number((((after.seconds - before.seconds) * 1000) / entries).toFixed(2)),
        unit: 'ms',
        beside: `${(inputs / entries).toFixed(1)} inputs each`,
      })
      all.push({
        name: `  of the stream`,
        value: Math.round((after.bytes - before.bytes) / inputs),
        unit: 'bytes/input',
      })
    }
  }
  return all
}

/** Resolves with what the leader has appended so far, and the size of the stream. */
async function appended({ jsm, streamOf }: Nats, leader: Member) {
  const text = await (await fetch(`${leader.metrics}/metrics`)).text()
  const { state } = await jsm.streams.info(streamOf(''))
  return {
    inputs: seriesValue(text, 'chainstage_fleet_inputs_total'),
    entries: seriesValue(text, 'chainstage_fleet_append_duration_seconds_count'),
    seconds: seriesValue(text, 'chainstage_fleet_append_duration_seconds_sum'),
    // Snapshots remove entries: count those as well, at the average of those that are left.
    bytes: (state.bytes / state.messages) * state.last_seq,
  }
}

async function reading(leader: Member, followers: readonly Member[]): Promise<Line[]> {
  const options = { members: followers, writes: 60, everyMs: 50, watched: [leader, ...followers].map(({ pid }) => pid) }
  const none = await readersRound({ ...options, readers: 0 })
  const some = await readersRound({ ...options, readers: 8 })
  const more = ([own = 0, ...others]: readonly number[], [before = 0, ...theirs]: readonly number[]) => ({
    leaderMs: own - before,
    followersMs: others.reduce((sum, ms) => sum + ms, 0) - theirs.reduce((sum, ms) => sum + ms, 0),
  })
  const { leaderMs, followersMs } = more(some.usedMs, none.usedMs)
  const beside = `${some.reads} reads and ${some.heads} heads of 8 readers at followers`
  return [
    { name: 'processor time of a follower', value: Math.round(followersMs / 8), unit: 'ms/reader', beside },
    {
      name: 'processor time of the leader',
      value: Math.round(leaderMs / 8),
      unit: 'ms/reader',
      beside: 'the same readers',
    },
  ]
}

async function joining(nats: Nats, url: string, follower: Member): Promise<Line[]> {
  while (Number(await eth(follower.eth, 'eth_blockNumber')) < blocks) await eth(follower.eth, 'hardhat_mine', ['0x64'])
  // The last blocks are inputs of their own, so that a snapshot of this height is written.
  const requests = [callOf(follower.eth, 'evm_mine', [])]
  await load({ url: follower.eth, pid: undefined, requests, connections: 50, milliseconds })
  const began = performance.now()
  const newcomer = await startMember(url, name, metrics)
  const tookMs = performance.now() - began
  const height = Number(await eth(newcomer.eth, 'eth_blockNumber'))
  await newcomer.kill()
  const sizes = (await nats.objects.list()).map(({ size }) => size)
  return [
    {
      name: 'join, process start included',
      value: Number((tookMs / 1000).toFixed(1)),
      unit: 's',
      beside: `height ${height}`,
    },
    {
      name: 'newest snapshot',
      value: Math.round(Math.max(0, ...sizes) / 1024),
      unit: 'KiB',
      beside: `${sizes.length} kept`,
    },
  ]
}

async function takingOver(url: string): Promise<Line[]> {
  const writers = { count: 4, pauseMs: 100 }
  const { pausesMs, missing } = await runTakeovers({ url, name: 'ends', takeovers: 3, subscribers: 6, writers })
  const value = Math.round([...pausesMs].sort((one, other) => one - other)[1] ?? 0)
  return [{ name: 'writes pause after kill -9 of the leader', value, unit: 'ms', beside: `${missing.length} lost` }]
}
