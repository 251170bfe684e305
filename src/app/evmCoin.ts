/** The coin that pays for gas, as the EVM and as x/bank count it (cosmos/evm x/vm types/scaling.go). */

/**
 * The EVM's coin. The EVM counts in wei, 18 decimals, which `extendedDenom` names; x/bank counts in `denom`,
 * each worth `factor` wei. With 18 decimals both are the same and the factor is 1. With 6 decimals, such as
 * `utest`, the factor is 10^12, and x/precisebank keeps the wei beyond whole `utest`.
 */
export type EvmCoin = {
  readonly denom: string
  readonly extendedDenom: string
  readonly factor: bigint
  readonly decimals: number
}
