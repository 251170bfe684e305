/**
 * How much of the recorded node's behaviour is ours today. `matched.json` keeps the figures: they may
 * rise (run with UPDATE_GOLDEN=1 to keep the new ones) and never fall.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import test from 'ava'
import JSON5 from 'json5'
import { start } from '../../src/index.ts'
import { parse, type Json } from './json.ts'
import { misses, type Miss } from './template.ts'
import { Player, readData, type Case } from './player.ts'

const folder = new URL('../../../test/golden/', import.meta.url)
const floors = readData('matched.json') as Record<string, number>
const figures: Record<string, string> = {}
const exceptions = JSON5.parse<Exceptions>(readFileSync(new URL('exceptions.json5', folder), 'utf8'))
const verbose = process.env['GOLDEN_MISSES']

type Reason = { readonly waits: 'application' | 'evm' } | { readonly because: string }

/** `cases` by file, then by name: why a case is not matched. */
type Exceptions = {
  readonly complete: readonly string[]
  readonly cases: Readonly<Record<string, Readonly<Record<string, Reason>>>>
}

/** The share of a node's cases that may be excepted for another reason than that they wait. */
const exceptedMost = 0.02

/** Returns what is wrong with the list of exceptions of a file, given what was missed. */
function wrongExceptions(name: string, cases: readonly Case[], failed: readonly Case[]): string[] {
  const listed = exceptions.cases[name] ?? {}
  const isComplete = exceptions.complete.includes(name)
  const missed = new Set(failed.map((one) => one.name))
  const known = new Set(cases.map((one) => one.name))
  return [
    ...[...missed].filter((one) => isComplete && !(one in listed)).map((one) => `missed and not listed: ${one}`),
    ...Object.keys(listed).filter((one) => !missed.has(one)).map((one) =>
      (known.has(one) ? `listed, but matched: ${one}` : `listed, but no case: ${one}`)),
  ]
}

/** Returns how many cases of a file are excepted for another reason than that they wait. */
function exceptedForGood(name: string): number {
  return Object.values(exceptions.cases[name] ?? {}).filter((one) => 'because' in one).length
}

const freePorts = {
  rpcLaddr: 'tcp://127.0.0.1:0', ethAddress: '127.0.0.1:0', ethWsAddress: '127.0.0.1:0', controlAddress: '',
} as const

function tolerated(one: Case, miss: Miss): boolean {
  return (one.tolerate ?? []).some(({ path }) => {
    const pattern = path.replace(/[.+?^${}()|[\]\\]/g, '\\$&').replace(/\*/g, '[^.\\[]*')
    return new RegExp(`^${pattern}($|[.\\[])`).test(miss.path)
  })
}

/** Returns the recorded genesis document with another text value of a member. */
function genesisWith(member: string, value: string): string {
  const text = readFileSync(new URL('../../genesis/evmd.json', folder), 'utf8')
  return text.replace(new RegExp(`("${member}":\\s*)"[^"]*"`), `$1"${value}"`)
}

/** `isSession`: the recorded transactions are sent first; `host`: what the recorded node was called. */
type How = { readonly isSession?: boolean; readonly isStarted?: boolean; readonly host?: string; readonly genesis?: string }

