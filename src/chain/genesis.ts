/** Builds the chain before its first block from a genesis document. */
import { membersOf, type Members, membersOfEach } from '../data/members.ts'
import type { ConsensusParams, ValidatorUpdate } from '../app/abci.ts'
import { bytesOfDigits } from '../codec/hex.ts'
import { sha256 } from '../crypto/hash.ts'
import { parseTime } from '../codec/time.ts'
import { emptyIndex } from '../data/appendIndex.ts'
import { emptyHashIndex } from '../data/hashIndex.ts'
import { emptyMap } from '../data/persistentMap.ts'
import { emptySegments } from '../data/segments.ts'
import { readBase64 } from '../codec/base64.ts'
import { isExpected, SimError, thrownText } from '../errors.ts'
import type { BlockId } from './block.ts'
import type { BlockPolicy } from './command.ts'
import type { Chain, ChainClock, ChainWorld, Genesis } from './chain.ts'
import { emptyRoot, zeroBlockId } from './hashing.ts'
import { emptyMempool } from './mempool.ts'
import { firstSet, incremented } from './validators.ts'

/** CometBFT's defaults for omitted consensus parameters. */
const defaultParams: ConsensusParams = {
  block: { maxBytes: 22_020_096n, maxGas: -1n },
  evidence: { maxAgeBlocks: 100_000n, maxAgeNanos: 172_800_000_000_000n, maxBytes: 1_048_576n },
  validator: { publicKeyTypes: ['ed25519'] },
  version: { app: 0n },
  abci: { voteExtensionsEnableHeight: 0n },
}

/** Parses a genesis document. Throws `InvalidGenesis`, which names the invalid member. */
export function parseGenesis(document: string, seed: Uint8Array): Genesis {
  const root = parsed(document)
  const chainId = root['chain_id']
  if (typeof chainId !== 'string' || chainId === '' || chainId.length > 50) {
    throw new InvalidGenesis('chain_id', 'expected 1 to 50 characters')
  }
  const consensus = membersOf(root['consensus'])
  return {
    document,
    chainId,
    seed,
    time: attempt('genesis_time', () => parseTime(String(root['genesis_time'] ?? '1970-01-01T00:00:00Z'))),
    initialHeight: integerOf('initial_height', root['initial_height'] ?? '1') || 1n,
    consensusParams: paramsOf(membersOf(root['consensus_params'] ?? consensus['params'])),
    validators: membersOfEach(root['validators'] ?? consensus['validators']).map(validatorOf),
    appState: root['app_state'] ?? {},
    ...forkOf(root['fork']),
  }
}

/** Reads `fork`, which only chainstage defines; CometBFT ignores it (`app/forked.ts`). */
function forkOf(given: unknown): Pick<Genesis, 'fork'> {
  if (given === undefined) return {}
  const { height, hash, parts } = membersOf(given)
  const ofBlock = hexBytesOf('fork.hash', hash)
  const { total, hash: ofParts } = membersOf(parts)
  const id: BlockId = {
    hash: ofBlock,
    // A block id without parts is invalid, and clients refuse it; Ethereum JSON-RPC does not name them.
    parts:
      parts === undefined
        ? { total: 1, hash: sha256(ofBlock) }
        : { total: Number(integerOf('fork.parts.total', total)), hash: hexBytesOf('fork.parts.hash', ofParts) },
  }
  return { fork: { height: integerOf('fork.height', height), id } }
}

function hexBytesOf(member: string, value: unknown): Uint8Array {
  const bytes = bytesOfDigits(String(value ?? '').replace(/^0x/, ''))
  if (bytes === undefined) throw new InvalidGenesis(member, 'expected hex digits')
  return bytes
}

function parsed(document: string): Members {
  return membersOf(attempt('the document', () => JSON.parse(document) as unknown))
}

function integerOf(member: string, value: unknown): bigint {
  return attempt(member, () => BigInt(String(value)))
}

function attempt<Value>(member: string, read: () => Value): Value {
  try {
    return read()
  } catch (cause) {
    if (!(cause instanceof SyntaxError) && !isExpected(cause)) throw cause
    throw new InvalidGenesis(member, thrownText(cause), cause)
  }
}

