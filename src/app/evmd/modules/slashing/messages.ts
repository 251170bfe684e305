/** Messages of x/slashing: unjailing a validator (unjail.go). */
import { message, text } from '../../../../codec/protobuf/message.ts'
import { namedAddress, operatorOf } from '../../address.ts'
import type { Context, Handler } from '../../context.ts'
import { truncated } from '../../decimal.ts'
import { handler } from '../../tx/handler.ts'
import { TxError } from '../../txError.ts'
import { getDelegation } from '../staking/delegations.ts'
import { consensusAddress, tokensOfShares } from '../staking/validator.ts'
import { unjailValidator } from '../staking/validatorLife.ts'
import { getValidator, validatorByConsensus } from '../staking/validators.ts'
import { isJailedStill } from './infractions.ts'
import { signingInfo } from './signingInfo.ts'

const msgUnjail = message<{ validator: string }>({ 1: ['validator', text] })

export const slashingMessages: Readonly<Record<string, Handler>> = {
  '/cosmos.slashing.v1beta1.MsgUnjail': handler(
    msgUnjail,
    ({ validator }, at) => operatorOf(at, validator),
    (context, { validator }) => {
      unjail(context, namedAddress(context, 'validator', validator, operatorOf))
    },
  ),
}

/** Unjails a validator. Throws the SDK's errors. */
export function unjail(context: Context, operator: Uint8Array): void {
  const validator = getValidator(context, operator)
  const { shares } = getDelegation(context, { delegator: operator, operator })
  const tokens = truncated(tokensOfShares(validator, shares))
  if (tokens < validator.minSelfDelegation) {
    throw slashingError(
      7,
      `${tokens} less than ${validator.minSelfDelegation}: validator's self ` +
        'delegation less than minimum; cannot be unjailed',
    )
  }
  if (!validator.jailed) throw slashingError(5, 'validator not jailed; cannot be unjailed')
  const address = consensusAddress(validator)
  const info = signingInfo(context, address)
  if (info !== undefined && (info.tombstoned || isJailedStill(context, info))) {
    throw slashingError(4, 'validator still jailed; cannot be unjailed')
  }
  // The node looks up the validator again by its consensus key, which costs gas.
  unjailValidator(context, validatorByConsensus(context, address) ?? validator)
}

function slashingError(code: number, text: string): TxError {
  return new TxError(text, { code, codespace: 'slashing' })
}
