/**
 * Chains of any length within seconds: two blocks of a real chain, one of them with a transaction,
 * copied with other heights, hashes, signatures and amounts. Their state stays the same.
 */
import { sha256 } from '../../src/crypto/hash.ts'
import type { AbciEvent } from '../../src/app/abci.ts'
import type { BlockRecord, Commit } from '../../src/chain/block.ts'
import { appended, keepsAll, recordAt } from '../../src/chain/history.ts'
import type { Simulation } from '../../src/simulation/turn.ts'
import { localSimulation } from './ethSimulation.ts'

/** A chain, and the blocks that are copied: an empty one, and one with a transaction. */
export type Copied = { readonly simulation: Simulation; readonly empty: BlockRecord; readonly full: BlockRecord }

/** Returns the hash of what is copied at a height. */
export function hashAt(height: number, what: string): Uint8Array {
  return sha256(new TextEncoder().encode(`${what} ${height}`))
}

/** Returns a short real chain, whose blocks `lengthened` copies. */
export function beginning(): Copied {
  const chain = localSimulation({ blocks: 'manual' })
  const [from] = chain.call('eth_accounts').result as [string]
  chain.command({ type: 'produceBlock', count: 2 })
  chain.call('eth_sendTransaction', { from, to: from, value: '0x1', gas: '0x5208' })
  chain.command({ type: 'produceBlock' })
  const simulation = chain.simulation()
  const { height, history } = simulation.node.chain
  const [empty, full] = [height - 1n, height].map((one) => recordAt(history, one))
  if (empty === undefined || full?.txs.length !== 1) throw new Error('the last block has one transaction')
  return { simulation, empty, full }
}

/** Returns the chain with more blocks, of which every tenth has a transaction. */
export function lengthened({ simulation, empty, full }: Copied, blocks: number): Copied {
  const { node } = simulation
  const { chain } = node
  let { history } = chain
  const [first, last] = [Number(chain.height) + 1, Number(chain.height) + blocks]
  for (let height = first; height <= last; height++) {
    const record = copyAt(height % 10 === 0 ? full : empty, height)
    const state = { ...chain.app, height: BigInt(height), appHash: hashAt(height, 'app') }
    history = appended(history, record, { state, retention: keepsAll })
  }
  const longer = { ...chain, height: BigInt(last), history }
  return { simulation: { ...simulation, node: { ...node, chain: longer } }, empty, full }
}

function copyAt({ id, block, results, ethereum, txs, ...rest }: BlockRecord, height: number): BlockRecord {
  const app = hashAt(height - 1, 'app')
  const header = { ...block.header, height: BigInt(height), appHash: app, lastCommitHash: hashAt(height, 'commit') }
  const commit = signedAt(height)
  return {
    ...rest,
    id: { ...id, hash: hashAt(height, 'block') },
    block: { ...block, header, lastCommit: commit(block.lastCommit), txs: block.txs.map((tx) => signed(tx, height)) },
    seenCommit: commit(rest.seenCommit),
    results: {
      ...results,
      appHash: hashAt(height, 'app'),
      events: results.events.map((event) => eventAt(event, height)),
      txResults: results.txResults.map((result) => ({
        ...result,
        events: result.events.map((event) => eventAt(event, height)),
      })),
    },
    txs: txs.map((tx) => ({ ...tx, hash: hashAt(height, 'tx') })),
    ethereum: {
      ...ethereum,
      transactions: ethereum.transactions.map((tx) => ({ ...tx, hash: hashAt(height, 'ethereum') })),
    },
  }
}

function signedAt(height: number): (commit: Commit) => Commit {
  return (commit) => ({
    ...commit,
    signatures: commit.signatures.map((one, index) => ({ ...one, signature: signed(one.signature, height + index) })),
  })
}

/** Replaces the last 64 bytes. */
function signed(bytes: Uint8Array, height: number): Uint8Array {
  const copy = bytes.slice()
  if (copy.length < 64) return copy
  copy.set(hashAt(height, 'r'), copy.length - 64)
  copy.set(hashAt(height, 's'), copy.length - 32)
  return copy
}

/** Replaces the digits of amounts, which differ from block to block. */
function eventAt({ type, attributes }: AbciEvent, height: number): AbciEvent {
  return {
    type,
    attributes: attributes.map((one) => ({
      ...one,
      value: one.value.replace(/^\d{12,}/, (text) => digits(text, height)),
    })),
  }
}

function digits(text: string, height: number): string {
  return String(BigInt(text) + BigInt(height) * 7_400_009_999n)
}
