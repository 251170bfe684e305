/** Equivocations, the evidence that x/evidence stores: a validator signed two blocks at one height. */
import { goTime } from '../../../../codec/time.ts'
import { int64, message, text } from '../../../../codec/protobuf/message.ts'
import { sha256 } from '../../../../crypto/hash.ts'
import type { Time } from '../../../../data/time.ts'
import type { Context } from '../../context.ts'
import { storeKey } from '../../storeKeys.ts'
import { anyMessage, timeField } from '../../wire.ts'

/** Evidence that a validator signed two blocks at one height. */
export type Equivocation = { height: bigint; time: Time; power: bigint; address: string }

export const equivocation = message<Equivocation>({
  1: ['height', int64],
  2: ['time', timeField],
  3: ['power', int64],
  4: ['address', text],
})
export const equivocationUrl = '/cosmos.evidence.v1beta1.Equivocation'
const prefix = 0

/** Returns the error text of an invalid equivocation, or undefined (its `ValidateBasic`). */
export function equivocationProblem({ height, time, power, address }: Equivocation): string | undefined {
  if (time.seconds <= 0n) return `invalid equivocation time: ${goTime(time)}`
  if (height < 1n) return `invalid equivocation height: ${height}`
  if (power < 1n) return `invalid equivocation validator power: ${power}`
  return address === '' ? 'invalid equivocation validator consensus address: ' : undefined
}

/** Returns the hash that identifies an equivocation. */
export function equivocationHash(fault: Equivocation): Uint8Array {
  return sha256(equivocation.encode(fault))
}

/** Returns whether evidence with this hash is stored. */
export function isEvidenceStored(context: Context, hash: Uint8Array): boolean {
  return context.store('evidence').get(storeKey(prefix, hash)) !== undefined
}

/** Stores an equivocation under its hash. */
export function storeEquivocation(context: Context, fault: Equivocation): void {
  const value = anyMessage.encode({ typeUrl: equivocationUrl, value: equivocation.encode(fault) })
  context.store('evidence').set(storeKey(prefix, equivocationHash(fault)), value)
}
