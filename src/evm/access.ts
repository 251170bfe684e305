/** Which contracts may call others and create some, for the signer of a transaction. */
export type EvmAccess = { calls: EvmAccessRule; creations: EvmAccessRule }

/** Whether contracts are forbidden to do something, and those for which the contrary holds. */
export type EvmAccessRule = { isClosed: boolean; except: readonly Uint8Array[] }
