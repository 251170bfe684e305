/**
 * `npm run bench paired DIR`: processor time of two builds of the program by turns, ours and that of
 * another checkout, whose `npm start` has run once. Processor time says what changed even on a busy
 * machine, where the time on the clock does not.
 */
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { cpuMicros, load } from './load.ts'
import { ask, askAll } from './node.ts'
import { startProgram, type Started } from './peerNodes.ts'
import { cometReads, type CometRead } from './peerComet.ts'
import { prepared, reads, type Place, type Read } from './peerReads.ts'
import { median } from '../helpers/median.ts'
import { bob, signed, transfers } from './peerWork.ts'
import type { Line } from './evm.ts'

const [rounds, milliseconds, sentOne, sentMany, emptyBlocks] = [5, 400, 200, 2000, 1000]

type Figures = ReadonlyMap<string, number>

/** Returns µs of processor time per request, transaction and block: ours, then the other build's beside it. */
export async function lines(otherFolder: string): Promise<Line[]> {
  const other = join(resolve(otherFolder), 'dist/program/main.js')
  if (!existsSync(other)) throw new Error(`${other} does not exist: run npm start in ${otherFolder} once`)
  const programs = [undefined, other] as const
  const both = [await readFigures(programs)]
  for (let round = 0; round < rounds; round++) both.push(await writeFigures(programs))
  const each = [both.map(([ours]) => ours), both.map(([, theirs]) => theirs)] as const
  const names = new Set(each[0].flatMap((figures) => [...figures.keys()]))
  return [...names].map((name) => {
    const [ours, theirs] = each.map((all) => median(all.flatMap((figures) => figures.get(name) ?? [])))
    const ratio = (ours ?? Number.NaN) / (theirs ?? Number.NaN)
    const beside = `other ${theirs?.toFixed(1)} µs, ratio ${ratio.toFixed(2)}`
    return { name, value: ours?.toFixed(1) ?? '', unit: 'µs', beside }
  })
}

type Programs = readonly [string | undefined, string | undefined]

/** Each read goes to one build, then to the other, `rounds` times after a round that warms up. */
async function readFigures(programs: Programs): Promise<[Figures, Figures]> {
  const nodes = [await start(programs[0]), await start(programs[1])] as const
  try {
    const places = [await placeOf(nodes[0]), await placeOf(nodes[1])] as const
    const figures: [Map<string, number>, Map<string, number>] = [new Map(), new Map()]
    const works: readonly (readonly [string, (at: Both) => Parameters<typeof load>[0]])[] = [
      ...reads.map((read) => [`${read.name}, ${read.connections} at a time`, ethLoad(read)] as const),
      ...cometReads.map((read) => [`${read.name}, 16 at a time`, cometLoad(read)] as const),
    ]
    for (const [name, work] of works) {
      const micros: [number[], number[]] = [[], []]
      for (let round = 0; round <= rounds; round++) {
        for (const turn of [0, 1] as const) {
          const measured = await load(work(places[turn]))
          if (round > 0) micros[turn].push(measured.micros)
        }
      }
      for (const turn of [0, 1] as const) figures[turn].set(name, median(micros[turn]))
    }
    return figures
  } finally {
    for (const node of nodes) node.stop()
  }
}

type Both = { readonly node: Started; readonly place: Place; readonly height: string; readonly hash: string }

async function placeOf(node: Started): Promise<Both> {
  const place = await prepared(node)
  const height = String(Number(place.block))
  const { txs } = (await ask(node.urls['comet'] ?? '', 'tx_search', `tx.height=${height}`, false, '1', '1', 'asc')) as {
    txs: { hash: string }[]
  }
  return { node, place, height, hash: txs[0]?.hash ?? '' }
}

const ethLoad =
  (read: Read) =>
  ({ node, place }: Both) => ({
    url: node.url,
    pid: node.process.pid,
    requests: [read.request(place)].flat(),
    connections: read.connections,
    milliseconds,
  })

const cometLoad =
  (read: CometRead) =>
  ({ node, height, hash }: Both) => {
    const url = node.urls['comet'] ?? ''
    return {
      url,
      pid: node.process.pid,
      requests: [read.request(url, { height, hash })],
      connections: 16,
      milliseconds,
    }
  }

/** A fresh server of each build does the work once. */
async function writeFigures(programs: Programs): Promise<[Figures, Figures]> {
  const one = await Promise.all(
    Array.from({ length: sentOne }, (_, nonce) => signed(0, nonce, { to: bob, value: 1n, gas: 21_000n })),
  )
  const many = await transfers(sentMany, 1)
  const figures: Figures[] = []
  for (const program of programs) {
    const node = await start(program)
    try {
      figures.push(await written(node, one, many))
    } finally {
      node.stop()
    }
  }
  const [ours = new Map(), theirs = new Map()] = figures
  return [ours, theirs]
}

async function written(node: Started, one: readonly string[], many: readonly string[]): Promise<Figures> {
  const { url } = node
  const figures = new Map<string, number>()
  const spent = async (name: string, count: number, act: () => Promise<unknown>) => {
    const before = cpuMicros(node.process.pid)
    await act()
    figures.set(name, (cpuMicros(node.process.pid) - before) / count)
  }
  await spent('a transaction in a block of its own', one.length, async () => {
    for (const raw of one) await ask(url, 'eth_sendRawTransaction', raw)
  })
  await ask(url, 'evm_setBlockGasLimit', '0x11e1a300')
  await ask(url, 'evm_mine')
  await ask(url, 'evm_setAutomine', false)
  await spent('a transaction accepted, in batches', many.length, async () => {
    for (let from = 0; from < many.length; from += 500) {
      await askAll(
        url,
        many.slice(from, from + 500).map((raw) => ['eth_sendRawTransaction', raw]),
      )
    }
  })
  await spent(`a transaction mined in a block of ${sentMany}`, many.length, () => ask(url, 'evm_mine'))
  await spent('an empty block', emptyBlocks, () => ask(url, 'anvil_mine', `0x${emptyBlocks.toString(16)}`))
  return figures
}

function start(program: string | undefined): Promise<Started> {
  return startProgram(['eth', 'comet'], ['--accounts', '15'], program)
}
