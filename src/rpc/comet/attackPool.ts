/**
 * Checks evidence of an attack on light clients against the chain, in the order and with the texts of
 * CometBFT's evidence pool (`evidence/verify.go`).
 */
import type {
  BlockRecord, CommitSignature, Header, LightClientAttackEvidence, Validator, ValidatorSet,
} from '../../chain/block.ts'
import type { Chain } from '../../chain/chain.ts'
import { voteSignBytes } from '../../chain/hashing.ts'
import { totalPower } from '../../chain/validators.ts'
import { blockAt } from '../../chain/view.ts'
import { upperHexOf } from '../../codec/comet.ts'
import { ed25519Verify } from '../../crypto/ed25519.ts'
import { compareBytes, equalBytes } from '../../data/bytes.ts'
import { compareTime } from '../../data/time.ts'
import { goTime } from './goTime.ts'

/** Returns the pool's reason to refuse an attack from the height of a block it has, or undefined. */
export function attackReason(chain: Chain, evidence: LightClientAttackEvidence, common: BlockRecord): string | undefined {
  const { conflicting: { header, commit }, commonHeight } = evidence
  const trusted = blockAt(chain, header.height) ?? blockAt(chain, chain.height)
  if (trusted === undefined) return `don't have header #${header.height}`
  const trustedHeader = trusted.block.header
  if (trustedHeader.height < header.height && compareTime(trustedHeader.time, header.time) < 0) {
    return `latest block time (${goTime(trustedHeader.time)}) is before conflicting block time (${goTime(header.time)})`
  }
  if (commonHeight !== header.height) {
    const known = signedPower(chain, evidence, common.validators)
    const needed = totalPower(common.validators.validators) / 3n
    if (known <= needed) {
      return 'skipping verification of conflicting block failed: '
        + `invalid commit -- insufficient voting power: got ${known}, needed more than ${needed}`
    }
  } else if (isDerivedWrongly(header, trustedHeader)) {
    return 'common height is the same as conflicting block height so expected the conflicting block to be '
      + 'correctly derived yet it wasn\'t'
  }
  const set = evidence.conflicting.validators
  if (set.validators.length !== commit.signatures.length) {
    return 'invalid commit from conflicting block: invalid commit -- wrong set size: '
      + `${set.validators.length} vs ${commit.signatures.length}`
  }
  const power = signedPower(chain, evidence, set)
  const needed = (totalPower(set.validators) * 2n) / 3n
  if (power <= needed) {
    return 'invalid commit from conflicting block: invalid commit -- insufficient voting power: '
      + `got ${power}, needed more than ${needed}`
  }
  return powerReason(evidence, common, trusted)
}

function powerReason(evidence: LightClientAttackEvidence, common: BlockRecord, trusted: BlockRecord): string | undefined {
  const { conflicting: { header, commit } } = evidence
  const total = totalPower(common.validators.validators)
  if (total !== evidence.totalPower) {
    return 'total voting power from the evidence and our validator set does not match '
      + `(${evidence.totalPower} != ${total})`
  }
  const { header: ours } = trusted.block
  if (header.height > ours.height && compareTime(header.time, ours.time) > 0) {
    return 'conflicting block doesn\'t violate monotonically increasing time '
      + `(${goTime(header.time)} is after ${goTime(ours.time)})`
  }
  if (equalBytes(commit.blockId.hash, trusted.id.hash)) {
    return `trusted header hash matches the evidence's conflicting header hash: ${upperHexOf(trusted.id.hash)}`
  }
  return byzantineReason(evidence.byzantine, byzantineOf(evidence, common.validators, trusted))
}

function byzantineReason(given: readonly Validator[], wanted: readonly Validator[]): string | undefined {
  if (given.length !== wanted.length) {
    return `expected ${wanted.length} byzantine validators from evidence but got ${given.length}`
  }
  for (const [index, one] of wanted.entries()) {
    const other = given[index]
    if (other === undefined || !equalBytes(other.address, one.address)) {
      return 'evidence contained an unexpected byzantine validator address; '
        + `expected: ${upperHexOf(one.address)}, got: ${upperHexOf(other?.address ?? new Uint8Array(0))}`
    }
    if (other.power !== one.power) {
      return `evidence contained unexpected byzantine validator power; expected ${one.power}, got ${other.power}`
    }
  }
  return undefined
}

/** A header is a lunatic one where what follows from the blocks before it differs. */
function isDerivedWrongly(header: Header, trusted: Header): boolean {
  const derived = [
    'validatorsHash', 'nextValidatorsHash', 'consensusHash', 'appHash', 'lastResultsHash',
  ] as const
  return derived.some((name) => !equalBytes(header[name], trusted[name]))
}

/** Of a lunatic header all who signed it, of an equivocation those who signed both, of amnesia nobody. */
function byzantineOf(evidence: LightClientAttackEvidence, common: ValidatorSet, trusted: BlockRecord): readonly Validator[] {
  const { conflicting: { header, commit, validators } } = evidence
  const isLunatic = isDerivedWrongly(header, trusted.block.header)
  if (!isLunatic && trusted.seenCommit.round !== commit.round) return []
  const signers = commit.signatures.filter(({ flag }, index) =>
    flag === 2 && (isLunatic || trusted.seenCommit.signatures[index]?.flag === 2))
  return signers.flatMap(({ address }) => memberOf(isLunatic ? common : validators, address) ?? [])
    .toSorted((a, b) => (a.power === b.power ? compareBytes(a.address, b.address) : a.power > b.power ? -1 : 1))
}

function memberOf({ validators }: ValidatorSet, wanted: Uint8Array): Validator | undefined {
  return validators.find(({ address }) => equalBytes(address, wanted))
}

/** The power of those of a set whose signature under the conflicting commit is good, each once. */
function signedPower({ genesis }: Chain, { conflicting: { commit } }: LightClientAttackEvidence, set: ValidatorSet): bigint {
  const seen = new Set<Validator>()
  for (const one of commit.signatures) {
    const validator = one.flag === 2 ? memberOf(set, one.address) : undefined
    if (validator === undefined || seen.has(validator)) continue
    if (isSigned(one, validator, signBytes(one))) seen.add(validator)
  }
  return totalPower([...seen])

  function signBytes({ time }: CommitSignature): Uint8Array {
    const { height, round, blockId } = commit
    return voteSignBytes({ type: 2, height, round, blockId, time }, genesis.chainId)
  }
}

function isSigned({ signature }: CommitSignature, { publicKey }: Validator, message: Uint8Array): boolean {
  return publicKey.type === 'ed25519' && ed25519Verify(message, signature, publicKey.bytes)
}
