/** The prefixes that Cosmos addresses may have here; BIP-173 allows more, which no chain uses. */
export const bech32Prefixes = /^[a-z\d]{1,40}$/
