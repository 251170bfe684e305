/**
 * Mines one block: proposal, execution, commit, record (in the order of CometBFT's
 * `state/execution.go`).
 */
import type { FinalizeBlockRequest, FinalizeBlockResult } from '../app/abci.ts'
import { plainHexOf } from '../codec/hex.ts'
import { txHash } from '../app/txHash.ts'
import { mapSet } from '../data/persistentMap.ts'
import type { Time } from '../data/time.ts'
import type { Block, BlockId, BlockRecord, Commit, Header } from './block.ts'
import type { Chain, ChainWorld } from './chain.ts'
import { nextBlockTime } from './clock.ts'
import {
  commitAt,
  commitVotes,
  decidingRound,
  firstCommit,
  hasQuorum,
  signCommit,
  type Round,
  type CommitSigning,
} from './commits.ts'
import { ethereumBlock } from './ethereumBlock.ts'
import type { ChainEvent, MempoolTx } from './event.ts'
import {
  blockParts,
  commitHash,
  consensusHash,
  dataHash,
  emptyRoot,
  evidenceHash,
  evidenceListHash,
  headerHash,
  resultsHash,
  validatorsHash,
} from './hashing.ts'
import { appended } from './history.ts'
import { incidentsIn } from './admission.ts'
import { maxDataBytes } from './blockLimits.ts'
import { candidates } from './mempool.ts'
import { misbehaviorOf } from './misbehavior.ts'
import { signingOf } from './quorum.ts'
import { retained } from './retention.ts'
import { incremented, updated } from './validators.ts'
import { afterBlock } from './recheck.ts'

export type Production = {
  readonly chain: Chain
  readonly events: readonly ChainEvent[]
  readonly made: boolean
}

/** `ifWaiting`: mine no block without a transaction. */
export type Making = { readonly nowMs: bigint; readonly ifWaiting?: boolean }

/**
 * Returns the chain with one more block, mined at simulation time `nowMs`. The chain is unchanged
 * if too few validators are up, the application is halted, or `ifWaiting` is set and no transaction
 * fits.
 */
export function produceBlock(world: ChainWorld, chain: Chain, { nowMs, ifWaiting = false }: Making): Production {
  const proposed = propose(world, chain, { nowMs, ifWaiting })
  if (proposed === undefined) return { chain, events: [], made: false }
  const { signing, deciding, block, entries, request } = proposed
  const { sizeBytes, parts } = blockParts(block)
  const id: BlockId = { hash: request.hash, parts }
  const executed = world.app.finalizeBlock(chain.app, request)
  const { result } = executed
  const app = world.app.commit(executed.state)
  const next = advanced(chain, { block, id, result, app })
  const seenCommit = signCommit(signing, {
    height: block.header.height,
    round: deciding.round,
    blockId: id,
    time: nextBlockTime(next, nowMs),
  })
  const record: BlockRecord = {
    id,
    block,
    sizeBytes,
    seenCommit,
    results: result,
    validators: chain.validators,
    consensusParams: chain.consensusParams,
    txs: entries.map(({ hash, info }, index) => ({ hash, index, info })),
    ethereum: ethereumBlock(world.ethereum, chain, { block, hash: id.hash, results: result.txResults, state: app }),
  }
  const made = finish(world, { ...next, lastCommit: seenCommit }, { record, nowMs })
  return { ...made, events: [...incidentsIn(executed), ...made.events] }
}

/** The next block before its execution, and the FinalizeBlock request for it. */
export type Proposed = {
  readonly signing: CommitSigning
  readonly deciding: Round
  readonly entries: readonly MempoolTx[]
  readonly block: Block
  readonly request: FinalizeBlockRequest
}

/** Returns the block that `produceBlock` would execute, or undefined if it would mine none. */
export function propose(world: ChainWorld, chain: Chain, { nowMs, ifWaiting = false }: Making): Proposed | undefined {
  const signing = signingOf(world, chain)
  const entries = proposal(world, chain)
  const stands = !hasQuorum(signing) || world.app.halted(chain.app) !== undefined
  if (stands || (ifWaiting && entries.length === 0)) return undefined
  const deciding = decidingRound(signing, chain.roundsToFail)
  const time = nextBlockTime(chain, nowMs)
  const txHashes = entries.map(({ hash }) => hash)
  const block = blockOf(world, chain, { time, entries, txHashes, deciding })
  return {
    signing,
    deciding,
    entries,
    block,
    request: {
      height: block.header.height,
      time,
      hash: headerHash(block.header),
      txs: block.txs,
      proposerAddress: block.header.proposerAddress,
      nextValidatorsHash: block.header.nextValidatorsHash,
      lastCommit: {
        round: block.lastCommit.round,
        votes: commitVotes(chain.lastValidators, block.lastCommit),
      },
      misbehavior: chain.evidence.flatMap(misbehaviorOf),
    },
  }
}

