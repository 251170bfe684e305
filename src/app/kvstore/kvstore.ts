/**
 * The example application of CometBFT v0.38 (`abci/example/kvstore`). It stores `key=value`
 * transactions, answers queries, and changes validators with `val=…`. It is not an SDK chain.
 */
import { ed25519Address } from '../../crypto/ed25519.ts'
import { fromBinaryString, toBinaryString } from '../../data/binaryString.ts'
import { equalBytes } from '../../data/bytes.ts'
import { emptyMap } from '../../data/persistentMap.ts'
import {
  type AbciEvent,
  emptyQueryResult,
  emptyTxResult,
  type FinalizeBlockRequest,
  type FinalizeBlockResult,
  type QueryRequest,
  type QueryResult,
  type ValidatorUpdate,
} from '../abci.ts'
import {
  AppFailed,
  type Application,
  type CheckTxOutcome,
  type InitChainRequest,
  type ProposalRequest,
} from '../application.ts'
import type { AppState } from '../state.ts'
import { hashOfSize, pairAt, powersOf, sizeOf, validatorAt, withPair, withSize, withValidator } from './store.ts'
import { keyNamed, powerKey, type Powers, readValidatorTx, validatorPrefix, withUpdate } from './validatorTx.ts'

const invalidFormat = 2
const abciVersion = '2.0.0'
const appVersion = 1n

/** The application as one value. Its state is in `edits`; the trees stay empty. */
export const kvstore: Application = {
  name: 'kvstore',
  protocolVersion: appVersion,
  rewritten,
  info: (state) => ({
    data: `{"size":${sizeOf(state)}}`,
    version: abciVersion,
    appVersion,
    lastBlockHeight: state.height,
    lastBlockAppHash: state.appHash,
  }),
  halted: () => undefined,
  initChain: (request) => {
    const state = firstState(request)
    const { validators, consensusParams } = request
    return { state, validators, consensusParams, appHash: state.appHash }
  },
  checkTx,
  prepareProposal,
  finalizeBlock,
  commit: (state) => state,
  query: (state, request) => query(state, request),
  edit: () => {
    throw new AppFailed('the kvstore application has no accounts to edit: send key=value')
  },
}

function firstState({ validators, chainId }: InitChainRequest): AppState {
  const none = new Uint8Array(0)
  const header = {
    height: 0n,
    timeSeconds: 0n,
    timeNanos: 0,
    chainId,
    proposerAddress: none,
    hash: none,
  }
  return {
    height: 0n,
    committed: new Map(),
    appHash: hashOfSize(0),
    check: emptyMap,
    pending: undefined,
    edits: validators.reduce(withValidator, emptyMap),
    impersonated: { isAll: false, addresses: new Set() },
    transient: { gasWanted: 0n, gasUsed: 0n, baseFee: 0n, header },
  }
}

function checkTx(state: AppState, tx: Uint8Array): CheckTxOutcome {
  const isFine = isAccepted(state, toBinaryString(tx))
  const result = { ...emptyTxResult, code: isFine ? 0 : invalidFormat, gasWanted: isFine ? 1n : 0n }
  return { state, result, info: undefined, queued: false }
}

function isAccepted(state: AppState, tx: string): boolean {
  return powersAfter(powersOf(state), tx) !== undefined
}

/** Returns the powers after a transaction, which a pair leaves as they are; undefined if it is refused. */
function powersAfter(powers: Powers, tx: string): Powers | undefined {
  if (!tx.startsWith(validatorPrefix)) return pairOf(tx) && powers
  const update = readValidatorTx(tx)
  return update && withUpdate(powers, update)
}

/**
 * Returns key and value, separated by the only `=` or `:`, which must not be the first or last
 * character.
 */
function pairOf(tx: string): readonly [key: string, value: string] | undefined {
  const [key = '', value = '', ...more] = tx.split(/[:=]/)
  return more.length > 0 || key === '' || value === '' ? undefined : [key, value]
}

/**
 * Returns the candidates that fit, in arrival order. Each costs one unit of gas. A second change of
 * one validator waits for the next block, because CometBFT would halt.
 */
