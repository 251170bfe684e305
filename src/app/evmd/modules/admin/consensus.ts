/** Updates the consensus parameters (x/consensus UpdateParams, CometBFT types/params.go). */
import type { ConsensusParams } from '../../../abci.ts'
import { consensusParams, type ConsensusUpdate, setConsensusParams, updatedParams } from '../../consensus.ts'
import { emit, type Context } from '../../context.ts'
import { goError } from '../../txError.ts'

const largestBlock = 104_857_600n

/** Applies an update. Throws the SDK's error if it is invalid. */
export function updateConsensus(context: Context, update: ConsensusUpdate): void {
  const { block, evidence, validator, authority } = update
  if (block === undefined || evidence === undefined || validator === undefined) {
    throw goError('all parameters must be present')
  }
  const params = consensusParams(context)
  const next = updatedParams(params, update)
  const wrong =
    wrongBlock(next) ??
    wrongEvidence(next) ??
    wrongOthers(next) ??
    (update.abci && wrongExtensions(params, next, context.block.height))
  if (wrong !== undefined) throw goError(wrong)
  setConsensusParams(context, next)
  emit(context, 'update_consensus_params', { authority, parameters: spelled(update) })
}

function wrongBlock({ block: { maxBytes, maxGas } }: ConsensusParams): string | undefined {
  if (maxBytes === 0n) return 'block.MaxBytes cannot be 0'
  if (maxBytes < -1n) return `block.MaxBytes must be -1 or greater than 0. Got ${maxBytes}`
  if (maxBytes > largestBlock) return `block.MaxBytes is too big. ${maxBytes} > ${largestBlock}`
  return maxGas < -1n ? `block.MaxGas must be greater or equal to -1. Got ${maxGas}` : undefined
}

function wrongEvidence({ block, evidence }: ConsensusParams): string | undefined {
  const { maxAgeBlocks, maxAgeNanos, maxBytes } = evidence
  if (maxAgeBlocks <= 0n) {
    return `evidence.MaxAgeNumBlocks must be greater than 0. Got ${maxAgeBlocks}`
  }
  if (maxAgeNanos <= 0n) {
    return `evidence.MaxAgeDuration must be grater than 0 if provided, Got ${maxAgeNanos}ns`
  }
  if (maxBytes > (block.maxBytes === -1n ? largestBlock : block.maxBytes)) {
    return `evidence.MaxBytesEvidence is greater than upper bound, ${maxBytes} > ${block.maxBytes}`
  }
  return maxBytes < 0n ? `evidence.MaxBytes must be non negative. Got: ${maxBytes}` : undefined
}

const keyTypes: ReadonlySet<string> = new Set(['ed25519', 'secp256k1'])

function wrongOthers({ abci, validator: { publicKeyTypes } }: ConsensusParams): string | undefined {
  const height = abci.voteExtensionsEnableHeight
  if (height < 0n) return `ABCI.VoteExtensionsEnableHeight cannot be negative. Got: ${height}`
  if (publicKeyTypes.length === 0) return 'len(Validator.PubKeyTypes) must be greater than 0'
  const at = publicKeyTypes.findIndex((type) => !keyTypes.has(type))
  if (at < 0) return undefined
  return `params.Validator.PubKeyTypes[${at}], ${publicKeyTypes[at]}, is an unknown pubkey type`
}

/**
 * Returns the error text for vote extensions, or undefined. They start at a future height and
 * cannot be disabled afterwards.
 */
function wrongExtensions(before: ConsensusParams, after: ConsensusParams, height: bigint): string | undefined {
  const old = before.abci.voteExtensionsEnableHeight
  const next = after.abci.voteExtensionsEnableHeight
  if (old === next || (old <= 0n && next === 0n)) return undefined
  if (next === 0n) {
    return old > height
      ? undefined
      : `vote extensions cannot be disabled once enabledold enable height: ${old}, current height ${height}`
  }
  if (next <= height) {
    return (
      'vote extensions cannot be updated to a past or current height, ' +
      `enable height: ${next}, current height ${height}`
    )
  }
  return old > 0n && old <= height
    ? `vote extensions cannot be modified once enabledenable height: ${old}, ` + `current height ${height}`
    : undefined
}

/** Returns protobuf's compact text form, which omits zeros. */
function spelled({ block, evidence, validator, abci }: ConsensusUpdate): string {
  const { seconds = 0n, nanos = 0n } = evidence?.maxAge ?? {}
  const types = (validator?.types ?? []).map((type) => `pub_key_types:"${type}" `).join('')
  return (
    `block:<${numbers({ max_bytes: block?.maxBytes, max_gas: block?.maxGas })}> evidence:<` +
    `${numbers({ max_age_num_blocks: evidence?.maxAgeBlocks })}max_age_duration:<` +
    `${numbers({ seconds, nanos })}> ${numbers({ max_bytes: evidence?.maxBytes })}> validator:<` +
    `${types}> version:<> ${abci === undefined ? '' : `abci:<${extensions(abci)}> `}`
  )
}

function extensions({ height }: { height: bigint }): string {
  return numbers({ vote_extensions_enable_height: height })
}

function numbers(members: Readonly<Record<string, bigint | undefined>>): string {
  return Object.entries(members)
    .map(([name, value]) => (value === undefined || value === 0n ? '' : `${name}:${value} `))
    .join('')
}
