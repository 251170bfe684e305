/** The records exchanged with the engine: the TypeScript counterpart of `engine/src/abi.rs`. */
import {
  type BufferCursor,
  putBytes,
  putCount,
  putRaw,
  putU128,
  putU256,
  putU64,
  putU8,
  takeBytes,
  takeCount,
  takeList,
  takeRaw,
  takeU256,
  takeU64,
  takeU8,
} from './memory.ts'
import type {
  EvmAccount,
  EvmAccountDiff,
  EvmEnv,
  EvmLog,
  EvmRelax,
  EvmResult,
  EvmTx,
  Fork,
  HostCall,
  HostReturn,
} from './types.ts'

/** Hardforks in the order of the `fork` byte. */
const forks: readonly Fork[] = [
  'frontier',
  'homestead',
  'tangerine',
  'spurious',
  'byzantium',
  'constantinople',
  'petersburg',
  'istanbul',
  'berlin',
  'london',
  'paris',
  'shanghai',
  'cancun',
  'prague',
  'osaka',
]

/** Return codes of imports. */
export const hostAnswer = { ok: 0, absent: 1, threw: 2 } as const

/** Return codes of host precompiles. */
export const callAnswer = { success: 0, revert: 1, threw: 2, outOfGas: 3, staticWrite: 4 } as const

/** Return codes of journal functions. */
export const journalAnswer = { ok: 0, refused: 1, threw: 2, staticWrite: 3 } as const

/** The value that encodes an absent blob base fee. */
const noBlobBaseFee = (1n << 128n) - 1n

const noAddress = new Uint8Array(20)
const relaxBits: readonly (readonly [keyof EvmRelax, number])[] = [
  ['nonce', 1],
  ['balance', 2],
  ['baseFee', 4],
  ['fees', 8],
  ['senderCode', 16],
  ['blockGasLimit', 32],
  ['codeSize', 64],
  ['nonceBump', 128],
]

/** Returns the size of an `env` record in bytes. */
export function envSize(env: EvmEnv, hostAddresses: readonly Uint8Array[]): number {
  const { calls, creations } = env.access ?? open
  const listed = hostAddresses.length + calls.except.length + creations.except.length
  return 3 + 6 * 8 + 16 + 20 + 32 + 4 + 40 * (env.movedPrecompiles ?? []).length + 4 + 2 * 5 + 20 * listed
}

/** Writes an `env` record. */
export function putEnv(cursor: BufferCursor, env: EvmEnv, hostAddresses: readonly Uint8Array[]): void {
  putU8(cursor, forks.indexOf(env.fork))
  putU8(
    cursor,
    relaxBits.reduce((set, [name, bit]) => set | (env.relax[name] === true ? bit : 0), 0),
  )
  putU8(cursor, env.coldCoinbase === true ? 1 : 0)
  putU64(cursor, env.chainId)
  putU64(cursor, env.height)
  putU64(cursor, env.timestampSeconds)
  putU64(cursor, env.blockGasLimit)
  putU64(cursor, env.baseFee)
  putU64(cursor, BigInt(env.memoryLimitBytes))
  putU128(cursor, env.blobBaseFee ?? noBlobBaseFee)
  putRaw(cursor, env.coinbase)
  putRaw(cursor, env.prevRandao)
  putCount(cursor, hostAddresses.length)
  for (const address of hostAddresses) putRaw(cursor, address)
  const moved = env.movedPrecompiles ?? []
  putCount(cursor, moved.length)
  for (const { from, to } of moved) {
    putRaw(cursor, from)
    putRaw(cursor, to ?? from)
  }
  const { calls, creations } = env.access ?? open
  for (const { isClosed, except } of [calls, creations]) {
    putU8(cursor, isClosed ? 1 : 0)
    putCount(cursor, except.length)
    for (const address of except) putRaw(cursor, address)
  }
}

const open = { calls: { isClosed: false, except: [] }, creations: { isClosed: false, except: [] } } as const

/** Returns the size of a `tx` record in bytes. */
export function txSize(tx: EvmTx): number {
  const access = tx.accessList.reduce((sum, entry) => sum + 24 + 32 * entry.slots.length, 0)
  const lists = access + 32 * tx.blobHashes.length + 81 * tx.authorizations.length
  return 3 + 20 + 20 + 8 + 16 + 16 + 32 + 8 + 16 + 4 * 4 + tx.data.length + lists
}

/** Writes a `tx` record. */
export function putTx(cursor: BufferCursor, tx: EvmTx): void {
  putU8(cursor, tx.type)
  putU8(cursor, tx.to === undefined ? 1 : 0)
  putU8(cursor, tx.priorityFee === undefined ? 0 : 1)
  putRaw(cursor, tx.from)
  putRaw(cursor, tx.to ?? noAddress)
  putU64(cursor, tx.gasLimit)
  putU128(cursor, tx.gasPrice)
  putU128(cursor, tx.priorityFee ?? 0n)
  putU256(cursor, tx.value)
  putU64(cursor, tx.nonce)
  putU128(cursor, tx.blobFeeCap)
  putBytes(cursor, tx.data)
  putCount(cursor, tx.accessList.length)
  for (const { address, slots } of tx.accessList) {
    putRaw(cursor, address)
    putCount(cursor, slots.length)
    for (const slot of slots) putRaw(cursor, slot)
  }
  putCount(cursor, tx.blobHashes.length)
  for (const hash of tx.blobHashes) putRaw(cursor, hash)
  putAuthorizations(cursor, tx)
}

