/** Fills in missing transaction arguments. */
import type { StateOverride } from '../../app/ethereumView.ts'
import type { AppState } from '../../app/state.ts'
import type { BlockRef } from '../../codec/blockRef.ts'
import type { DynamicFeeTx, EthTx } from '../../codec/ethTx.ts'
import { quantityOf } from '../../codec/hex.ts'
import { equalBytes } from '../../data/bytes.ts'
import { hasQuirk } from '../../settings/quirks.ts'
import type { Context } from '../method.ts'
import { callOf, estimateBlock, estimated } from './calls.ts'
import { aboveHead, serverError } from './errors.ts'
import { baseFeeOf, suggestedTip } from './fees.ts'
import { ethereumOf, stateOfRef } from './lookup.ts'
import { pending } from './params.ts'
import { pendingNonce } from './pool.ts'
import { inputOf, mixedPrices, type TxArgs } from '../../app/txArgs.ts'

/** The state on which missing gas is estimated, and the overrides given for it. */
export type Basis = { readonly state: AppState; readonly overrides: readonly StateOverride[] }

/**
 * Returns the unsigned transaction for the given arguments. Missing nonce, prices and gas are
 * filled in from the chain (`cosmos-evm-rpc.md` §2.7). The gas is estimated in the next block, or
 * on `basis`.
 */
export function fillTx(context: Context, args: TxArgs, basis?: Basis): EthTx {
  const mixed = mixedPrices(args)
  if (mixed !== undefined) throw serverError(mixed)
  const prices = pricesOf(context, args)
  checkData(args)
  const view = ethereumOf(context)
  const { app } = context.node.chain
  const { chainId } = view.params(app)
  const from = args.from ?? new Uint8Array(20)
  if (args.to === undefined && inputOf(args).length === 0) {
    throw serverError('contract creation without any data provided')
  }
  const common = {
    nonce: args.nonce ?? pendingNonce(context, from, view.account(app, from).nonce),
    gas: args.gas ?? guessGas(context, { ...args, from }, prices, basis),
    value: args.value ?? 0n,
    data: inputOf(args),
    v: 0n,
    r: 0n,
    s: 0n,
  }
  const dropsList = hasQuirk(context.node.settings, 'access-list-dropped')
  return typedTx(args, { ...common, ...prices, chainId, dropsList })
}

type Common = Pick<DynamicFeeTx, 'nonce' | 'gas' | 'value' | 'data' | 'v' | 'r' | 's' | 'chainId'>
type Filled = Common & Pick<DynamicFeeTx, 'maxFeePerGas' | 'maxPriorityFeePerGas'> & { readonly dropsList: boolean }

/** Returns the unsigned transaction of the type that the arguments mean. */
export function typedTx(args: TxArgs, { chainId, dropsList, ...filled }: Filled): EthTx {
  const { maxFeePerGas: _, maxPriorityFeePerGas: __, ...common } = filled
  const accessList = (args.accessList ?? []).map(({ address, slots }) => ({ address, storageKeys: slots }))
  if (args.gasPrice !== undefined) {
    const priced = { ...common, to: args.to, gasPrice: args.gasPrice }
    const isListed = args.accessList !== undefined && !dropsList
    return isListed ? { type: 1, ...priced, chainId, accessList } : { type: 0, ...priced }
  }
  const listed = { ...filled, chainId, accessList }
  const { to } = args
  if (args.authorizationList !== undefined && to !== undefined) {
    return { type: 4, ...listed, to, authorizations: args.authorizationList }
  }
  if (args.blobVersionedHashes !== undefined && to !== undefined) {
    return {
      type: 3,
      ...listed,
      to,
      blobHashes: args.blobVersionedHashes,
      blobFeeCap: args.maxFeePerBlobGas ?? 0n,
    }
  }
  return { type: 2, ...listed, to }
}

function checkData({ data: old, input }: TxArgs): void {
  if (old === undefined || input === undefined || equalBytes(old, input)) return
  throw serverError(
    "both 'data' and 'input' are set and not equal. " + "Please use 'input' to pass transaction call data",
  )
}

type Prices = Pick<DynamicFeeTx, 'maxPriorityFeePerGas' | 'maxFeePerGas'>

/** Returns the given or suggested prices. Throws if the given ones contradict each other, or the suggestion. */
function pricesOf(context: Context, { gasPrice, maxFeePerGas, maxPriorityFeePerGas }: TxArgs): Prices {
  const tip = maxPriorityFeePerGas ?? suggestedTip(context)
  const cap = maxFeePerGas ?? tip + 2n * baseFeeOf(context)
  if (gasPrice === undefined && cap < tip) {
    throw serverError(`maxFeePerGas (${quantityOf(cap)}) < maxPriorityFeePerGas (${quantityOf(tip)})`)
  }
  return { maxPriorityFeePerGas: tip, maxFeePerGas: cap }
}

// The node estimates on the state of height 1, where later contracts do not exist yet. The sender must be able to pay
// the prices there.
function guessGas(context: Context, args: TxArgs, prices: Prices, basis: Basis | undefined): bigint {
  const isGuessing = hasQuirk(context.node.settings, 'gas-guessed-at-height-one')
  if (basis !== undefined && !isGuessing) {
    const { state, overrides } = basis
    return estimated(context, state, callOf(context, state, { args, overrides }))
  }
  const ref: BlockRef = isGuessing ? { kind: 'height', height: 0n } : pending
  const state: AppState = stateOfRef(context, ref, aboveHead.header)
  const block = estimateBlock(context, ref, state)
  const priced = args.gasPrice === undefined ? { ...args, ...prices } : args
  // The node's message for the estimate has no authorizations.
  const own = isGuessing ? { ...priced, authorizationList: undefined } : priced
  return estimated(context, state, callOf(context, state, { args: own, ...block }))
}
