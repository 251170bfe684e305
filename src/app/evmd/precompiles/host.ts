/** The chain's own precompiles, called by the engine (design §10). */
import { equalBytes } from '../../../data/bytes.ts'
import type {
  EvmDiff,
  EvmRead,
  EvmResult,
  EvmTx,
  HostCall,
  HostJournal,
  HostPrecompiles,
  HostReturn,
} from '../../../evm/types.ts'
import { GoPanic } from '../../../codec/comet.ts'
import { gasMeter } from '../../gasMeter.ts'
import { meteredStore } from '../../meteredStore.ts'
import type { Context } from '../context.ts'
import type { EvmCoin } from '../../evmCoin.ts'
import { createAccount, hasAccount } from '../modules/auth/accounts.ts'
import { firstRead, type LoadedAccounts, reflect, settle, type Touched, watched, withSettled } from './balances.ts'
import { Halted } from './halted.ts'
import { findPrecompile, precompileAddressesOf } from './directory.ts'
import type { Frame, MethodTable, PlainFunction } from './precompile.ts'
import { Reverted } from './reverted.ts'
import { baseGas, reasonOf, revertedWith, runMethod } from './run.ts'
import { checksumAddress } from '../../../crypto/checksumAddress.ts'

/**
 * The precompiles of one execution. The execution must read state through `read`. It keeps or
 * undoes the modules' changes.
 */
export type Hosted = {
  readonly host: HostPrecompiles
  readonly read: EvmRead
  /**
   * Returns the result with the error text of a directly called precompile. Throws `GoPanic` where
   * the node panics: in a precompile, for a call to an active one that the node does not implement,
   * and for the blob base fee, which it does not implement either.
   */
  readonly explain: (tx: EvmTx, result: EvmResult) => EvmResult
  /** Returns the changes of an execution with balances that modules have changed on the way; `explain` does too. */
  readonly settled: (diff: EvmDiff) => EvmDiff
  /** Reverts all changes by modules, after a call whose changes are not kept. */
  readonly undo: () => void
}

/** State of one execution. `undo` has an entry per call, with the lengths to restore. */
type Run = {
  readonly context: Context
  readonly coin: EvmCoin
  readonly loaded: LoadedAccounts
  readonly undo: { readonly changes: number; readonly events: number; readonly settled: number }[]
  /** Accounts whose bank balances have changed, by address; one may be there several times. */
  readonly settled: string[]
  calls: number
  failure: { readonly address: Uint8Array; readonly text: string } | undefined
  panic: string | undefined
}

/** Maximum number of precompile calls per transaction, as on the node. */
const callsMax = 20
const nothing = new Uint8Array(0)

/** Returns the precompiles over a context's draft, which modules change as they run. */
export function hostPrecompiles(metered: Context, read: EvmRead, coin: EvmCoin): Hosted {
  const context: Context = { ...metered, store: (name) => metered.draft.raw(name) }
  const loaded: LoadedAccounts = new Map()
  const run: Run = {
    context,
    coin,
    loaded,
    undo: [],
    settled: [],
    calls: 0,
    failure: undefined,
    panic: undefined,
  }
  const cut = (length: number): void => cutTo(run, length)
  return {
    host: {
      addresses: precompileAddressesOf(context),
      begin: () => {
        run.calls = 0
      },
      call: (call, journal) => answer(run, call, journal),
      mark: () => run.undo.length,
      cut,
    },
    read: { ...read, account: firstRead(read.account, loaded) },
    explain: (tx, result) => explained(run, tx, result),
    settled: (diff) => withSettled(diff, run.settled, loaded),
    undo: () => cut(0),
  }
}

function cutTo({ context, undo, settled }: Run, length: number): void {
  const entry = undo[length]
  if (entry === undefined) return
  context.draft.cut(entry.changes)
  context.events.length = entry.events
  settled.length = entry.settled
  undo.length = length
}

/**
 * Runs a call. The first call of an address without an account creates one, as the node's statedb
 * does.
 */
function answer(run: Run, call: HostCall, journal: HostJournal): HostReturn {
  const { context } = run
  run.undo.push({ changes: context.draft.mark(), events: context.events.length, settled: run.settled.length })
  if (!call.isDelegate && !call.isCodeCall && !hasAccount(context, call.address)) createAccount(context, call.address)
  const precompile = findPrecompile(context, call.address)
  if (precompile.kind === 'methods') return answerMethods(run, precompile, { call, journal })
  if (precompile.kind === 'plain') return answerPlain(run, precompile, call)
  const address = checksumAddress(call.address)
  return panicked(run, `precompiled contract not stored in memory: ${address}`)
}

function answerPlain(run: Run, { gas, run: compute }: PlainFunction, call: HostCall): HostReturn {
  if (gas > call.gasLimit) return outOfGas
  try {
    return { status: 'success', gasUsed: gas, output: compute(call.input, run.context) }
  } catch (error) {
    if (error instanceof Reverted) return { status: 'revert', gasUsed: gas, output: nothing }
    if (!(error instanceof Halted)) throw error
    run.failure = { address: call.address, text: error.message }
    return outOfGas
  }
}

const outOfGas: HostReturn = { status: 'outOfGas', gasUsed: 0n, output: nothing }

function answerMethods(run: Run, table: MethodTable, { call, journal }: Pick<Frame, 'call' | 'journal'>): HostReturn {
  const gas = baseGas(table, call.input)
  if (gas > call.gasLimit) return outOfGas
  const { context, coin } = run
  const meter = gasMeter(call.gasLimit - gas)
  const touched: Touched = new Map()
  try {
    run.calls += 1
    if (run.calls > callsMax) throw new Reverted(`max calls to precompiles (${callsMax}) reached`)
    run.settled.push(...settle({ context, journal, coin }, run.loaded))
    const store: Context['store'] = (name) => {
      const raw = context.draft.raw(name)
      const own = watched(name, raw, { context, journal, coin }, touched)
      return table.isMetered ? meteredStore(own, meter) : own
    }
    const output = runMethod(table, {
      context: { ...context, gas: meter, store },
      call,
      journal,
      coin,
    })
    reflect({ context, journal, coin }, touched)
    run.settled.push(...touched.keys())
    return { status: 'success', gasUsed: gas + meter.consumed(), output }
  } catch (error) {
    if (error instanceof GoPanic) return panicked(run, error.message)
    const reason = reasonOf(error)
    if (reason === undefined) throw error
    return revertedWith(reason, gas)
  }
}

/** Ends a call on which the node panics. The whole execution fails when it is over (`explained`). */
function panicked(run: Run, text: string): HostReturn {
  run.panic ??= text
  return { status: 'revert', gasUsed: 0n, output: nothing }
}

/**
 * Returns the result with the precompile's error text, because the engine reports only out of gas
 * or reverted, and with all balances to set (`withSettled`).
 */
function explained({ failure, panic, settled, loaded }: Run, { to }: EvmTx, found: EvmResult): EvmResult {
  if (panic !== undefined) throw new GoPanic(panic)
  if (found.reason?.kind === 'NilPointer') throw new GoPanic(found.reason.detail)
  const result = settled.length === 0 ? found : { ...found, diff: withSettled(found.diff, settled, loaded) }
  if (failure === undefined || to === undefined || result.status === 'success') return result
  if (!equalBytes(failure.address, to)) return result
  return { ...result, status: 'halt', reason: { kind: 'PrecompileError', detail: failure.text } }
}
