/**
 * The byte fields of a CometBFT header, listed once for types, hash, wire form, JSON and readers.
 */

/**
 * Hashes and the proposer's address, in the order of CometBFT's fields 6 to 14, with JSON names.
 */
export const headerHashes = {
  lastCommitHash: 'last_commit_hash',
  dataHash: 'data_hash',
  validatorsHash: 'validators_hash',
  nextValidatorsHash: 'next_validators_hash',
  consensusHash: 'consensus_hash',
  appHash: 'app_hash',
  lastResultsHash: 'last_results_hash',
  evidenceHash: 'evidence_hash',
  proposerAddress: 'proposer_address',
} as const

export type HeaderHash = keyof typeof headerHashes
export type HeaderHashJson = (typeof headerHashes)[HeaderHash]

/** The field names, in list order. */
export const headerHashNames = Object.keys(headerHashes) as readonly HeaderHash[]

/** Returns a record of `valueFor`'s results, keyed by field name. */
export function eachHeaderHash<Value>(valueFor: (json: HeaderHashJson) => Value): Record<HeaderHash, Value> {
  return Object.fromEntries(headerHashNames.map((name) => [name, valueFor(headerHashes[name])])) as Record<
    HeaderHash,
    Value
  >
}

/** Returns a record of `valueFor`'s results, keyed by JSON name. */
export function headerHashesJson<Value>(valueFor: (name: HeaderHash) => Value): Record<HeaderHashJson, Value> {
  return Object.fromEntries(headerHashNames.map((name) => [headerHashes[name], valueFor(name)])) as Record<
    HeaderHashJson,
    Value
  >
}
