/**
 * Runs messages in order, each on the state left by the previous ones, then discards all changes.
 */
import type { EvmResult } from '../../../evm/types.ts'
import type { CallBlock, EthereumCall, StateOverride } from '../../ethereumView.ts'
import type { Context } from '../context.ts'
import { writeEdit } from '../edit.ts'
import { deleteSlot, allSlots, getEvmParams } from '../modules/evm/store.ts'
import { applyDiff } from '../modules/evm/state.ts'
import { getAccount } from '../modules/auth/accounts.ts'
import { hostPrecompiles } from '../precompiles/host.ts'
import { limitedTx, surroundingsOf } from './call.ts'

/**
 * Returns the result of each message of each block. A block's overrides apply before its first
 * message and persist. Throws `GoPanic` as `Hosted.explain` does.
 */
export function runSeries(context: Context, blocks: readonly CallBlock[]): readonly (readonly EvmResult[])[] {
  return blocks.map(({ overrides, calls }) => {
    for (const override of overrides) write(context, override)
    return calls.map((call) => runKept(context, call))
  })
}

/**
 * Runs a message and keeps its changes, without checking signature, fee and nonce. As for a
 * transaction, the sender's nonce rises.
 */
function runKept(context: Context, call: EthereumCall): EvmResult {
  const { evmDenom } = getEvmParams(context)
  const { env, read } = surroundingsOf(context, call)
  const nonce = getAccount(context, call.tx.from)?.sequence ?? 0n
  const tx = { ...limitedTx(call), nonce }
  const hosted = hostPrecompiles(context, read, evmDenom)
  const { nonceBump: _, ...relax } = env.relax
  const executed = context.fixed.engine.execute({ ...env, relax }, tx, hosted.read, {
    host: hosted.host,
    ...(call.slice && { slice: call.slice }),
  })
  const result = hosted.explain(tx, executed)
  if (result.status !== 'refused') applyDiff(context, result.diff, evmDenom)
  return result
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
