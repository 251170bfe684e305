/** Loads x/gov and x/erc20 from a genesis document. */
import { bytesOfHex } from '../../../codec/hex.ts'
import type { Context } from '../context.ts'
import { moduleAccount } from '../modules/auth/accounts.ts'
import { enablePrecompile, setAllowance, setErc20Params, setTokenPair } from '../modules/erc20/tokenPairs.ts'
import { setConstitution, setGovParams } from '../modules/gov/params.ts'
import { bigEndian } from '../storeKeys.ts'
import {
  coins,
  duration,
  flag,
  hexBytes,
  integer,
  integerOr,
  InvalidGenesis,
  isThere,
  list,
  memberOf,
  section,
  type Section,
  text,
  texts,
} from './read.ts'
import { loadProposals } from './proposals.ts'

/** Loads x/gov. Throws `InvalidGenesis` if the module account does not hold the deposits. */
export function loadGov(context: Context, gov: Section): void {
  context.store('gov').set(Uint8Array.of(3), bigEndian(integerOr(gov, 'starting_proposal_id', 1n)))
  const params = section(gov, 'params')
  const ratio = (name: string, otherwise: string): string => text(params, name) || otherwise
  setGovParams(context, {
    minDeposit: coins(params, 'min_deposit'),
    maxDepositPeriod: duration(params, 'max_deposit_period', '172800s'),
    votingPeriod: duration(params, 'voting_period', '172800s'),
    quorum: ratio('quorum', '0.334000000000000000'),
    threshold: ratio('threshold', '0.500000000000000000'),
    vetoThreshold: ratio('veto_threshold', '0.334000000000000000'),
    minInitialDepositRatio: ratio('min_initial_deposit_ratio', '0.000000000000000000'),
    proposalCancelRatio: ratio('proposal_cancel_ratio', '0.500000000000000000'),
    proposalCancelDest: text(params, 'proposal_cancel_dest'),
    expeditedVotingPeriod: duration(params, 'expedited_voting_period', '86400s'),
    expeditedThreshold: ratio('expedited_threshold', '0.667000000000000000'),
    expeditedMinDeposit: coins(params, 'expedited_min_deposit'),
    burnVoteQuorum: flag(params, 'burn_vote_quorum'),
    burnProposalDepositPrevote: flag(params, 'burn_proposal_deposit_prevote'),
    burnVoteVeto: isThere(params) ? flag(params, 'burn_vote_veto') : true,
    minDepositRatio: ratio('min_deposit_ratio', '0.010000000000000000'),
  })
  setConstitution(context, text(gov, 'constitution'))
  moduleAccount(context, 'gov')
  loadProposals(context, gov)
}

/** Loads x/erc20. */
export function loadErc20(context: Context, erc20: Section): void {
  const params = section(erc20, 'params')
  setErc20Params(context, {
    isEnabled: flag(params, 'enable_erc20'),
    isOpen: flag(params, 'permissionless_registration'),
  })
  moduleAccount(context, 'erc20')
  for (const pair of list(erc20, 'token_pairs')) {
    setTokenPair(
      context,
      {
        erc20: text(pair, 'erc20_address'),
        denom: text(pair, 'denom'),
        enabled: flag(pair, 'enabled'),
        owner: ownerOf(pair),
      },
      hexBytes(pair, 'erc20_address'),
    )
  }
  for (const kind of ['native', 'dynamic'] as const) {
    for (const each of texts(erc20, `${kind}_precompiles`)) {
      enablePrecompile(context, kind, bytesOfHex(each, `${erc20.path}.${kind}_precompiles`))
    }
  }
  for (const each of list(erc20, 'allowances')) {
    setAllowance(
      context,
      {
        token: hexBytes(each, 'erc20_address'),
        owner: hexBytes(each, 'owner'),
        spender: hexBytes(each, 'spender'),
      },
      integer(each, 'value'),
    )
  }
}

const owners = ['OWNER_UNSPECIFIED', 'OWNER_MODULE', 'OWNER_EXTERNAL']

function ownerOf(pair: Section): number {
  const owner = memberOf(pair, 'contract_owner')
  if (typeof owner !== 'string') return Number(integer(pair, 'contract_owner'))
  const found = owners.indexOf(owner)
  if (found < 0) throw new InvalidGenesis(`${pair.path}.contract_owner`, owners.join(' or '))
  return found
}
