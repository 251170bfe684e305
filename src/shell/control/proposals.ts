/**
 * Governance proposals with their current votes. A proposal itself contains its tally only after
 * voting has ended.
 */
import type { Instance } from '../ports.ts'
import { restPages } from './restPages.ts'

type Tally = Readonly<Record<'yes_count' | 'no_count' | 'abstain_count' | 'no_with_veto_count', string>>
type Proposal = {
  readonly id: string
  readonly title: string
  readonly status: string
  readonly final_tally_result: Tally
}

const proposalsPath = '/cosmos/gov/v1/proposals'

/** Returns all proposals, newest first, each with `tally` in the staking base denomination. */
export function proposalsView(instance: Instance) {
  return restPages<Proposal>(instance, `${proposalsPath}?pagination.reverse=true`, 'proposals').map((one) => ({
    ...one,
    tally: tallyOf(instance, one),
  }))
}

/** Returns the titles of all proposals, newest first. */
export function proposalTitles(instance: Instance) {
  return restPages<Proposal>(instance, `${proposalsPath}?pagination.reverse=true`, 'proposals').map(
    ({ id, title }) => ({ id, title: title === '' ? `Proposal ${id}` : title }),
  )
}

function tallyOf(instance: Instance, { id, status, final_tally_result: final }: Proposal): Tally {
  if (status !== 'PROPOSAL_STATUS_VOTING_PERIOD') return final
  const told = instance.peek('rest', `${proposalsPath}/${id}/tally`, {})
  return 'result' in told ? (told.result as { readonly tally: Tally }).tally : final
}

/** Returns a proposal with its votes and deposits, or undefined if it does not exist. */
export function proposalView(instance: Instance, id: string) {
  if (!/^\d{1,18}$/.test(id)) return undefined
  const told = instance.peek('rest', `${proposalsPath}/${id}`, {})
  if (!('result' in told)) return undefined
  const { proposal } = told.result as { readonly proposal: Proposal }
  return {
    ...proposal,
    tally: tallyOf(instance, proposal),
    votes: restPages<unknown>(instance, `${proposalsPath}/${id}/votes`, 'votes'),
    deposits: restPages<unknown>(instance, `${proposalsPath}/${id}/deposits`, 'deposits'),
  }
}
