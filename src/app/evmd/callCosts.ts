/**
 * Gas that a message pays for the store reads of its module's contract calls. The node runs such
 * calls on metered stores (x/vm call_evm.go), but a transaction's own call on free stores.
 */
import { hexOf } from '../../codec/hex.ts'
import { equalBytes } from '../../data/bytes.ts'
import type { EvmRead } from '../../evm/types.ts'
import { type Context, withFreeStores } from './context.ts'
import { getAccount } from './modules/auth/accounts.ts'
import { isEthereumPrecompile } from './modules/bank/blocked.ts'
import { findTokenPair, precompileKind } from './modules/erc20/tokenPairs.ts'
import { getFeemarketParams } from './modules/feemarket/params.ts'
import { readSpendableWei } from './modules/precisebank/send.ts'
import { readEvmCoin } from './evmCoin.ts'
import type { EvmCoin } from '../evmCoin.ts'
import { validatorByConsensus } from './modules/staking/validators.ts'
import { emptyCodeHash, getCode, getCodeHash, getEvmParams, getSlot } from './modules/evm/store.ts'

/** The reads of an execution in order, each entry once, as in the node's state objects. */
export type Noted = {
  readonly read: EvmRead
  /** Charges the message for the recorded reads. */
  readonly charge: () => void
}

/**
 * Returns a state reader that records its reads, so that they can be charged after the execution.
 * Reads of the coinbase are ignored, because only the engine loads it, not the node. The node looks
 * for the account `to` first. If it is missing and no precompile, the node looks for it twice (its
 * code may be a delegation) and reads nothing else.
 */
export function noted(
  context: Context,
  read: EvmRead,
  { coin, coinbase, to, isPrecompile }: Called & { coin: EvmCoin; coinbase: Uint8Array },
): Noted {
  const costs = new Map<string, () => void>()
  const isMissing = !isPrecompile && getAccount(withFreeStores(context), to) === undefined
  const note = (name: string, cost: () => void): void => {
    if (!costs.has(name)) costs.set(name, cost)
  }
  return {
    read: {
      ...read,
      account: (address) => {
        if (!isMissing && !equalBytes(address, coinbase)) {
          note(hexOf(address), () => chargeAccount(context, address, coin))
        }
        return read.account(address)
      },
      slot: (address, slot) => {
        note(hexOf(address) + hexOf(slot), () => getSlot(context, address, slot))
        return read.slot(address, slot)
      },
    },
    charge: () => {
      if (isMissing) for (const _ of [1, 2]) getAccount(context, to)
      for (const cost of costs.values()) cost()
    },
  }
}

/** Charges for an account: its record, code hash, balance and code. */
function chargeAccount(context: Context, address: Uint8Array, coin: EvmCoin): void {
  if (getAccount(context, address) === undefined) return
  const hash = getCodeHash(context, address)
  readSpendableWei(context, address, coin)
  // The engine caches code and does not read it again.
  if (!equalBytes(hash, emptyCodeHash)) getCode(context, hash)
}

/** The called address, and whether it is a precompile. */
type Called = { readonly to: Uint8Array; readonly isPrecompile: boolean }

/**
 * Charges for the node's reads before a call: its parameters, and the kind of the called address.
 */
export function chargeSetup(context: Context, to: Uint8Array): Called {
  getEvmParams(context)
  getFeemarketParams(context)
  validatorByConsensus(context, context.block.proposerAddress)
  readEvmCoin(context)
  getFeemarketParams(context) // read again for the base fee
  const { activeStaticPrecompiles } = getEvmParams(context)
  const isStatic = activeStaticPrecompiles.some((each) => each.toLowerCase() === hexOf(to))
  if (isStatic) return { to, isPrecompile: true }
  const isToken = precompileKind(context, to) !== undefined
  if (isToken) findTokenPair(context, to)
  return { to, isPrecompile: isToken || isEthereumPrecompile(to) }
}
