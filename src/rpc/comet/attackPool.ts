/**
 * Checks evidence of a light client attack against the chain, in the order and with the error texts
 * of CometBFT's evidence pool (`evidence/verify.go`).
 */
import type {
  BlockId,
  BlockRecord,
  Commit,
  Evidence,
  Header,
  LightClientAttackEvidence,
  Validator,
  ValidatorSet,
} from '../../chain/block.ts'
import type { Chain } from '../../chain/chain.ts'
import { byPower, totalPower } from '../../chain/validators.ts'
import { blockAt } from '../../chain/view.ts'
import { upperHexOf } from '../../codec/comet.ts'
import { equalBytes } from '../../data/bytes.ts'
import { commitReason, trustingReason } from './verifyCommit.ts'

/** A header of this chain with the commit that the next block carries. */
type Trusted = { readonly header: Header; readonly id: BlockId; readonly commit: Commit }

/**
 * Returns the pool's reason for refusing an attack at the height of a stored block, or undefined.
 */
export function attackReason(
  chain: Chain,
  evidence: LightClientAttackEvidence,
  common: BlockRecord,
): string | undefined {
  const {
    conflicting: { header, commit, validators },
    commonHeight,
  } = evidence
  const { chainId } = chain.genesis
  const ours = trustedAt(chain, commonHeight)
  if (typeof ours === 'string') return ours
  const trusted = commonHeight === header.height ? ours : trustedFor(chain, header.height)
  if (typeof trusted === 'string') return trusted
  if (commonHeight !== header.height) {
    const reason = trustingReason({ set: common.validators, commit, chainId })
    if (reason !== undefined) return `skipping verification of conflicting block failed: ${reason}`
  } else if (isDerivedWrongly(header, trusted.header)) {
    return (
      'common height is the same as conflicting block height so expected the conflicting block to be ' +
      "correctly derived yet it wasn't"
    )
  }
  const reason = commitReason({ set: validators, commit, chainId })
  if (reason !== undefined) return `invalid commit from conflicting block: ${reason}`
  return powerReason(evidence, common, trusted)
}

/**
 * Returns the trusted header at a height. Fails for the newest block: only the next block carries
 * its commit.
 */
function trustedAt(chain: Chain, height: bigint): Trusted | string {
  const record = blockAt(chain, height)
  if (record === undefined) return `don't have header at height #${height}`
  const commit = blockAt(chain, height + 1n)?.block.lastCommit
  return commit === undefined
    ? `don't have commit at height #${height}`
    : { header: record.block.header, id: record.id, commit }
}

/**
 * Returns the trusted header for a height. If the chain lacks that header, CometBFT compares with
 * its newest one, which never has a commit (`trustedAt`).
 */
function trustedFor(chain: Chain, height: bigint): Trusted | string {
  const same = trustedAt(chain, height)
  return typeof same === 'string' ? trustedAt(chain, chain.height) : same
}

function powerReason(evidence: LightClientAttackEvidence, common: BlockRecord, trusted: Trusted): string | undefined {
  const {
    conflicting: { commit },
  } = evidence
  const reason = totalPowerReason(evidence, common.validators)
  if (reason !== undefined) return reason
  if (equalBytes(commit.blockId.hash, trusted.id.hash)) {
    return `trusted header hash matches the evidence's conflicting header hash: ${upperHexOf(trusted.id.hash)}`
  }
  return byzantineReason(evidence.byzantine, byzantineOf(evidence, common.validators, trusted))
}

/** Returns the pool's reason if the total power in evidence is not that of the validator set. */
export function totalPowerReason(evidence: Evidence, { validators }: ValidatorSet): string | undefined {
  const total = totalPower(validators)
  if (total === evidence.totalPower) return undefined
  return (
    'total voting power from the evidence and our validator set does not match ' +
    `(${evidence.totalPower} != ${total})`
  )
}

function byzantineReason(given: readonly Validator[], wanted: readonly Validator[]): string | undefined {
  if (wanted.length === 0 && given.length > 0) {
    return `expected nil validators from an amnesia light client attack but got ${given.length}`
  }
  if (given.length !== wanted.length) {
    return `expected ${wanted.length} byzantine validators from evidence but got ${given.length}`
  }
  for (const [index, one] of wanted.entries()) {
    const other = given[index]
    if (other === undefined || !equalBytes(other.address, one.address)) {
      return (
        'evidence contained an unexpected byzantine validator address; ' +
        `expected: ${upperHexOf(one.address)}, got: ${upperHexOf(other?.address ?? new Uint8Array(0))}`
      )
    }
    if (other.power !== one.power) {
      return `evidence contained unexpected byzantine validator power; expected ${one.power}, got ${other.power}`
    }
  }
  return undefined
}

/**
 * Returns whether the header is a lunatic one: its fields derived from earlier blocks are wrong.
 */
function isDerivedWrongly(header: Header, trusted: Header): boolean {
  const derived = ['validatorsHash', 'nextValidatorsHash', 'consensusHash', 'appHash', 'lastResultsHash'] as const
  return derived.some((name) => !equalBytes(header[name], trusted[name]))
}

/**
 * Returns the byzantine validators: all signers of a lunatic header, the signers of both headers of
 * an equivocation, or nobody for amnesia.
 */
function byzantineOf(
  evidence: LightClientAttackEvidence,
  common: ValidatorSet,
  trusted: Trusted,
): readonly Validator[] {
  const {
    conflicting: { header, commit, validators },
  } = evidence
  const isLunatic = isDerivedWrongly(header, trusted.header)
  if (!isLunatic && trusted.commit.round !== commit.round) return []
  const signers = commit.signatures.filter(
    ({ flag }, index) => flag === 2 && (isLunatic || trusted.commit.signatures[index]?.flag === 2),
  )
  return signers.flatMap(({ address }) => memberOf(isLunatic ? common : validators, address) ?? []).toSorted(byPower)
}

function memberOf({ validators }: ValidatorSet, wanted: Uint8Array): Validator | undefined {
  return validators.find(({ address }) => equalBytes(address, wanted))
}
