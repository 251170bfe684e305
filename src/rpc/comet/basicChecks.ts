/**
 * CometBFT's length checks of hashes, addresses and signatures (`types/validation.go`,
 * `types/vote.go`).
 */

/** Returns the error for the length of a hash, which may be empty, or undefined if it is valid. */
export function hashProblem({ length }: Uint8Array): string | undefined {
  return length === 0 || length === 32 ? undefined : `expected size to be 32 bytes, got ${length} bytes`
}

/** Returns the error for the length of a validator address, or undefined if it is valid. */
export function addressProblem({ length }: Uint8Array): string | undefined {
  return length === 20 ? undefined : `expected ValidatorAddress size to be 20 bytes, got ${length} bytes`
}

/** Returns the error for the length of a signature, or undefined if it is valid. */
export function signatureProblem(signature: Uint8Array | undefined): string | undefined {
  if (signature === undefined || signature.length === 0) return 'signature is missing'
  return signature.length > 64 ? 'signature is too big (max: 64)' : undefined
}
