/** Creates a validator with its operator's first delegation (x/staking MsgCreateValidator). */
import { emit, type Context, withFreeStores } from '../../context.ts'
import { consensusParams } from '../../consensus.ts'
import { operatorText } from '../../address.ts'
import { addressOfKey, keyUrls } from '../../ante/keys.ts'
import { decimalText } from '../../decimal.ts'
import { sdkError } from '../../txError.ts'
import type { StoredAny } from '../../wire.ts'
import { type Coin, coinsText } from '../../coins.ts'
import { delegate } from './delegate.ts'
import { afterValidatorCreated } from '../../stakingHooks.ts'
import { stakingParams } from './params.ts'
import { checkDescription, newValidator, type Validator } from './validator.ts'
import {
  findValidator,
  setByConsensus,
  setByPower,
  setValidator,
  stakingError,
  validatorByConsensus,
} from './validators.ts'

export type NewValidator = Pick<Validator, 'operator' | 'description' | 'commission' | 'minSelfDelegation'> & {
  readonly publicKey: StoredAny
  readonly value: Coin
}

/** Creates the validator and delegates `value` to it. Throws the SDK's errors. */
export function createValidator(context: Context, { value, ...made }: NewValidator): void {
  const { minCommissionRate } = stakingParams(context)
  if (made.commission.rates.rate < minCommissionRate) {
    throw stakingError(
      40,
      'cannot set validator commission to less than minimum rate of ' +
        `${decimalText(minCommissionRate)}: commission cannot be less than min rate`,
    )
  }
  if (findValidator(context, made.operator) !== undefined) {
    throw stakingError(4, 'validator already exist for this operator address; must use new validator operator address')
  }
  const validator = newValidator(made)
  if (validatorByConsensus(context, addressOfKey(made.publicKey)) !== undefined) {
    throw stakingError(5, 'validator already exist for this pubkey; must use new validator pubkey')
  }
  checkDenom(value, stakingParams(context).bondDenom)
  checkDescription(made.description)
  const { publicKeyTypes } = consensusParams(withFreeStores(context)).validator
  const type = keyType(made.publicKey.typeUrl)
  if (type !== 'ed25519' || !publicKeyTypes.includes(type)) {
    throw stakingError(
      6,
      `got: ${type}, expected: [${publicKeyTypes.join(' ')}]: validator pubkey type is not supported`,
    )
  }
  setValidator(context, validator)
  setByConsensus(context, validator)
  setByPower(context, validator)
  afterValidatorCreated(context, validator.operator)
  delegate(context, {
    delegator: validator.operator,
    validator,
    amount: value.amount,
    source: 'account',
  })
  emit(context, 'create_validator', {
    validator: operatorText(context, validator.operator),
    amount: coinsText([value]),
  })
}

const keyTypes: Readonly<Record<string, string>> = {
  [keyUrls.ed25519]: 'ed25519',
  [keyUrls.ethereum]: 'eth_secp256k1',
  [keyUrls.multisig]: 'PubKeyMultisigThreshold',
}

/** Returns the node's name of a type of keys; the others are called as their packages. */
function keyType(typeUrl: string): string {
  return keyTypes[typeUrl] ?? typeUrl.split('.').at(-2) ?? typeUrl
}

/** Throws if the staked amount is in another denomination. */
export function checkDenom({ denom }: Coin, expected: string): void {
  if (denom === expected) return
  throw sdkError('invalidRequest', `invalid coin denomination: got ${denom}, expected ${expected}`)
}
