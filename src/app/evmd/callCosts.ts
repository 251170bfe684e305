/**
 * What a message pays for the stores that a contract call of its module reads. The node runs such
 * a call on metered stores (x/vm call_evm.go), a transaction's own call on free ones.
 */
import { hexOf } from '../../codec/hex.ts'
import { equalBytes } from '../../data/bytes.ts'
import type { EvmRead } from '../../evm/types.ts'
import type { Context } from './context.ts'
import { getAccount } from './modules/auth/accounts.ts'
import { findTokenPair, precompileKind } from './modules/erc20/tokenPairs.ts'
import { getFeemarketParams } from './modules/feemarket/params.ts'
import { getPreciseSpendable } from './modules/precisebank/send.ts'
import { validatorByConsensus } from './modules/staking/validators.ts'
import { emptyCodeHash, getCode, getCodeHash, getCoinInfo, getEvmParams, getSlot } from './modules/evm/store.ts'

/** Reads of an execution in their order, each thing once as in the node's state objects. */
export type Noted = {
  readonly read: EvmRead
  /** Charges the message for what was read. */
  readonly charge: () => void
}

/**
 * Returns a way to read that remembers what was read, to be charged when the engine has returned.
 * The engine also loads the coinbase, which the node does not.
 */
export function noted(
  context: Context,
  read: EvmRead,
  { denom, coinbase }: { denom: string; coinbase: Uint8Array },
): Noted {
  const costs = new Map<string, () => void>()
  const note = (name: string, cost: () => void): void => {
    if (!costs.has(name)) costs.set(name, cost)
  }
  return {
    read: {
      ...read,
      account: (address) => {
        if (!equalBytes(address, coinbase)) {
          note(hexOf(address), () => chargeAccount(context, address, denom))
        }
        return read.account(address)
      },
      slot: (address, slot) => {
        note(hexOf(address) + hexOf(slot), () => getSlot(context, address, slot))
        return read.slot(address, slot)
      },
    },
    charge: () => {
      for (const cost of costs.values()) cost()
    },
  }
}

/** An account costs its record, its code hash, its balance and its code. */
function chargeAccount(context: Context, address: Uint8Array, denom: string): void {
  if (getAccount(context, address) === undefined) return
  const hash = getCodeHash(context, address)
  getPreciseSpendable(context, address, denom)
  // The engine keeps codes it has seen, so it does not ask for them again.
  if (!equalBytes(hash, emptyCodeHash)) getCode(context, hash)
}

/** Charges for what the node reads before it runs a call: its configuration, and who answers. */
export function chargeSetup(context: Context, to: Uint8Array): void {
  getEvmParams(context)
  getFeemarketParams(context)
  validatorByConsensus(context, context.block.proposerAddress)
  getCoinInfo(context)
  getFeemarketParams(context) // once more, for the base fee
  const { activeStaticPrecompiles } = getEvmParams(context)
  const isStatic = activeStaticPrecompiles.some((each) => each.toLowerCase() === hexOf(to))
  if (!isStatic && precompileKind(context, to) !== undefined) findTokenPair(context, to)
}
