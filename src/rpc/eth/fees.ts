/** Suggested prices of Ethereum JSON-RPC (`cosmos-evm-rpc.md` §2.5, §7.3). */
import { steppedFee } from '../../app/feeStep.ts'
import { latestBlock } from '../../chain/view.ts'
import { hasQuirk } from '../../settings/quirks.ts'
import type { Context } from '../method.ts'
import { ethereumOf } from './lookup.ts'

const one = 10n ** 18n

/**
 * Returns the base fee on which suggestions are based: that of the newest block, or that of the
 * next block if it is higher. The node uses the newest block (quirk `pending-is-latest`). Before
 * the first block it is that of the first block.
 */
export function baseFeeOf(context: Context): bigint {
  const { chain, settings } = context.node
  const last = latestBlock(chain)?.ethereum.baseFee ?? chain.app.transient.baseFee
  if (hasQuirk(settings, 'pending-is-latest')) return last
  const next = ethereumOf(context).nextBaseFee(chain.app)
  return next > last ? next : last
}

/** Returns the suggested tip: the most that the base fee can rise by in the next block. */
export function suggestedTip(context: Context): bigint {
  const { elasticityMultiplier, baseFeeChangeDenominator } = ethereumOf(context).params(context.node.chain.app)
  return (baseFeeOf(context) * (elasticityMultiplier - 1n)) / baseFeeChangeDenominator
}

/** Returns the suggested gas price: base fee plus tip, and at least the chain's minimum. */
export function suggestedPrice(context: Context): bigint {
  const { minGasPrice } = ethereumOf(context).params(context.node.chain.app)
  const price = baseFeeOf(context) + suggestedTip(context)
  return price > minGasPrice ? price : minGasPrice
}

export type FeeRule = {
  readonly elasticityMultiplier: bigint
  readonly baseFeeChangeDenominator: bigint
  readonly minGasPrice: bigint
}

/**
 * Returns the base fee after a block as `eth_feeHistory` computes it. It uses gas used instead of
 * gas wanted, so it can differ from the real base fee (corrections-b 19).
 */
export function feeAfter(
  block: {
    readonly baseFee: bigint
    readonly gasUsed: bigint
    readonly gasLimit: bigint
  },
  rule: FeeRule,
): bigint {
  const { elasticityMultiplier, baseFeeChangeDenominator: denominator, minGasPrice } = rule
  // In 18-digit fixed point, as the fee market stores it; the fraction is truncated at the end.
  const [baseFee, least] = [block.baseFee * one, minGasPrice * one]
  const target = block.gasLimit / elasticityMultiplier
  return steppedFee({ baseFee, gas: block.gasUsed, target, denominator, least, oneWei: one }) / one
}
