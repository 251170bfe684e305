/** The base fee of each block (cosmos-evm-rpc.md §7.3). */
import { steppedFee } from '../../../feeStep.ts'
import { decimalText, multiplyTruncate, one, truncated } from '../../decimal.ts'
import { blockGasLimit, consensusParams } from '../../consensus.ts'
import { emit, type Context } from '../../context.ts'
import { evmCoin } from '../../evmCoin.ts'
import { blockGas, getFeemarketParams, setBlockGas, setFeemarketParams, type Params } from './params.ts'

/** Returns whether base fees change at a height: they are not disabled, and not only enabled later. */
export function isBaseFeeEnabled({ noBaseFee, enableHeight }: Params, height: bigint): boolean {
  return !noBaseFee && height >= enableHeight
}

/**
 * Returns the base fee of the block at `height`, whose predecessor used `gas`. It counts the coin of x/bank, as an
 * 18-place decimal.
 */
export function nextBaseFee(
  params: Params,
  { height, gas, maxGas, factor }: { height: bigint; gas: bigint; maxGas: bigint; factor: bigint },
): bigint {
  const { noBaseFee, baseFee, enableHeight, elasticity, denominator, minGasPrice: least } = params
  if (noBaseFee) return 0n
  if (height <= enableHeight) return baseFee
  const target = elasticity === 0n ? 0n : blockGasLimit(maxGas) / elasticity
  return steppedFee({ baseFee, gas, target, denominator, least, oneWei: one / factor })
}

/** Sets the base fee of the block that begins, and emits its event. */
export function beginFeemarket(context: Context, maxGas: bigint): void {
  const params = getFeemarketParams(context)
  const place = { height: context.block.height, gas: blockGas(context), maxGas, factor: evmCoin(context).factor }
  if (!isBaseFeeEnabled(params, context.block.height)) return
  const baseFee = nextBaseFee(params, place)
  setFeemarketParams(context, { ...params, baseFee })
  emit(context, 'fee_market', { base_fee: decimalText(baseFee) })
}

/**
 * Stores the block's gas for the next base fee: the gas used, but at least a share of the gas
 * wanted.
 */
export function endFeemarket(context: Context): void {
  const { minGasMultiplier } = getFeemarketParams(context)
  const { gasWanted, gasUsed } = context.counters
  const least = truncated(multiplyTruncate(gasWanted * one, minGasMultiplier))
  const gas = least > gasUsed ? least : gasUsed
  setBlockGas(context, gas)
  emit(context, 'block_gas', { height: context.block.height.toString(), amount: gas.toString() })
}

/** Returns the base fee of the block after the state's block, in wei. */
export function baseFeeAfter(context: Context): bigint {
  return inWei(context, exactBaseFeeAfter(context))
}

/** Sets the base fee of the block after the state's block, so that its transactions can run on that state. */
export function enterNextBaseFee(context: Context): void {
  setFeemarketParams(context, { ...getFeemarketParams(context), baseFee: exactBaseFeeAfter(context) })
}

function exactBaseFeeAfter(context: Context): bigint {
  const { maxGas } = consensusParams(context).block
  const height = context.draft.base.height + 1n
  const { factor } = evmCoin(context)
  return nextBaseFee(getFeemarketParams(context), { height, gas: blockGas(context), maxGas, factor })
}

/**
 * Returns the base fee that a transaction must reach to enter the mempool: the last block's.
 * Without quirk `last-fee-required`, the next block's base fee suffices if it is lower.
 */
export function waitingBaseFee(context: Context): bigint {
  const last = baseFeeOf(context)
  if (context.fixed.requiresLastFee) return last
  const next = baseFeeAfter(context)
  return next < last ? next : last
}

/** Returns the base fee of this block in wei; 0 while fees are disabled. */
export function baseFeeOf(context: Context): bigint {
  const params = getFeemarketParams(context)
  return params.noBaseFee ? 0n : inWei(context, params.baseFee)
}

/** Returns a price of the parameters in wei. */
export function inWei(context: Context, price: bigint): bigint {
  return truncated(price * evmCoin(context).factor)
}