function paramsOf(given: Members): ConsensusParams {
  const number = (section: string, key: string, fallback: bigint) => {
    const value = membersOf(given[section])[key]
    return value === undefined ? fallback : integerOf(`consensus_params.${section}.${key}`, value)
  }
  const types = membersOf(given['validator'])['pub_key_types']
  const { block, evidence, validator, version, abci } = defaultParams
  return {
    block: {
      maxBytes: number('block', 'max_bytes', block.maxBytes),
      maxGas: number('block', 'max_gas', block.maxGas),
    },
    evidence: {
      maxAgeBlocks: number('evidence', 'max_age_num_blocks', evidence.maxAgeBlocks),
      maxAgeNanos: number('evidence', 'max_age_duration', evidence.maxAgeNanos),
      maxBytes: number('evidence', 'max_bytes', evidence.maxBytes),
    },
    validator: {
      publicKeyTypes: Array.isArray(types) ? types.map(String) : validator.publicKeyTypes,
    },
    version: { app: number('version', 'app', version.app) },
    abci: {
      voteExtensionsEnableHeight: number('abci', 'vote_extensions_enable_height', abci.voteExtensionsEnableHeight),
    },
  }
}

function validatorOf(given: Members): ValidatorUpdate {
  const key = membersOf(given['pub_key'])
  const type = key['type'] === 'tendermint/PubKeySecp256k1' ? 'secp256k1' : 'ed25519'
  const bytes = readBase64(String(key['value'] ?? ''))
  if (typeof bytes === 'string') {
    throw new InvalidGenesis('validators', `a key is not base64: ${bytes}`)
  }
  return { publicKey: { type, bytes }, power: integerOf('validators.power', given['power'] ?? '0') }
}

export type ChainStart = { readonly policy: BlockPolicy; readonly clock: ChainClock }

/**
 * Returns the chain of a genesis document at height 0. Throws the application's error if it refuses
 * the genesis state.
 */
export function firstChain(world: ChainWorld, genesis: Genesis, { policy, clock }: ChainStart): Chain {
  const {
    state,
    validators: updates,
    consensusParams,
  } = world.app.initChain({
    time: genesis.time,
    chainId: genesis.chainId,
    initialHeight: genesis.initialHeight,
    consensusParams: genesis.consensusParams,
    validators: genesis.validators,
    appState: genesis.appState,
    ...(genesis.fork === undefined ? {} : { isForked: true }),
  })
  const validators = firstSet(updates)
  return {
    genesis,
    height: 0n,
    app: state,
    history: emptyHistory(genesis.initialHeight),
    mempool: emptyMempool,
    validators,
    nextValidators: incremented(validators, 1),
    lastValidators: { validators: [], proposer: 0 },
    consensusParams,
    appVersion: world.app.protocolVersion ?? consensusParams.version.app,
    lastBlockId: genesis.fork?.id ?? zeroBlockId,
    lastBlockTime: genesis.time,
    lastResultsHash: emptyRoot,
    lastCommit: undefined,
    evidence: [],
    committedEvidence: emptyMap,
    down: new Set(),
    clock,
    policy,
  }
}

function emptyHistory(first: bigint): Chain['history'] {
  return {
    first,
    base: first,
    stateBase: first,
    records: emptySegments(),
    states: emptySegments(),
    blockByHash: emptyHashIndex,
    txs: emptySegments(),
    firstTx: 0,
    events: emptySegments(),
    txByHash: emptyHashIndex,
    repeatedTxs: emptyMap,
    ethTxByHash: emptyHashIndex,
    txEvents: emptyIndex(),
    blockEvents: emptyIndex(),
    logs: emptyIndex(),
  }
}

/** The genesis document is invalid. */
export class InvalidGenesis extends SimError {
  constructor(member: string, problem: string, cause?: unknown) {
    super('INVALID_GENESIS', `genesis: ${member}: ${problem}`, {
      cause,
      hint: 'Compare with the document of `genesis` on a running chain.',
    })
  }
}
