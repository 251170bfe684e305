/**
 * Checks whether enough of a validator set signed a commit, as CometBFT `types/validation.go`
 * counts.
 */
import type { Commit, CommitSignature, Validator, ValidatorSet } from '../../chain/block.ts'
import { voteSignBytes } from '../../chain/hashing.ts'
import { totalPower } from '../../chain/validators.ts'
import { upperHexOf } from '../../codec/comet.ts'
import { ed25519Verify } from '../../crypto/ed25519.ts'
import { equalBytes } from '../../data/bytes.ts'
import { signatureText, validatorText } from './attackText.ts'

type Signed = { readonly set: ValidatorSet; readonly commit: Commit; readonly chainId: string }

/**
 * Returns the error if a commit lacks signatures with more than two thirds of the power of its own
 * validator set; otherwise undefined.
 */
export function commitReason(signed: Signed): string | undefined {
  const {
    set: { validators },
    commit: { signatures },
  } = signed
  if (validators.length !== signatures.length) {
    return `Invalid commit -- wrong set size: ${validators.length} vs ${signatures.length}`
  }
  const votes = signatures.flatMap((one, index): readonly CountedVote[] => {
    const validator = validators[index]
    return one.flag === 2 && validator !== undefined ? [{ one, index, validator }] : []
  })
  // A set decoded from JSON may mix key types, so signatures are checked one by one.
  return (
    unsigned(signed, votes, ({ signature }) => upperHexOf(signature)) ??
    powerReason(votes, (totalPower(validators) * 2n) / 3n)
  )
}

/**
 * Returns the error if a commit lacks signatures with more than a third of the power of a trusted
 * set; otherwise undefined. Signers outside that set do not count.
 */
export function trustingReason(signed: Signed): string | undefined {
  const {
    set: { validators },
    commit: { signatures },
  } = signed
  const votes: CountedVote[] = []
  for (const [index, one] of signatures.entries()) {
    const validator = one.flag === 2 ? validators.find(({ address }) => equalBytes(address, one.address)) : undefined
    if (validator === undefined) continue
    const first = votes.find((vote) => vote.validator === validator)
    if (first !== undefined) {
      return `double vote from ${validatorText(validator)} (${first.index} and ${index})`
    }
    votes.push({ one, index, validator })
  }
  const needed = totalPower(validators) / 3n
  const isBatch = signatures.length >= 2 && validators.every(({ publicKey: { type } }) => type === 'ed25519')
  if (!isBatch) return unsigned(signed, votes, ({ signature }) => upperHexOf(signature)) ?? powerReason(votes, needed)
  if (votes.some(({ one: { signature } }) => signature.length !== 64)) return 'invalid signature'
  return (
    powerReason(votes, needed) ??
    unsigned(signed, votes, (one) => upperHexOf(new TextEncoder().encode(signatureText(one))))
  )
}

type CountedVote = {
  readonly one: CommitSignature
  readonly index: number
  readonly validator: Validator
}

function powerReason(votes: readonly CountedVote[], needed: bigint): string | undefined {
  const power = votes.reduce((sum, { validator }) => sum + validator.power, 0n)
  return power > needed
    ? undefined
    : `invalid commit -- insufficient voting power: got ${power}, needed more than ${needed}`
}

function unsigned(
  { commit: { height, round, blockId }, chainId }: Signed,
  votes: readonly CountedVote[],
  printed: (one: CommitSignature) => string,
): string | undefined {
  const wrong = votes.find(({ one: { time, signature }, validator: { publicKey } }) => {
    const message = voteSignBytes({ type: 2, height, round, blockId, time }, chainId)
    return publicKey.type !== 'ed25519' || !ed25519Verify(message, signature, publicKey.bytes)
  })
  return wrong === undefined ? undefined : `wrong signature (#${wrong.index}): ${printed(wrong.one)}`
}