function putAuthorizations(cursor: BufferCursor, { authorizations }: EvmTx): void {
  putCount(cursor, authorizations.length)
  for (const { chainId, address, nonce, authority } of authorizations) {
    putU256(cursor, chainId)
    putRaw(cursor, address)
    putU64(cursor, nonce)
    putU8(cursor, authority === undefined ? 0 : 1)
    putRaw(cursor, authority ?? noAddress)
  }
}

/** Writes an `account` record. */
export function putAccount(cursor: BufferCursor, account: EvmAccount): void {
  putU256(cursor, account.balance)
  putU64(cursor, account.nonce)
  putRaw(cursor, account.codeHash)
}

/** Returns the size of a `returned` record in bytes. */
export function returnedSize(returned: HostReturn): number {
  return 8 + 8 + 4 + returned.output.length
}

/**
 * Writes a `returned` record; `undo` is the length of the undo log since the transaction started.
 */
export function putReturned(cursor: BufferCursor, returned: HostReturn, undo: number): void {
  putU64(cursor, returned.gasUsed)
  putU64(cursor, BigInt(undo))
  putBytes(cursor, returned.output)
}

/** Returns the `call` record at the cursor; `undo` as in `putReturned`. */
export function takeCall(cursor: BufferCursor): { call: HostCall; undo: number } {
  const address = takeRaw(cursor, 20)
  const caller = takeRaw(cursor, 20)
  const value = takeU256(cursor)
  const gasLimit = takeU64(cursor)
  const undo = Number(takeU64(cursor))
  const flags = takeU8(cursor)
  const input = takeBytes(cursor)
  const isStatic = (flags & 1) !== 0
  const isDelegate = (flags & 2) !== 0
  const isCodeCall = (flags & 4) !== 0
  return { call: { address, caller, value, input, gasLimit, isStatic, isDelegate, isCodeCall }, undo }
}

/** A `result` record. `isAborted` is set if the host threw and the transaction was aborted. */
export type TakenResult = { result: EvmResult; undo: number; isAborted: boolean }

const statuses: readonly EvmResult['status'][] = ['success', 'revert', 'halt', 'refused', 'refused']
const abortedStatus = 4
const text = new TextDecoder()

/** Returns the `result` record at the cursor. */
export function takeResult(cursor: BufferCursor): TakenResult {
  const code = takeU8(cursor)
  const flags = takeU8(cursor)
  const created = (flags & 1) === 0 ? skip(cursor, 20) : takeRaw(cursor, 20)
  const frameFailed = (flags & 2) !== 0
  const gasUsed = takeU64(cursor)
  const gasPeak = takeU64(cursor)
  const refund = takeU64(cursor)
  const undo = Number(takeU64(cursor))
  const output = takeBytes(cursor)
  const kind = takeText(cursor)
  const detail = takeText(cursor)
  const logs = takeList(cursor, takeLog)
  const diff = takeList(cursor, takeAccountDiff)
  const status = statuses[code] ?? 'refused'
  const reason = kind === '' && detail === '' ? undefined : { kind, detail }
  const result = { status, reason, gasUsed, gasPeak, refund, output, frameFailed, created, logs, diff }
  return { result, undo, isAborted: code === abortedStatus }
}

function skip(cursor: BufferCursor, length: number): undefined {
  cursor.at += length
  return undefined
}

function takeText(cursor: BufferCursor): string {
  const length = takeCount(cursor)
  return length === 0 ? '' : text.decode(takeRaw(cursor, length))
}

const takeWord = (cursor: BufferCursor): Uint8Array => takeRaw(cursor, 32)

function takeLog(cursor: BufferCursor): EvmLog {
  const address = takeRaw(cursor, 20)
  const topics = takeList(cursor, takeWord)
  return { address, topics, data: takeBytes(cursor) }
}

function takeAccountDiff(cursor: BufferCursor): EvmAccountDiff {
  const address = takeRaw(cursor, 20)
  const flags = takeU8(cursor)
  const balance = takeU256(cursor)
  const nonce = takeU64(cursor)
  const codeHash = takeWord(cursor)
  const code = (flags & 4) === 0 ? undefined : takeBytes(cursor)
  const slots = takeList(cursor, takeSlot)
  return {
    address,
    created: (flags & 1) !== 0,
    destroyed: (flags & 2) !== 0,
    empty: (flags & 8) !== 0,
    balance,
    nonce,
    codeHash,
    code,
    slots,
  }
}

function takeSlot(cursor: BufferCursor): { key: Uint8Array; value: Uint8Array } {
  const key = takeWord(cursor)
  return { key, value: takeWord(cursor) }
}
