import { maxUint64, maxUint256 } from '../codec/goIntegers.ts'
import type { EvmEnv, EvmResult, EvmTx } from './types.ts'

const u128 = (1n << 128n) - 1n

const isOutside = (value: bigint, max: bigint): boolean => value < 0n || value > max

/**
 * Returns the refusal of a transaction that the engine cannot represent, or undefined. The engine
 * holds gas, nonces and the base fee in 64 bits and prices in 128 bits.
 */
export function refusal(env: EvmEnv, tx: EvmTx): EvmResult | undefined {
  // EIP-4844 and EIP-7702: these types cannot create contracts; revm leaves this check to the
  // decoder.
  if (tx.to === undefined && tx.type >= 3) {
    return refusedAs('CreationNotAllowed', `type ${tx.type} cannot create`)
  }
  if (isOutside(tx.gasLimit, maxUint64)) return refused('gasLimit', tx.gasLimit)
  if (isOutside(tx.nonce, maxUint64)) return refused('nonce', tx.nonce)
  if (isOutside(tx.gasPrice, u128)) return refused('gasPrice', tx.gasPrice)
  if (isOutside(tx.priorityFee ?? 0n, u128)) return refused('priorityFee', tx.priorityFee ?? 0n)
  if (isOutside(tx.blobFeeCap, u128)) return refused('blobFeeCap', tx.blobFeeCap)
  if (isOutside(tx.value, maxUint256)) return refused('value', tx.value)
  if (isOutside(env.baseFee, maxUint64)) return refused('baseFee', env.baseFee)
  if (isOutside(env.blockGasLimit, maxUint64)) return refused('blockGasLimit', env.blockGasLimit)
  return undefined
}

function refused(name: string, value: bigint): EvmResult {
  return refusedAs('ValueOutOfRange', `${name} is out of range: ${value}`)
}

/** Returns the result of a transaction that is refused before it runs. */
export function refusedAs(kind: string, detail: string): EvmResult {
  return {
    status: 'refused',
    reason: { kind, detail },
    gasUsed: 0n,
    gasPeak: 0n,
    refund: 0n,
    output: new Uint8Array(),
    frameFailed: false,
    created: undefined,
    logs: [],
    diff: [],
  }
}
