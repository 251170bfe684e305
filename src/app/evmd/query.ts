/** `abci_query` on the state of a height (corrections-a C 15, cosmos-evm-rpc.md §9.2). */
import { concatBytes } from '../../data/bytes.ts'
import { get, iterate } from '../../data/tree.ts'
import { GoPanic, nilPointer } from '../../codec/comet.ts'
import { message, bytes, repeated, nested } from '../../codec/protobuf/message.ts'
import { goText, ProtobufError, readFields } from '../../codec/protobuf/wire.ts'
import { namedCodec } from '../../codec/schema/codecs.ts'
import { findMethod } from '../../codec/schema/lookup.ts'
import { emptyQueryResult, type ProofOp, type QueryRequest, type QueryResult } from '../abci.ts'
import type { QueryContext } from '../application.ts'
import { createDraft } from '../draft.ts'
import { proveKey } from '../multiStore.ts'
import type { AppState } from '../state.ts'
import { type Fixed, newContext } from './context.ts'
import { chainMethods } from './query/chainMethods.ts'
import { executionsOf } from './query/executions.ts'
import { grpcMethods } from './query/grpc.ts'
import { simulateQuery } from './query/simulate.ts'
import { grpcStatusOf, statusOf } from './query/status.ts'
import { grpcCodes, earlyStatus } from '../grpcStatus.ts'
import { sdkError, TxError } from './txError.ts'

/**
 * Answers a query. Errors are returned as code, codespace and text. Throws `GoPanic` only where the
 * node's own handler panics.
 */
export function query(fixed: Fixed, state: AppState, request: QueryRequest, context: QueryContext): QueryResult {
  try {
    return route(fixed, state, request, context)
  } catch (error) {
    if (error instanceof GoPanic) throw error
    if (error instanceof TxError) return refused(error, 0n)
    throw error
  }
}

function refused({ abciCode: code, codespace, message: log }: TxError, height: bigint): QueryResult {
  return { ...emptyQueryResult, code, codespace, log, height }
}

