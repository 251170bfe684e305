/** The stores of evmd v0.5.0, which are the leaves of the app hash, ordered by name. */
export const storeNames = [
  'acc',
  'authz',
  'bank',
  'consensus',
  'distribution',
  'erc20',
  'evidence',
  'evm',
  'feegrant',
  'feemarket',
  'gov',
  'ibc',
  'mint',
  'precisebank',
  'slashing',
  'staking',
  'transfer',
  'upgrade',
] as const

export type StoreName = (typeof storeNames)[number]
