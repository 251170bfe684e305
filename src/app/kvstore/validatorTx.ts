/**
 * Transactions that change the validator set: `val=TYPE!KEY!POWER` (CometBFT v0.38,
 * `abci/example/kvstore`).
 */
import { maxInt64 } from '../../codec/goIntegers.ts'
import { readBase64 } from '../../codec/base64.ts'
import { fromBinaryString, toBinaryString } from '../../data/binaryString.ts'
import type { PublicKey, ValidatorUpdate } from '../abci.ts'

/** The prefix of such a transaction, and of a validator's key in the store. */
export const validatorPrefix = 'val='

const keyLengths = { ed25519: 32, secp256k1: 33 } as const
/** CometBFT's limit of the total power: an eighth of the largest int64. */
const maxPower = maxInt64 / 8n

/**
 * Returns the update in a transaction, whose key is in base64; undefined if it is malformed. A key
 * type, length or power that would halt a real node is rejected too. CometBFT's default parameters
 * allow ed25519 keys only.
 */
export function readValidatorTx(tx: string): ValidatorUpdate | undefined {
  const [type = '', key = '', power = '', ...more] = tx.slice(validatorPrefix.length).split('!')
  if (more.length > 0 || type !== 'ed25519' || !/^[+]?\d+$/.test(power)) return undefined
  const bytes = readBase64(key)
  if (typeof bytes === 'string' || bytes.length !== keyLengths[type]) return undefined
  const amount = BigInt(power.replace('+', ''))
  return amount > maxPower ? undefined : { publicKey: { type, bytes }, power: amount }
}

/** Powers by key bytes. A block in execution updates them. */
export type Powers = ReadonlyMap<string, bigint>

/** Returns the name of a validator in `Powers`. */
export function powerKey({ bytes }: PublicKey): string {
  return toBinaryString(bytes)
}

/**
 * Returns the powers after an update; undefined if CometBFT would halt. That is the case if the key
 * to remove is unknown, no validator is left, or the total power is too high.
 */
export function withUpdate(powers: Powers, { publicKey, power }: ValidatorUpdate): Powers | undefined {
  const name = powerKey(publicKey)
  const next = new Map(powers)
  if (power > 0n) next.set(name, power)
  else if (!next.delete(name)) return undefined
  const total = [...next.values()].reduce((sum, one) => sum + one, 0n)
  return total === 0n || total > maxPower ? undefined : next
}

/** Returns the key for a name in `Powers`. The length determines its type. */
export function keyNamed(name: string): PublicKey {
  const bytes = fromBinaryString(name)
  return { type: bytes.length === keyLengths.ed25519 ? 'ed25519' : 'secp256k1', bytes }
}