/**
 * Returns the transactions that the application chooses, in its order and with its rewritten bytes.
 */
function proposal(world: ChainWorld, chain: Chain): readonly MempoolTx[] {
  const ready = candidates(chain.mempool)
  if (ready.length === 0) return ready
  const chosen = world.app.prepareProposal(chain.app, {
    candidates: ready,
    maxTxBytes: maxDataBytes(chain, chain.evidence),
    maxGas: chain.consensusParams.block.maxGas,
  })
  const { rewritten } = world.app
  return chosen.flatMap((index) => {
    const entry = ready[index]
    const tx = entry && rewritten?.(entry.tx)
    return entry === undefined ? [] : tx === undefined ? [entry] : [{ ...entry, tx, hash: txHash(tx) }]
  })
}

type Parts = {
  readonly time: Time
  readonly entries: readonly MempoolTx[]
  readonly txHashes: readonly Uint8Array[]
  readonly deciding: Round
}

function blockOf(world: ChainWorld, chain: Chain, { time, entries, txHashes, deciding }: Parts): Block {
  const lastCommit = lastCommitOf(world, chain, time)
  const { validators, nextValidators, consensusParams } = chain
  const header: Header = {
    version: { block: 11n, app: chain.appVersion },
    chainId: chain.genesis.chainId,
    height: nextHeight(chain),
    time,
    lastBlockId: chain.lastBlockId,
    lastCommitHash: commitHash(lastCommit),
    dataHash: dataHash(txHashes),
    validatorsHash: validatorsHash(validators),
    nextValidatorsHash: validatorsHash(nextValidators),
    consensusHash: consensusHash(consensusParams),
    appHash: chain.app.appHash,
    lastResultsHash: chain.lastResultsHash,
    evidenceHash: evidenceListHash(chain.evidence),
    proposerAddress: deciding.proposer,
  }
  return { header, txs: entries.map(({ tx }) => tx), evidence: chain.evidence, lastCommit }
}

/** Returns the height of the next block. */
export function nextHeight({ height, genesis }: Chain): bigint {
  return height === 0n ? genesis.initialHeight : height + 1n
}

/**
 * Returns the previous block's commit, signed for `time`. Block time is the median of that commit's
 * times, so it is signed again if time has moved since (§5.8).
 */
function lastCommitOf(world: ChainWorld, chain: Chain, time: Time): Commit {
  if (chain.lastCommit === undefined) return firstCommit
  return commitAt({ signers: world.signers, chainId: chain.genesis.chainId }, chain.lastCommit, time)
}

type Done = {
  readonly block: Block
  readonly id: BlockId
  readonly result: FinalizeBlockResult
  readonly app: Chain['app']
}

/** Returns the chain after a block. Validators updated by block H sign from H+2. */
function advanced(chain: Chain, { block, id, result, app }: Done): Chain {
  const { header } = block
  const { consensusParamUpdates: updates } = result
  const consensusParams = updates === undefined ? chain.consensusParams : { ...chain.consensusParams, ...updates }
  return {
    ...chain,
    height: header.height,
    app,
    lastValidators: chain.validators,
    validators: chain.nextValidators,
    nextValidators: incremented(updated(chain.nextValidators, result.validatorUpdates), 1),
    consensusParams,
    appVersion: updates === undefined ? chain.appVersion : consensusParams.version.app,
    lastBlockId: id,
    lastBlockTime: header.time,
    lastResultsHash: result.txResults.length === 0 ? emptyRoot : resultsHash(result.txResults),
    evidence: [],
    ...(chain.roundsToFail !== undefined && { roundsToFail: 0 }),
    committedEvidence: block.evidence.reduce(
      (map, one) => mapSet(map, plainHexOf(evidenceHash(one)), true),
      chain.committedEvidence,
    ),
    clock: { ...chain.clock, next: undefined },
  }
}

function finish(
  world: ChainWorld,
  chain: Chain,
  { record, nowMs }: { record: BlockRecord; nowMs: bigint },
): Production {
  const included = record.txs.map(({ hash, index }) => {
    const { code = 0, codespace = '' } = record.results.txResults[index] ?? {}
    return { key: plainHexOf(hash), code, codespace }
  })
  const { mempool, app, events } = afterBlock(world, chain, { included, nowMs })
  const grown = appended(chain.history, record, { state: chain.app, retention: world.retention })
  const history = retained(world.retention, chain, grown)
  return {
    chain: { ...chain, mempool, app, history },
    events: [{ type: 'blockCommitted', record }, ...events],
    made: true,
  }
}
