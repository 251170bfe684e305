/** JSON-RPC error codes that only chainstage has (`docs/reference/exit-and-error-codes.md`). */
export const ownCodes = {
  /** The recording lacks the call. */
  notRecorded: -32070,
  /** The other node did not answer, or may not be written to. */
  away: -32071,
  /** The other node's answer cannot be used. */
  unusable: -32072,
  /** A read without side effects needs state that has not been fetched. */
  notFetched: -32073,
} as const
