/** Loads x/authz and x/feegrant from a genesis document. */
import type { Addressing } from '../address.ts'
import { codecOf } from '../../../codec/schema/codecs.ts'
import { compareTime } from '../../../data/time.ts'
import { blockTime } from '../blockTime.ts'
import type { Context } from '../context.ts'
import { saveGrant } from '../modules/authz/grants.ts'
import { grantAllowance, grantMessage } from '../modules/feegrant/grants.ts'
import { address, InvalidGenesis, list, messageIn, placed, type Section } from './read.ts'
import { UnreadGenesis } from './unread.ts'

const grantAuthorization = codecOf('cosmos.authz.v1beta1.GrantAuthorization')

/** Loads the grants of x/authz but those that expired before the genesis. Throws `InvalidGenesis`. */
export function loadGrants(context: Context, authz: Section): void {
  for (const each of list(authz, 'authorization')) {
    const { authorization, expiration } = messageIn(each, 'cosmos.authz.v1beta1.GrantAuthorization', grantAuthorization)
    if (expiration !== undefined && compareTime(expiration, blockTime(context)) < 0) continue
    const path = `${each.path}.authorization`
    if (authorization === undefined) throw new InvalidGenesis(path, 'an authorization')
    if (authorization.typeUrl.startsWith('/ibc.')) throw new UnreadGenesis([path], 'chainstage does not simulate IBC')
    placed(each.path, 'an entry that evmd accepts', () =>
      saveGrant(context, partiesOf(context, each), { authorization, expiration }),
    )
  }
}

/** Loads the allowances of x/feegrant. Throws `InvalidGenesis`, also for one that has expired. */
export function loadAllowances(context: Context, feegrant: Section): void {
  for (const each of list(feegrant, 'allowances')) {
    const parties = partiesOf(context, each)
    const { allowance } = messageIn(each, 'cosmos.feegrant.v1beta1.Grant', grantMessage(context))
    if (allowance === undefined) throw new InvalidGenesis(`${each.path}.allowance`, 'an allowance')
    placed(each.path, 'an entry that evmd accepts', () => grantAllowance(context, parties, allowance))
  }
}

function partiesOf(at: Addressing, each: Section) {
  return { granter: address(at, each, 'granter'), grantee: address(at, each, 'grantee') }
}
