/** The rule by which base fees follow the gas of blocks (EIP-1559; cosmos/evm x/feemarket). */

/** `target` is the gas that keeps the fee. Fees are 18-place decimals; `oneWei` is a wei in their unit. */
export type FeeStep = {
  readonly baseFee: bigint
  readonly gas: bigint
  readonly target: bigint
  readonly denominator: bigint
  readonly least: bigint
  readonly oneWei: bigint
}

/** Returns the base fee after a block. A rise is at least one wei, and a fall ends at `least`. */
export function steppedFee({ baseFee, gas, target, denominator, least, oneWei }: FeeStep): bigint {
  if (target === 0n) return 0n
  if (gas === target) return baseFee
  const distance = gas > target ? gas - target : target - gas
  const change = (distance * baseFee) / target / denominator
  if (gas > target) return baseFee + (change > oneWei ? change : oneWei)
  const lower = baseFee - change
  return lower > least ? lower : least
}