const matches = test.macro(async (t, names: readonly string[], settings: Record<string, unknown>, { isSession = false, isStarted = true, host, genesis }: How = {}) => {
  const server = await start({
    ...(genesis && { genesis }),
    settings: { profile: 'evmd', quirks: ['faithful'], pace: 'manual', startTimeMs: Date.parse('2026-03-01T00:00:00Z'), allowedHosts: ['x', 'example.org', ''], ...freePorts, ...settings },
  })
  const { comet, cometWs, eth, ethWs } = server.urls
  const player = new Player({ a: comet, aWs: cometWs.replace(/\/websocket$/, '/websocket'), b: eth, bWs: ethWs, advance: server.advance, ...(host && { host }) })
  const refused = isSession ? await player.playSession() : []
  if (verbose !== undefined) for (const line of refused) t.log(`session: ${line}`)
  if (isStarted) await player.started()
  const played = new Map<string, { cases: Case[]; answers: Awaited<ReturnType<Player['playCases']>> }>()
  for (const name of names) {
    // Minutes lay between the recorded files: what `latest` names must not depend on the file before.
    if (isStarted) await player.quiet()
    const cases = readData(`cases/${name}.json`) as Case[]
    played.set(name, { cases, answers: await player.playCases(cases) })
  }
  // Only now are all symbols known: a wanted answer may name what a later case captures.
  for (const [name, { cases, answers }] of played) {
    const want = parse(readFileSync(new URL(`want/${name}.json`, folder), 'utf8')) as Map<string, Json>
    const failed = cases.filter((one) => {
      const found = misses(want.get(one.name) ?? null, answers.get(one.name), player.symbols).filter((miss) => !tolerated(one, miss))
      if (found.length > 0 && verbose === name) for (const miss of found.slice(0, 3)) t.log(`${one.name}\n    ${miss.path}\n    want ${miss.wanted.slice(0, 400)}\n    got  ${miss.got.slice(0, 400)}`)
      return found.length > 0
    })
    const matched = cases.length - failed.length
    figures[name] = `${matched} of ${cases.length}`
    t.log(`${name}: ${matched} of ${cases.length} match`)
    if (process.env['UPDATE_GOLDEN'] !== undefined) floors[name] = Math.max(matched, floors[name] ?? 0)
    t.deepEqual(wrongExceptions(name, cases, failed), [], name)
    t.true(matched >= (floors[name] ?? 0), `${name}: ${matched} match, ${floors[name]} did before; first: ${failed[0]?.name ?? ''}`)
  }
  const all = [...played.values()].reduce((sum, { cases }) => sum + cases.length, 0)
  const forGood = names.reduce((sum, name) => sum + exceptedForGood(name), 0)
  t.true(forGood <= all * exceptedMost, `${forGood} of ${all} are excepted for good`)
  await server.close()
})

test.after('the figures are kept', () => {
  if (process.env['UPDATE_GOLDEN'] === undefined) return
  const sorted = Object.fromEntries(Object.entries(floors).sort(([a], [b]) => (a < b ? -1 : 1)))
  writeFileSync(new URL('matched.json', folder), `${JSON.stringify(sorted, null, 2)}\n`)
})

const sideA = ['a-abci', 'a-blocks', 'a-get', 'a-mempool', 'a-node', 'a-post', 'a-search', 'a-txs', 'a-ws', 'a-wsevents']
const sideB = [
  'b-basics', 'b-blocks', 'b-call', 'b-debug', 'b-estimate', 'b-fees', 'b-filters', 'b-framing', 'b-logs', 'b-receipts',
  'b-refused', 'b-sign', 'b-state', 'b-trace', 'b-transactions', 'b-txpool-miner', 'b-ws', 'b-x-pending', 'b-z-node-keys',
  'b-zz-filter-cap',
]

test.serial('interface A answers as the recorded node', matches, sideA, {}, { isSession: true })
test.serial('interface B answers as the recorded node', matches, sideB, {}, { isSession: true })
test.serial('interface B answers as a node with its EVM mempool on', matches, ['v-mempool-b'], { mempoolMaxTxs: 0 })
test.serial('interface B answers as a node with default namespaces', matches, ['v-restricted-b'], { ethApi: ['eth', 'net', 'web3'] })
test.serial('interface A answers as a node with unsafe methods and CORS', matches, ['v-a-open'],
  { rpcUnsafe: true, corsAllowedOrigins: ['http://localhost:3000', 'https://*.example.com'] }, { host: '127.0.0.1:32057' })
test.serial('interface A answers as a node with small limits', matches, ['v-a-small'], {
  indexer: 'null', discardAbciResponses: true, p2pPex: false, p2pExternalAddress: '1.2.3.4:26656', maxBodyBytes: 10_000,
  maxRequestBatchSize: 2, maxSubscriptionsPerClient: 1, corsAllowedOrigins: ['*'], broadcastCommitTimeout: '200ms',
  mempoolSize: 1, mempoolMaxTxBytes: 600,
})
test.serial('interface A answers as a node before its first block', matches, ['v-a-empty'], { interval: '3600s' }, { isStarted: false })
test.serial('interface A answers as a node that prunes its blocks', matches, ['v-a-pruned'], {
  minRetainBlocks: 5,
}, { genesis: genesisWith('max_age_num_blocks', '5') })