function route(fixed: Fixed, state: AppState, request: QueryRequest, context: QueryContext): QueryResult {
  if (request.path === '') throw sdkError('unknownRequest', 'no query path provided')
  if (request.path === '/cosmos.tx.v1beta1.Service/BroadcastTx') {
    throw sdkError('invalidRequest', "can't route a broadcast tx message")
  }
  if (Object.hasOwn(grpcMethods, request.path) || Object.hasOwn(chainMethods, request.path)) {
    return grpc(fixed, state, request, context)
  }
  const [first, ...rest] = request.path.replace(/^\//, '').split('/')
  switch (first) {
    case 'app':
      return appQuery(fixed, rest, { state, request, context })
    case 'store':
      return storeQuery(rest, { state, request, context })
    case 'p2p':
      return p2pQuery(rest)
    default:
      throw sdkError('unknownRequest', 'unknown query path')
  }
}

type QueryOnState = {
  readonly state: AppState
  readonly request: QueryRequest
  readonly context: QueryContext
}

function grpc(fixed: Fixed, latest: AppState, request: QueryRequest, context: QueryContext): QueryResult {
  const state = stateFor(latest, request, context)
  const height = request.height === 0n ? context.latestHeight : request.height
  try {
    return {
      ...emptyQueryResult,
      height,
      value: handled({ fixed, latest, request, context }, state),
    }
  } catch (error) {
    // A query that ran and failed reports the height it ran on.
    // The node answers a panic without a height.
    return refused(statusOf(error), error instanceof GoPanic ? 0n : height)
  }
}

/** Answers a call to a query service with the bytes of the gRPC response. Throws `GrpcStatus`. */
export function callService(fixed: Fixed, latest: AppState, request: QueryRequest, context: QueryContext): Uint8Array {
  const state = early(() => stateFor(latest, request, context))
  try {
    return handled({ fixed, latest, request, context }, state)
  } catch (error) {
    throw grpcStatusOf(error)
  }
}

const prunedText = /failed to load state at height (\d+); version does not exist \(latest height: (\d+)\)$/

function early(find: () => AppState): AppState {
  try {
    return find()
  } catch (error) {
    const { grpcCode, message } = grpcStatusOf(error)
    // Here the node queries its store directly, which reports pruned heights in other words.
    const [, height, latest] = prunedText.exec(message) ?? []
    throw earlyStatus(
      grpcCode,
      height === undefined
        ? message
        : `codespace sdk code 38: not found: failed to load state at height ${height}; version mismatch ` +
            'on immutable IAVL tree; version does not exist. Version has either been pruned, or is ' +
            `for a future block height (latest height: ${latest})`,
    )
  }
}

type Handling = {
  readonly fixed: Fixed
  readonly latest: AppState
  readonly request: QueryRequest
  readonly context: QueryContext
}

/** Returns the handler's response. Throws the handler's error, or one for an unknown path. */
function handled({ fixed, latest, request, context }: Handling, state: AppState): Uint8Array {
  const { path, data } = request
  checkRequest(path, data)
  // A simulation runs on the check state, whatever the height.
  const seesCheck = path === '/cosmos.tx.v1beta1.Service/Simulate'
  const base = seesCheck ? latest : state
  const block = { ...base.transient.header, chainId: context.chainId }
  const on = newContext({ fixed, draft: createDraft(base, { seesCheck }), block, mode: 'query' })
  const value = Object.hasOwn(grpcMethods, path)
    ? grpcMethods[path]?.(on, data, executionsOf(on, context.view))
    : Object.hasOwn(chainMethods, path)
      ? chainMethods[path]?.(
          { ...context, fixed },
          data,
          (inner) => query(fixed, latest, inner, context),
          request.height === 0n ? context.latestHeight : request.height,
        )
      : undefined
  if (value !== undefined) return value
  const [, service = '', method = ''] = path.split('/')
  throw earlyStatus(grpcCodes.unimplemented, `unknown method ${method} for service ${service}`)
}

/** The node decodes a request first, even if its message has no fields. */
function checkRequest(path: string, data: Uint8Array): void {
  const type = findMethod(path)?.input
  try {
    if (type === undefined) readFields(data)
    else namedCodec(type).decode(data)
  } catch (error) {
    if (!(error instanceof ProtobufError)) throw error
    throw new ProtobufError(goText(error, type ?? ''))
  }
}

function stateFor(latest: AppState, { height, prove }: QueryRequest, context: QueryContext): AppState {
  if (height < 0n) {
    throw sdkError('invalidRequest', 'cannot query with height < 0; please provide a valid height')
  }
  if (context.latestHeight === 0n) {
    throw sdkError('invalidHeight', 'evmd is not ready; please wait for first block')
  }
  if (height > context.latestHeight) {
    throw sdkError('invalidHeight', 'cannot query with height in the future; please provide a valid height')
  }
  checkProvable(prove, height === 0n ? context.latestHeight : height)
  const state = height === 0n ? latest : context.stateAt(height)
  if (state !== undefined) return state
  throw sdkError(
    'invalidRequest',
    `failed to load state at height ${height}; version does not exist ` + `(latest height: ${context.latestHeight})`,
  )
}

function checkProvable(prove: boolean, height: bigint): void {
  if (!prove || height > 1n) return
  throw sdkError('invalidRequest', 'cannot query with proof when height <= 1; please provide a valid height')
}

function appQuery(fixed: Fixed, [what, ...rest]: readonly string[], asked: QueryOnState): QueryResult {
  const height = asked.request.height === 0n ? asked.context.latestHeight : asked.request.height
  if (what === 'version') {
    return { ...emptyQueryResult, codespace: 'sdk', value: new Uint8Array(0), height }
  }
  if (what === 'simulate') {
    const value = simulateQuery(fixed, asked.state, asked.request.data)
    return { ...emptyQueryResult, codespace: 'sdk', value, height }
  }
  if (what === undefined) {
    throw sdkError(
      'unknownRequest',
      'expected second parameter to be either ' + "'simulate' or 'version', neither was present",
    )
  }
  throw sdkError('unknownRequest', `unknown query: [${['app', what, ...rest].join(' ')}]`)
}

function p2pQuery([filter, kind, argument]: readonly string[]): QueryResult {
  if (filter === 'filter' && argument !== undefined && (kind === 'addr' || kind === 'id')) {
    return emptyQueryResult
  }
  if (filter === 'filter' && argument !== undefined) {
    // For any other kind the node's handler returns nil, which makes its caller panic.
    throw new GoPanic(nilPointer)
  }
  if (filter !== 'filter' && kind !== undefined) {
    throw sdkError('unknownRequest', "expected second parameter to be 'filter'")
  }
  throw sdkError('unknownRequest', 'path should be p2p filter <addr|id> <parameter>')
}

/**
 * Answers a store query. As in the node's store, a prefix is looked up in the latest state,
 * whatever the height.
 */
function storeQuery([name = '', ...rest]: readonly string[], asked: QueryOnState): QueryResult {
  const {
    request: { data, height, prove },
    context,
  } = asked
  const at = height === 0n ? context.latestHeight : height
  checkProvable(prove, at)
  if (transientStores.includes(name)) {
    throw storeError(4, `store ${name} (type *transient.Store) doesn't support queries: unknown request`)
  }
  const latest = asked.state.committed.get(name)
  if (latest === undefined) throw storeError(4, `no such store: ${name}: unknown request`)
  const path = rest.map((part) => `/${part}`).join('')
  if (data.length === 0) {
    // The node misses the proof before it looks at the error of the store.
    if (prove && path === '/key') throw unproved()
    throw storeError(3, 'query cannot be zero length: tx parse error')
  }
  const state = height === 0n ? asked.state : context.stateAt(height)
  if (path === '/key') {
    const proofOps = prove ? proofOf(state, name, data) : undefined
    if (state === undefined) {
      return { ...emptyQueryResult, key: data, log: 'version does not exist', height }
    }
    const tree = state.committed.get(name)
    return { ...emptyQueryResult, key: data, value: tree && get(tree, data), proofOps, height: at }
  }
  if (path !== '/subspace') throw storeError(4, `unexpected query path: ${path}: unknown request`)
  const found = [...iterate(latest, { start: data, end: endOf(data) })]
  const value = pairs.encode({ pairs: found.map(([key, each]) => ({ key, value: each })) })
  return { ...emptyQueryResult, key: data, value, height: at }
}

/** Stores that are discarded after each block. */
const transientStores: readonly string[] = ['transient_evm', 'transient_feemarket']

function proofOf(state: AppState | undefined, name: string, key: Uint8Array): readonly ProofOp[] {
  const ops = state && proveKey(state.committed, name, key)
  if (ops !== undefined) return ops
  throw unproved()
}

function unproved(): TxError {
  return storeError(7, 'proof is unexpectedly empty; ensure height has not been pruned: invalid request')
}

function endOf(prefix: Uint8Array): Uint8Array {
  return concatBytes([prefix, new Uint8Array(64).fill(255)])
}

function storeError(code: number, text: string): TxError {
  return new TxError(text, { code, codespace: 'store' })
}

type Pair = { key: Uint8Array; value: Uint8Array }
const pairs = message<{ pairs: readonly (Pair | undefined)[] }>({
  1: ['pairs', repeated(nested(message<Pair>({ 1: ['key', bytes], 2: ['value', bytes] })))],
})
