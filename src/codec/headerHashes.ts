/** The one list of what a CometBFT header holds as bytes; types, hash, wire form, JSON and readers follow it. */

/** Hashes and the proposer's address, in the order of CometBFT's fields 6 to 14, each with its name in JSON. */
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

/** The names of the list, in its order. */
export const headerHashNames = Object.keys(headerHashes) as readonly HeaderHash[]

/** Returns what `valueOf` gives for each of the list, by name. */
export function eachHeaderHash<Value>(valueOf: (json: HeaderHashJson) => Value): Record<HeaderHash, Value> {
  return Object.fromEntries(headerHashNames.map((name) => [name, valueOf(headerHashes[name])])) as Record<
    HeaderHash,
    Value
  >
}

/** Returns what `valueOf` gives for each of the list, by its name in JSON. */
export function headerHashesJson<Value>(valueOf: (name: HeaderHash) => Value): Record<HeaderHashJson, Value> {
  return Object.fromEntries(headerHashNames.map((name) => [headerHashes[name], valueOf(name)])) as Record<
    HeaderHashJson,
    Value
  >
}
