/**
 * How much of the recorded node's behaviour is ours today. `matched.json` keeps the figures: they
 * may rise (run with UPDATE_GOLDEN=1 to keep the new ones) and never fall.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import test from 'ava'
import JSON5 from 'json5'
import { readData, type Case } from './player.ts'
import { genesisWith, grpc, play, rest, sideB, type How, type Missed } from './run.ts'

const folder = new URL('../../../test/golden/', import.meta.url)
const floors = readData('matched.json') as Record<string, number>
const exceptions = JSON5.parse<Exceptions>(readFileSync(new URL('exceptions.json5', folder), 'utf8'))
const verbose = process.env['GOLDEN_MISSES']

type Reason = { readonly because: string }

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
    ...Object.keys(listed)
      .filter((one) => !missed.has(one))
      .map((one) => (known.has(one) ? `listed, but matched: ${one}` : `listed, but no case: ${one}`)),
  ]
}

/** Returns how many cases of a file are excepted. */
function excepted(name: string): number {
  return Object.keys(exceptions.cases[name] ?? {}).length
}

/** Returns what a case wanted and got, where they part first. */
function described({ one, found }: Missed): string {
  return found
    .slice(0, 3)
    .map(
      (miss) => `${one.name}
    ${miss.path}
    want ${miss.wanted.slice(0, 400)}
    got  ${miss.got.slice(0, 400)}`,
    )
    .join('\n')
}

const matches = test.macro(async (t, names: readonly string[], settings: Record<string, unknown>, how: How = {}) => {
  const { refused, files } = await play(names, settings, how)
  if (verbose !== undefined) for (const line of refused) t.log(`session: ${line}`)
  for (const { name, cases, missed } of files) {
    if (verbose === name) for (const line of missed.map(described)) t.log(line)
    const matched = cases.length - missed.length
    t.log(`${name}: ${matched} of ${cases.length} match`)
    if (process.env['UPDATE_GOLDEN'] !== undefined) {
      floors[name] = Math.max(matched, floors[name] ?? 0)
    }
    const failed = missed.map(({ one }) => one)
    t.deepEqual(wrongExceptions(name, cases, failed), [], name)
    t.true(
      matched >= (floors[name] ?? 0),
      `${name}: ${matched} match, ${floors[name]} did before; first: ${failed[0]?.name ?? ''}`,
    )
  }
  const all = files.reduce((sum, { cases }) => sum + cases.length, 0)
  const forGood = names.reduce((sum, name) => sum + excepted(name), 0)
  t.true(forGood <= all * exceptedMost, `${forGood} of ${all} are excepted for good`)
})

test.after('the figures are kept', () => {
  if (process.env['UPDATE_GOLDEN'] === undefined) return
  const sorted = Object.fromEntries(Object.entries(floors).sort(([a], [b]) => (a < b ? -1 : 1)))
  writeFileSync(new URL('matched.json', folder), `${JSON.stringify(sorted, null, 2)}\n`)
})

const sideA = [
  'a-abci',
  'a-blocks',
  'a-get',
  'a-mempool',
  'a-node',
  'a-post',
  'a-search',
  'a-txs',
  'a-ws',
  'a-wsevents',
]
test.serial('CometBFT RPC answers as the recorded node', matches, sideA, {}, { isSession: true })
test.serial('Ethereum JSON-RPC answers as the recorded node', matches, sideB, {}, { isSession: true })
// Its chain runs after the genesis time: proposals come to their ends. Times have a fraction of a
// second, which protobuf leaves out when it is zero.
const afterGenesis = { startTimeMs: Date.parse('2026-12-01T00:00:00.123Z'), telemetryEnabled: true }
test.serial('the REST API and gRPC answer as the recorded node', matches, [...rest, ...grpc], afterGenesis, {
  isSession: true,
})
test.serial('the REST API answers as a node with CORS open and states pruned', matches, ['v-c-open'], {
  apiUnsafeCors: true,
  apiSwagger: true,
  pruning: 'everything',
  telemetryEnabled: true,
  telemetryRetention: 60,
})
test.serial('Ethereum JSON-RPC answers as a node with its EVM mempool on', matches, ['v-mempool-b'], {
  mempoolMaxTxs: 0,
})
test.serial('Ethereum JSON-RPC answers as a node with default namespaces', matches, ['v-restricted-b'], {
  ethApi: ['eth', 'net', 'web3'],
})
test.serial(
  'CometBFT RPC answers as a node with unsafe methods and CORS',
  matches,
  ['v-a-open'],
  { rpcUnsafe: true, corsAllowedOrigins: ['http://localhost:3000', 'https://*.example.com'] },
  {
    host: '127.0.0.1:32057',
  },
)
test.serial('CometBFT RPC answers as a node with small limits', matches, ['v-a-small'], {
  indexer: 'null',
  discardAbciResponses: true,
  p2pPex: false,
  p2pExternalAddress: '1.2.3.4:26656',
  maxBodyBytes: 10_000,
  maxRequestBatchSize: 2,
  maxSubscriptionsPerClient: 1,
  corsAllowedOrigins: ['*'],
  broadcastCommitTimeout: '200ms',
  mempoolSize: 1,
  mempoolMaxTxBytes: 600,
})
test.serial(
  'CometBFT RPC answers as a node before its first block',
  matches,
  ['v-a-empty'],
  { interval: '3600s' },
  { isStarted: false },
)
test.serial(
  'CometBFT RPC answers as a node that prunes its blocks',
  matches,
  ['v-a-pruned'],
  {
    minRetainBlocks: 5,
  },
  { genesis: genesisWith('max_age_num_blocks', '5') },
)
