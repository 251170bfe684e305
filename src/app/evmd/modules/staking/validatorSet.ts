/** Updates the validator set and its powers (x/staking ApplyAndReturnValidatorSetUpdates). */
import { always, int64, message, repeated } from '../../../../codec/protobuf/message.ts'
import { type PublicKey, publicKey } from '../../../../codec/protobuf/comet.ts'
import { toBinaryString } from '../../../../data/binaryString.ts'
import type { ValidatorUpdate } from '../../../abci.ts'
import type { Context } from '../../context.ts'
import { digits } from '../../wire.ts'
import { stakingParams } from './params.ts'
import { toBonded, toNotBonded } from './pools.ts'
import { consensusKey, consensusPower, potentialPower, status, type Validator } from './validator.ts'
import { beginUnbonding, bondValidator } from './validatorLife.ts'
import { deleteLastPower, getValidator, lastPowers, operatorsByPower, setLastPower } from './validators.ts'

type StoredUpdate = { key: PublicKey; power: bigint }
const updatesMessage = message<{ updates: readonly StoredUpdate[] }>({
  1: [
    'updates',
    repeated(
      always(
        message<StoredUpdate>({
          1: ['key', always(publicKey)],
          2: ['power', int64],
        }),
      ),
    ),
  ],
})
const totalPowerMessage = message<{ power: bigint }>({ 1: ['power', digits] })
const totalPowerKey = Uint8Array.of(0x12)
const updatesKey = Uint8Array.of(0x61)

/**
 * Bonds the validators with the most power, up to the maximum, and unbonds the others. Returns the
 * updates: changed validators by power, then removed ones by operator.
 */
export function updateValidatorSet(context: Context): readonly ValidatorUpdate[] {
  const { maxValidators } = stakingParams(context)
  const before = lastPowers(context)
  const last = new Map(before.map(({ operator, power }) => [toBinaryString(operator), power]))
  const updates: ValidatorUpdate[] = []
  let totalPower = 0n
  let bonded = 0n
  let count = 0
  for (const operator of operatorsByPower(context)) {
    if (count >= maxValidators) break
    let validator = getValidator(context, operator)
    if (potentialPower(validator) === 0n) break
    if (validator.status !== status.bonded) {
      validator = bondValidator(context, validator)
      bonded += validator.tokens
    }
    const power = consensusPower(validator)
    const name = toBinaryString(operator)
    if (last.get(name) !== power) {
      updates.push(updateOf(validator, power))
      setLastPower(context, operator, power)
    }
    last.delete(name)
    count += 1
    totalPower += power
  }
  const leaving = before.filter(({ operator }) => last.has(toBinaryString(operator)))
  for (const { operator } of leaving) {
    const validator = beginUnbonding(context, getValidator(context, operator))
    bonded -= validator.tokens
    deleteLastPower(context, operator)
    updates.push(updateOf(validator, 0n))
  }
  if (bonded > 0n) toBonded(context, bonded)
  if (bonded < 0n) toNotBonded(context, -bonded)
  if (updates.length > 0) setTotalPower(context, totalPower)
  context.store('staking').set(updatesKey, updatesMessage.encode({ updates: updates.map(storedOf) }))
  return updates
}

/** Stores the total power of the validator set. */
export function setTotalPower(context: Context, power: bigint): void {
  context.store('staking').set(totalPowerKey, totalPowerMessage.encode({ power }))
}

function updateOf(validator: Validator, power: bigint): ValidatorUpdate {
  return { publicKey: { type: 'ed25519', bytes: consensusKey(validator) }, power }
}

function storedOf({ publicKey: { bytes }, power }: ValidatorUpdate): StoredUpdate {
  return { key: { ed25519: bytes, secp256k1: new Uint8Array(0) }, power }
}
