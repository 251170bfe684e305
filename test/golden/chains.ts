/** Replays recorded chains (`scripts/recordChain.mjs`) through the application. */
import { readFileSync } from 'node:fs'
import { brotliDecompressSync } from 'node:zlib'
import type { FinalizeBlockRequest, FinalizeBlockResult } from '../../src/app/abci.ts'
import type { AppState } from '../../src/app/state.ts'
import { createEvmd } from '../../src/app/evmd/evmd.ts'
import { prefixIn } from '../../src/app/evmd/genesis/prefix.ts'
import { writeJson } from '../../src/codec/goJsonWrite.ts'
import { eventJson, paramUpdatesJson, storedTxResultJson, validatorUpdateJson } from '../../src/feed/cometShapes.ts'
import { profileSettings } from '../../src/settings/profiles.ts'
import { fromBase64, fromHex, timeOf } from '../helpers/cometJson.ts'
import { testEngine } from '../helpers/engine.ts'
import { chainId, evmChainId, requestOf, type Document } from '../helpers/evmdChain.ts'

const folder = new URL('../../../test/golden/chains/', import.meta.url)

type RecordedMisbehavior = {
  readonly address: string
  readonly power: string
  readonly height: string
  readonly time: string
  readonly totalPower: string
}

type RecordedBlock = {
  readonly time: string
  readonly hash: string
  readonly proposer: string
  readonly nextValidatorsHash: string
  readonly round: number
  /** Address, power, and 1 if it was for the block. */
  readonly votes: readonly (readonly [string, string, number])[]
  readonly misbehavior: readonly RecordedMisbehavior[]
  readonly txs: readonly string[]
  /** What `block_results` returned. */
  readonly results: Results
}

type Results = { readonly app_hash: string }

type RecordedChain = {
  /** Pairs of a regular expression and what replaces its matches in all texts. */
  readonly cuts: readonly (readonly [string, string])[]
  readonly genesis: Omit<Document, 'consensus_params'> & {
    readonly initial_height: number | string
    readonly consensus: { readonly params: Document['consensus_params'] }
  }
  readonly blocks: readonly RecordedBlock[]
}

/** Returns a chain of `test/golden/chains/`. */
export function readChain(name: string): RecordedChain {
  return JSON.parse(brotliDecompressSync(readFileSync(new URL(`${name}.json.br`, folder))).toString())
}

type Replayed = { readonly count: number; readonly differences: readonly string[]; readonly state: AppState }

/**
 * Returns how many blocks of a chain were executed, where their results differ from the node's, and the
 * last state. It stops at a block whose app hash differs, as later ones build on its state.
 */
export function replay({ cuts, genesis, blocks }: RecordedChain): Replayed {
  const bech32Prefix = prefixIn(JSON.stringify(genesis)) ?? ''
  const settings = { ...profileSettings('evmd'), chainId, evmChainId, bech32Prefix }
  const { application } = createEvmd({ engine: testEngine(), settings })
  const patterns = cuts.map(([pattern, by]) => [new RegExp(pattern, 'g'), by] as const)
  const cut = (text: string) => patterns.reduce((left, [pattern, by]) => left.replace(pattern, by), text)
  const initialHeight = BigInt(genesis.initial_height)
  const request = requestOf({ ...genesis, consensus_params: genesis.consensus.params })
  let { state } = application.initChain({ ...request, initialHeight })
  let count = 0
  const differences: string[] = []
  for (const block of blocks) {
    const height = initialHeight + BigInt(count)
    count += 1
    const done = application.finalizeBlock(state, blockRequest(height, block))
    state = application.commit(done.state)
    const ours = JSON.parse(resultsText(done.result), (_, value) => (typeof value === 'string' ? cut(value) : value))
    const found = [...(done.incidents ?? []).map((one) => `an incident: ${one}`), ...differing(block.results, ours, '')]
    differences.push(...found.map((one) => `block ${height}, ${one}`))
    if (ours.app_hash !== block.results.app_hash) break
  }
  return { count, differences, state }
}

function blockRequest(height: bigint, block: RecordedBlock): FinalizeBlockRequest {
  return {
    height,
    time: timeOf(block.time),
    hash: fromHex(block.hash),
    txs: block.txs.map(fromBase64),
    proposerAddress: fromHex(block.proposer),
    nextValidatorsHash: fromHex(block.nextValidatorsHash),
    lastCommit: {
      round: block.round,
      votes: block.votes.map(([address, power, signed]) => ({
        address: fromHex(address),
        power: BigInt(power),
        signed: signed === 1,
      })),
    },
    misbehavior: block.misbehavior.map((one) => ({
      type: 'duplicateVote',
      address: fromHex(one.address),
      power: BigInt(one.power),
      height: BigInt(one.height),
      time: timeOf(one.time),
      totalPower: BigInt(one.totalPower),
    })),
  }
}

/** Returns the results as `block_results` shows them. */
function resultsText(results: FinalizeBlockResult): string {
  const { txResults, events, validatorUpdates, consensusParamUpdates, appHash } = results
  return writeJson({
    txs_results: nullIfEmpty(txResults.map(storedTxResultJson)),
    finalize_block_events: nullIfEmpty(events.map(eventJson)),
    validator_updates: nullIfEmpty(validatorUpdates.map(validatorUpdateJson)),
    consensus_param_updates: consensusParamUpdates === undefined ? null : paramUpdatesJson(consensusParamUpdates),
    app_hash: Buffer.from(appHash).toString('base64'),
  })
}

const nullIfEmpty = <Item>(items: readonly Item[]) => (items.length === 0 ? null : items)

/** Returns the places where two values of JSON differ, each with the node's value and ours. */
function differing(node: unknown, ours: unknown, path: string): string[] {
  if (isTree(node) && isTree(ours) && Array.isArray(node) === Array.isArray(ours)) {
    const names = new Set([...Object.keys(node), ...Object.keys(ours)])
    return [...names].flatMap((name) => differing(node[name], ours[name], path === '' ? name : `${path}.${name}`))
  }
  return node === ours
    ? []
    : [`${path}\n${parting(JSON.stringify(node) ?? 'nothing', JSON.stringify(ours) ?? 'nothing')}`]
}

/** Returns the node's text and ours from a little before where they part. */
function parting(node: string, ours: string): string {
  const first = node.split('').findIndex((letter, at) => letter !== ours[at])
  const start = Math.max(0, (first < 0 ? node.length : first) - 100)
  const part = (text: string) => `${start > 0 ? '…' : ''}${text.slice(start, start + 400)}`
  return `  node ${part(node)}\n  ours ${part(ours)}`
}

function isTree(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
