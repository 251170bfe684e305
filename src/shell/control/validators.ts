/**
 * The validators of the newest block: power, operator, and the blocks that each validator signed.
 */
import { addressText } from '../../app/evmd/address.ts'
import { recordAt } from '../../chain/history.ts'
import { readBase64 } from '../../codec/base64.ts'
import { upperHexOf } from '../../codec/comet.ts'
import { ed25519Address } from '../../crypto/ed25519.ts'
import type { BlockRecord } from '../../chain/block.ts'
import { restPages } from './restPages.ts'
import type { Instance } from '../ports.ts'

type Staked = {
  readonly operator_address: string
  readonly consensus_pubkey?: { readonly key: string }
  readonly tokens: string
  readonly jailed: boolean
  readonly status: string
  readonly description: { readonly moniker: string }
  readonly commission: { readonly commission_rates: { readonly rate: string } }
}
type SigningInfo = {
  readonly address: string
  readonly jailed_until: string
  readonly tombstoned: boolean
  readonly missed_blocks_counter: string
}

/**
 * Returns the validators in the order of the staking module. `signed` has one letter for each of the
 * last blocks, oldest first: `s` for a signature, `n` for nil, `a` for absent, a space before the
 * validator joined.
 */
export function validatorsView(instance: Instance, blocks: number) {
  const staked = restPages<Staked>(instance, '/cosmos/staking/v1beta1/validators', 'validators')
  const infos = restPages<SigningInfo>(instance, '/cosmos/slashing/v1beta1/signing_infos', 'info')
  const { settings, chain } = instance.simulation().node
  const { history, height } = chain
  const powers = powersOf(recordAt(history, height))
  const signed = signaturesOf(instance, blocks)
  return staked.map((one) => {
    const consensus = consensusOf(one)
    const vote = powers.get(upperHexOf(consensus))
    const info = infos.find(({ address }) => address === addressText(settings, consensus, 'consensus'))
    return {
      operator: one.operator_address,
      moniker: one.description.moniker,
      status: one.status.replace('BOND_STATUS_', '').toLowerCase(),
      jailed: one.jailed,
      tombstoned: info?.tombstoned ?? false,
      jailedUntil: info?.jailed_until ?? null,
      tokens: one.tokens,
      commission: one.commission.commission_rates.rate,
      consensus: upperHexOf(consensus),
      power: Number(vote?.power ?? 0n),
      priority: Number(vote?.priority ?? 0n),
      missed: Number(info?.missed_blocks_counter ?? 0),
      signed: vote === undefined ? '' : signed.map((each) => each.get(upperHexOf(consensus)) ?? ' ').join(''),
    }
  })
}

function consensusOf({ consensus_pubkey: key }: Staked): Uint8Array {
  const bytes = readBase64(key?.key ?? '')
  return ed25519Address(typeof bytes === 'string' ? new Uint8Array(32) : bytes)
}

function powersOf(record: BlockRecord | undefined) {
  return new Map(record?.validators.validators.map((one) => [upperHexOf(one.address), one]))
}

/** Returns the moniker and operator of validators by their consensus address in upper-case hex. */
export function operatorsOf(instance: Instance) {
  const staked = restPages<Staked>(instance, '/cosmos/staking/v1beta1/validators', 'validators')
  return new Map(
    staked.map((one) => [
      upperHexOf(consensusOf(one)),
      { moniker: one.description.moniker, operator: one.operator_address },
    ]),
  )
}

const flagNames = { 1: 'absent', 2: 'signed', 3: 'nil' } as const

/** Returns the signature of each validator for a block: `signed`, `nil` or `absent`, with its power. */
export function blockSignatures({ validators, seenCommit }: BlockRecord) {
  return validators.validators.map(({ address, power }, index) => ({
    consensus: upperHexOf(address),
    power: Number(power),
    vote: flagNames[seenCommit.signatures[index]?.flag ?? 1],
  }))
}

/** Returns, for each block, a letter by consensus address. */
function signaturesOf({ simulation }: Instance, blocks: number): readonly ReadonlyMap<string, string>[] {
  const { history, height } = simulation().node.chain
  const from = height - BigInt(blocks) + 1n
  const heights = Array.from({ length: blocks }, (_, index) => from + BigInt(index))
  return heights.flatMap((at) => {
    const record = at < 1n ? undefined : recordAt(history, at)
    if (record === undefined) return []
    return [new Map(blockSignatures(record).map(({ consensus, vote }) => [consensus, vote.charAt(0)]))]
  })
}
