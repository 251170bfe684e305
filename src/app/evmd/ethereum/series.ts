/**
 * Runs messages in order, each on the state left by the previous ones, then discards all changes.
 */
import { refusedAs } from '../../../evm/refusal.ts'
import type { EvmRelax, EvmResult } from '../../../evm/types.ts'
import type { BlockRules, CallBlock, CallBlockEnd, EthereumCall, StateOverride } from '../../ethereumView.ts'
import type { Context } from '../context.ts'
import { one } from '../decimal.ts'
import { writeEdit } from '../edit.ts'
import { baseFeeAfter } from '../modules/feemarket/baseFee.ts'
import { getFeemarketParams, setBlockGas, setFeemarketParams } from '../modules/feemarket/params.ts'
import { evmCoin } from '../evmCoin.ts'
import { deleteSlot, allSlots } from '../modules/evm/store.ts'
import { applyDiff, beginEvm } from '../modules/evm/state.ts'
import { getAccount } from '../modules/auth/accounts.ts'
import { hostPrecompiles } from '../precompiles/host.ts'
import { TxError } from '../txError.ts'
import { hostOptions, limitedTx, movedBy, surroundingsOf } from './call.ts'
import { logsWithTransfers } from './transferLogs.ts'

/**
 * Returns the results of the messages of each block. A block's overrides apply before its first
 * message and persist. Throws `GoPanic` as `Hosted.explain` does.
 */
export function runSeries(context: Context, blocks: readonly CallBlock[]): readonly CallBlockEnd[] {
  const ends: CallBlockEnd[] = []
  const used = { gas: 0n }
  const overridden: StateOverride[] = []
  for (const { overrides, calls, rules } of blocks) {
    for (const override of overrides) write(context, override)
    overridden.push(...overrides)
    if (rules === undefined) {
      const way = { overrides: overridden, relax: messageRelax }
      ends.push({ ...nothing, results: calls.map((call) => runKept(context, call, way)) })
    } else {
      // As in geth, a precompile is moved or removed for one block.
      const end = runBlock(context, { overrides, calls, rules }, used)
      ends.push(end)
      if (end.results.at(-1)?.status === 'refused') break
    }
  }
  return ends
}

const nothing = { baseFee: 0n, ran: [], logs: [] } as const

/** No fee is charged, and signature, fee and nonce are not checked; the sender's nonce rises, as for a transaction. */
const messageRelax: EvmRelax = { nonce: true, fees: true, baseFee: true, senderCode: true, blockGasLimit: true }

type Ruled = CallBlock & { readonly rules: BlockRules }

/** Runs the messages of a simulated block, as geth does; `used` is the gas used by all blocks. */
function runBlock(context: Context, { overrides, calls, rules }: Ruled, used: { gas: bigint }): CallBlockEnd {
  const { block, hash, isValidated } = rules
  beginEvm({ ...context, block: { ...context.block, height: block.height, hash } })
  const baseFee = block.baseFee ?? (isValidated ? baseFeeAfter(context) : 0n)
  setFeemarketParams(context, { ...getFeemarketParams(context), baseFee: baseFee * one })
  const results: EvmResult[] = []
  const ran: CallBlockEnd['ran'][number][] = []
  const logs: CallBlockEnd['logs'][number][] = []
  let gasUsed = 0n
  for (const [index, asked] of calls.entries()) {
    const left = asked.gasCap - used.gas
    const wanted = rules.asked[index]?.gas ?? block.gasLimit - gasUsed
    const gasLimit = wanted < left ? wanted : left
    const state = getAccount(context, asked.tx.from)?.sequence ?? 0n
    const tx = { ...asked.tx, gasLimit, nonce: rules.asked[index]?.nonce ?? state }
    const call = { ...asked, tx, blockOverride: { ...block, baseFee } }
    const isFree = tx.gasPrice === 0n
    const relax = isValidated ? { senderCode: true } : { senderCode: true, nonce: true, baseFee: isFree }
    const isFull = gasUsed + wanted > block.gasLimit
    if (rules.logsTransfers && !isFull) logs.push(logsWithTransfers(tracedCalls(context, call, { overrides, relax })))
    const result = isFull ? fullBlock(gasUsed, block.gasLimit) : runKept(context, call, { overrides, relax })
    results.push(result)
    ran.push({ gas: gasLimit, nonce: tx.nonce })
    gasUsed += result.gasUsed
    used.gas += result.gasUsed
    if (result.status === 'refused') break
  }
  setBlockGas(context, gasUsed)
  return { results, ran, logs, baseFee }
}

function fullBlock(gasUsed: bigint, limit: bigint): EvmResult {
  const detail = `block gas limit reached: ${gasUsed} >= ${limit}`
  return refusedAs('BlockGasLimitReached', detail)
}

type Way = { readonly overrides: readonly StateOverride[]; readonly relax: EvmRelax }

function jobOf(context: Context, call: EthereumCall, { overrides, relax }: Way) {
  const { env, read } = surroundingsOf(context, call, relax)
  const nonce = getAccount(context, call.tx.from)?.sequence ?? 0n
  const tx = limitedTx(call)
  const moved = overrides.length === 0 ? {} : { movedPrecompiles: movedBy(overrides) }
  const hosted = hostPrecompiles(context, read, evmCoin(context))
  const options = hostOptions(context, hosted.host, { ...call, overrides })
  return { env: { ...env, ...moved }, tx: relax.nonce === true ? { ...tx, nonce } : tx, hosted, options }
}

/** Runs a message and keeps its changes. One whose changes the modules refuse fails without any. */
function runKept(context: Context, call: EthereumCall, way: Way): EvmResult {
  const { env, tx, hosted, options } = jobOf(context, call, way)
  const mark = context.draft.mark()
  const result = hosted.explain(tx, context.fixed.engine.execute(env, tx, hosted.read, options))
  if (result.status === 'refused') return result
  try {
    applyDiff(context, result.diff, evmCoin(context))
    return result
  } catch (error) {
    if (!(error instanceof TxError)) throw error
    context.draft.cut(mark)
    const reason = { kind: 'NotCommitted', detail: `failed to commit stateDB: ${error.message}` }
    return { ...result, status: 'halt', reason, output: new Uint8Array(0), created: undefined, logs: [], diff: [] }
  }
}

/** Returns the trace of a message by `callTracer` as JSON text, empty if it is refused. Keeps no changes. */
function tracedCalls(context: Context, call: EthereumCall, way: Way): string {
  const { env, tx, hosted, options } = jobOf(context, call, way)
  const tracer = { name: 'callTracer', withLog: true } as const
  const { json } = context.fixed.engine.trace({ env, tx, read: hosted.read }, tracer, options)
  hosted.undo()
  return json
}

function write(context: Context, { address, balance, nonce, code, state, stateDiff }: StateOverride): void {
  if (balance !== undefined) writeEdit(context, { type: 'setBalance', address, amount: balance })
  if (nonce !== undefined) writeEdit(context, { type: 'setNonce', address, nonce })
  if (code !== undefined) writeEdit(context, { type: 'setCode', address, code })
  if (state !== undefined) {
    for (const { key } of allSlots(context, address)) deleteSlot(context, address, key)
  }
  for (const [slot, value] of state ?? stateDiff ?? []) {
    writeEdit(context, { type: 'setStorage', address, slot, value })
  }
}
