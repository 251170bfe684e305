/** The stores of evmd v0.5.0: the leaves of the app hash, in the order of their names. */
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
