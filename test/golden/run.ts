/** Recorded cases played on a server of ours, and which of them it answers otherwise. */
import { readFileSync } from 'node:fs'
import { start } from '../../src/index.ts'
import { parse, type Json } from './json.ts'
import { Player, readData, type Case } from './player.ts'
import type { Symbols } from './symbols.ts'
import { misses, type Miss } from './template.ts'
import type { Answer } from './wire.ts'
import { freePorts } from '../helpers/server.ts'

/** `isSession`: the recorded transactions come first; `host`: what the recorded node was called. */
export type How = {
  readonly isSession?: boolean
  readonly isStarted?: boolean
  readonly host?: string
  readonly genesis?: string
  readonly quirks?: readonly string[]
}

export type Missed = { readonly one: Case; readonly found: readonly Miss[] }
export type Played = {
  readonly name: string
  readonly cases: readonly Case[]
  readonly missed: readonly Missed[]
}
export type Run = { readonly refused: readonly string[]; readonly files: readonly Played[] }

/** The files of the REST API that one node answered in this order. */
export const rest = [
  'c-00-play',
  'c-auth',
  'c-bank',
  'c-chain',
  'c-distribution',
  'c-evm',
  'c-gov',
  'c-grants',
  'c-http',
  'c-ibc',
  'c-params',
  'c-staking',
  'c-tx',
  'c-txpost',
  'c-zz-later',
] as const

/** The files of gRPC, which the same node answered. */
export const grpc = ['g-query', 'g-service', 'g-wire'] as const

/** The files of Ethereum JSON-RPC that one node answered in this order. */
export const sideB = [
  'b-basics',
  'b-blocks',
  'b-call',
  'b-debug',
  'b-estimate',
  'b-fees',
  'b-filters',
  'b-framing',
  'b-logs',
  'b-receipts',
  'b-refused',
  'b-sign',
  'b-state',
  'b-trace',
  'b-transactions',
  'b-txpool-miner',
  'b-ws',
  'b-x-pending',
  'b-z-node-keys',
  'b-zz-filter-cap',
] as const

type Answers = ReadonlyMap<string, Answer>

const folder = new URL('../../../test/golden/', import.meta.url)

const fixed = {
  profile: 'evmd',
  pace: 'manual',
  startTimeMs: Date.parse('2026-03-01T00:00:00Z'),
  allowedHosts: ['x', 'example.org', ''],
  ...freePorts,
} as const

/** Returns what a fresh server answers otherwise than recorded, by file of cases. */
export async function play(
  names: readonly string[],
  settings: Record<string, unknown>,
  { isSession = false, isStarted = true, host, genesis, quirks = ['faithful'] }: How,
): Promise<Run> {
  const server = await start({
    ...(genesis && { genesis }),
    settings: { ...fixed, quirks, ...settings },
  })
  const { comet: a, cometWs: aWs, eth: b, ethWs: bWs, rest: c, grpc: g } = server.urls
  const owes = (): boolean => server.simulation().node.owed.length > 0
  const { advance } = server
  const player = new Player({ a, aWs, b, bWs, c, g, advance, owes, ...(host && { host }) })
  const refused = isSession ? await player.playSession() : []
  if (isStarted) await player.started()
  const played: { name: string; cases: Case[]; answers: Answers }[] = []
  for (const name of names) {
    // Minutes lay between the recorded files: what `latest` names must not depend on the file
    // before.
    if (isStarted) await player.quiet()
    const cases = readData(`cases/${name}.json`) as Case[]
    played.push({ name, cases, answers: await player.playCases(cases) })
  }
  await server.close()
  // Only now are all symbols known: a wanted answer may name what a later case captures.
  const files = played.map(({ name, cases, answers }) => ({
    name,
    cases,
    missed: missedOf(name, cases, { answers, symbols: player.symbols }),
  }))
  return { refused, files }
}

function missedOf(
  name: string,
  cases: readonly Case[],
  { answers, symbols }: { readonly answers: Answers; readonly symbols: Symbols },
): Missed[] {
  const text = readFileSync(new URL(`want/${name}.json`, folder), 'utf8')
  const want = parse(text) as Map<string, Json>
  return cases.flatMap((one) => {
    const found = misses(want.get(one.name) ?? null, answers.get(one.name), symbols).filter(
      (miss) => !tolerated(one, miss),
    )
    return found.length > 0 ? [{ one, found }] : []
  })
}

function tolerated(one: Case, miss: Miss): boolean {
  return (one.tolerate ?? []).some(({ path }) => {
    const pattern = path.replace(/[.+?^${}()|[\]\\]/g, '\\$&').replace(/\*/g, '[^.\\[]*')
    return new RegExp(`^${pattern}($|[.\\[])`).test(miss.path)
  })
}

/** Returns the recorded genesis document with another text value of a member. */
export function genesisWith(member: string, value: string): string {
  const text = readFileSync(new URL('../../genesis/evmd.json', folder), 'utf8')
  return text.replace(new RegExp(`("${member}":\\s*)"[^"]*"`), `$1"${value}"`)
}
