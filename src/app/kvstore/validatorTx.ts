/**
 * Transactions that change the validators: `val=TYPE!KEY!POWER` (CometBFT v0.38,
 * `abci/example/kvstore`).
 */
import { readBase64 } from '../../codec/base64.ts'
import { fromBinaryString, toBinaryString } from '../../data/binaryString.ts'
import type { PublicKey, ValidatorUpdate } from '../abci.ts'

/** What such a transaction starts with, and the key of a validator in the store. */
export const validatorPrefix = 'val='

const keyLengths = { ed25519: 32, secp256k1: 33 } as const
/** CometBFT's limit of all powers together: an eighth of the largest int64. */
const maxPower = (2n ** 63n - 1n) / 8n

/**
 * Returns the update a transaction asks for, the key in base64; undefined when it cannot be read. A
 * key type, length or power on which a real node would stop is refused here too.
 */
export function readValidatorTx(tx: string): ValidatorUpdate | undefined {
  const [type = '', key = '', power = '', ...more] = tx.slice(validatorPrefix.length).split('!')
  if (more.length > 0 || !isKeyType(type) || !/^[+]?\d+$/.test(power)) return undefined
  const bytes = readBase64(key)
  if (typeof bytes === 'string' || bytes.length !== keyLengths[type]) return undefined
  const amount = BigInt(power.replace('+', ''))
  return amount > maxPower ? undefined : { publicKey: { type, bytes }, power: amount }
}

function isKeyType(text: string): text is PublicKey['type'] {
  return text in keyLengths
}

/** Powers by the key's type and bytes; what a block may still change. */
export type Powers = ReadonlyMap<string, bigint>

/** Returns the name of a validator in `Powers`. */
export function powerKey({ bytes }: PublicKey): string {
  return toBinaryString(bytes)
}

/**
 * Returns the powers after an update; undefined when CometBFT would stop over it: nobody of that
 * key to remove, no validator left, or too much power altogether.
 */
export function withUpdate(powers: Powers, { publicKey, power }: ValidatorUpdate): Powers | undefined {
  const name = powerKey(publicKey)
  const next = new Map(powers)
  if (power > 0n) next.set(name, power)
  else if (!next.delete(name)) return undefined
  const total = [...next.values()].reduce((sum, one) => sum + one, 0n)
  return total === 0n || total > maxPower ? undefined : next
}

/** Returns the key of a validator from its name in `Powers`: the length tells the type. */
export function keyNamed(name: string): PublicKey {
  const bytes = fromBinaryString(name)
  return { type: bytes.length === keyLengths.ed25519 ? 'ed25519' : 'secp256k1', bytes }
}