function prepareProposal(state: AppState, { candidates, maxTxBytes, maxGas }: ProposalRequest): readonly number[] {
  const chosen: number[] = []
  const changed = new Set<string>()
  let powers = powersOf(state)
  let size = 0n
  for (const [index, { tx }] of candidates.entries()) {
    size += BigInt(tx.length + 1 + Math.max(1, Math.ceil(tx.length.toString(2).length / 7)))
    if (size > maxTxBytes || (maxGas >= 0n && BigInt(chosen.length) >= maxGas)) break
    const text = toBinaryString(rewritten(tx))
    const next = powersAfter(powers, text)
    const update = text.startsWith(validatorPrefix) ? readValidatorTx(text) : undefined
    const name = update && powerKey(update.publicKey)
    if (next === undefined || (name !== undefined && changed.has(name))) continue
    if (name !== undefined) changed.add(name)
    powers = next
    chosen.push(index)
  }
  return chosen
}

/**
 * Returns the transaction as blocks contain it, with `=` in place of `:`. The mempool does not
 * recognize the rewritten form, so a transaction with `:` stays there and is in every block. A real
 * node does the same.
 */
function rewritten(tx: Uint8Array): Uint8Array {
  const place = tx.indexOf(0x3a)
  return place < 0 ? tx : tx.with(place, 0x3d)
}

function finalizeBlock(
  state: AppState,
  { height, txs, misbehavior }: FinalizeBlockRequest,
): { state: AppState; result: FinalizeBlockResult } {
  let { edits } = state
  let powers = powersOf(state)
  const validatorUpdates: ValidatorUpdate[] = []
  const apply = (update: ValidatorUpdate | undefined) => {
    const next = update && withUpdate(powers, update)
    if (update === undefined || next === undefined) return
    powers = next
    edits = withValidator(edits, update)
    validatorUpdates.push(update)
  }
  for (const update of punished(state, misbehavior)) apply(update)
  const txResults = txs.map((bytes) => {
    const tx = toBinaryString(bytes)
    const pair = pairOf(tx)
    if (tx.startsWith(validatorPrefix)) apply(readValidatorTx(tx))
    else if (pair !== undefined) edits = withPair(edits, ...pair)
    return { ...emptyTxResult, events: eventsOf(pair ?? [tx, tx]) }
  })
  const size = sizeOf(state) + txs.length
  const appHash = hashOfSize(size)
  return {
    state: { ...state, height, edits: withSize(edits, size), appHash },
    result: { events: [], txResults, validatorUpdates, consensusParamUpdates: undefined, appHash },
  }
}

/** Reduces the power of validators that voted twice by one unit. Only ed25519 keys vote. */
function punished(state: AppState, misbehavior: FinalizeBlockRequest['misbehavior']): readonly ValidatorUpdate[] {
  const keys = [...powersOf(state).keys()].map(keyNamed)
  return misbehavior
    .filter(({ type }) => type === 'duplicateVote')
    .flatMap(({ address, power }) => {
      const publicKey = keys.find(({ bytes }) => equalBytes(ed25519Address(bytes), address))
      return publicKey === undefined ? [] : [{ publicKey, power: power - 1n }]
    })
}

/** Returns two events of one type: the first has the key, the second the value. */
function eventsOf(pair: readonly [string, string]): readonly AbciEvent[] {
  return ['Cosmoshi Netowoko', 'Cosmoshi'].map((creator, index) => ({
    type: 'app',
    attributes: [
      { key: 'creator', value: creator, index: true },
      { key: 'key', value: utf8OfBinary(pair[index] ?? ''), index: true },
      { key: 'index_key', value: 'index is working', index: true },
      { key: 'noindex_key', value: 'index is working', index: false },
    ],
  }))
}

function utf8OfBinary(binary: string): string {
  return new TextDecoder().decode(fromBinaryString(binary))
}

/** Answers from the latest state, whatever the requested height. No proof is returned. */
function query(state: AppState, { path, data, prove }: QueryRequest): QueryResult {
  const bare = { ...emptyQueryResult, key: data }
  if (path === '/val') return { ...bare, value: validatorAt(state, data) }
  const value = pairAt(state, data)
  return {
    ...bare,
    index: prove ? -1n : 0n,
    value,
    height: state.height,
    log: value === undefined ? 'does not exist' : 'exists',
  }
}
