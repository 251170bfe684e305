/**
 * The validators of the newest block: power, operator, and the blocks that each validator signed.
 */
import { recordAt } from '../../chain/history.ts'
import { upperHexOf } from '../../codec/comet.ts'
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
type Voting = {
  readonly address: string
  readonly pub_key: { readonly value: string }
  readonly voting_power: string
  readonly proposer_priority: string
}

/**
 * Returns the validators sorted by power. `signed` has one letter for each of the last blocks,
 * oldest first.
 */
export function validatorsView(instance: Instance, blocks: number) {
  const result = (side: 'rest' | 'comet', method: string, params: unknown) => {
    const told = instance.peek(side, method, params)
    return 'result' in told ? told.result : undefined
  }
  const staked = (result('rest', '/cosmos/staking/v1beta1/validators?pagination.limit=500', {}) ?? {}) as {
    validators?: readonly Staked[]
  }
  const voting = (result('comet', 'validators', { per_page: '100' }) ?? {}) as { validators?: readonly Voting[] }
  const powers = new Map((voting.validators ?? []).map((one) => [one.pub_key.value, one]))
  const signed = signaturesOf(instance, blocks)
  return (staked.validators ?? []).map((one) => {
    const key = one.consensus_pubkey?.key ?? ''
    const vote = powers.get(key)
    return {
      operator: one.operator_address,
      moniker: one.description.moniker,
      status: one.status.replace('BOND_STATUS_', '').toLowerCase(),
      jailed: one.jailed,
      tokens: one.tokens,
      commission: one.commission.commission_rates.rate,
      consensus: vote?.address ?? null,
      power: vote === undefined ? 0 : Number(vote.voting_power),
      priority: vote === undefined ? 0 : Number(vote.proposer_priority),
      signed: vote === undefined ? '' : signed.map((each) => each.get(vote.address) ?? ' ').join(''),
    }
  })
}

/**
 * Returns, for each block, a letter by consensus address: `s` for a signature, `n` for nil, `a` for
 * absent.
 */
function signaturesOf({ simulation }: Instance, blocks: number): readonly ReadonlyMap<string, string>[] {
  const { history, height } = simulation().node.chain
  const from = height - BigInt(blocks) + 1n
  const heights = Array.from({ length: blocks }, (_, index) => from + BigInt(index))
  return heights.flatMap((at) => {
    const record = at < 1n ? undefined : recordAt(history, at)
    if (record === undefined) return []
    const { signatures } = record.seenCommit
    return [
      new Map(
        record.validators.validators.map(({ address }, index) => {
          const flag = signatures[index]?.flag
          return [upperHexOf(address), flag === 2 ? 's' : flag === 3 ? 'n' : 'a'] as const
        }),
      ),
    ]
  })
}
