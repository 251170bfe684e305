/** The store `feemarket`: parameters and the gas of the last block (cosmos/evm x/feemarket). */
import { feemarketParams, type FeemarketParams } from '../../../../codec/messages/cosmosEvm.ts'
import { remembered } from '../../../../data/remembered.ts'
import type { StoredForm } from '../../../store.ts'
import type { Context } from '../../context.ts'

const paramsKey = new TextEncoder().encode('Params')
const noBytes = new Uint8Array(0)
const blockGasKey = Uint8Array.of(1)

/** The parameters. Fees and multipliers are 18-place decimals; fees count the EVM's coin as x/bank does. */
export type Params = {
  readonly noBaseFee: boolean
  readonly denominator: bigint
  readonly elasticity: bigint
  readonly enableHeight: bigint
  readonly baseFee: bigint
  readonly minGasPrice: bigint
  readonly minGasMultiplier: bigint
}

/** Returns the parameters in their stored form. */
export function storedFeemarketParams(context: Context): FeemarketParams {
  return feemarketParams.decode(context.store('feemarket').get(paramsKey) ?? noBytes)
}

/** Returns the parameters of x/feemarket. */
export function getFeemarketParams(context: Context): Params {
  return context.store('feemarket').read(paramsKey, paramsForm) ?? decodeParams(noBytes)
}

const decodeParams = remembered((stored: Uint8Array): Params => paramsOf(feemarketParams.decode(stored)))

const paramsForm: StoredForm<Params> = {
  encode: (params) => {
    const stored = encodeParams(params)
    decodeParams.keep(stored, params)
    return stored
  },
  decode: decodeParams,
}

function paramsOf(wire: FeemarketParams): Params {
  return {
    noBaseFee: wire.noBaseFee,
    denominator: BigInt(wire.baseFeeChangeDenominator),
    elasticity: BigInt(wire.elasticityMultiplier),
    enableHeight: wire.enableHeight,
    baseFee: BigInt(wire.baseFee === '' ? '0' : wire.baseFee),
    minGasPrice: BigInt(wire.minGasPrice === '' ? '0' : wire.minGasPrice),
    minGasMultiplier: BigInt(wire.minGasMultiplier === '' ? '0' : wire.minGasMultiplier),
  }
}

/** Stores the parameters, given in their stored form. */
export function setStoredFeemarketParams(context: Context, params: FeemarketParams): void {
  context.store('feemarket').set(paramsKey, feemarketParams.encode(params))
}

/** Stores the parameters of x/feemarket. */
export function setFeemarketParams(context: Context, params: Params): void {
  context.store('feemarket').write(paramsKey, params, paramsForm)
}

function encodeParams(params: Params): Uint8Array {
  return feemarketParams.encode({
    noBaseFee: params.noBaseFee,
    baseFeeChangeDenominator: Number(params.denominator),
    elasticityMultiplier: Number(params.elasticity),
    enableHeight: params.enableHeight,
    baseFee: params.baseFee.toString(),
    minGasPrice: params.minGasPrice.toString(),
    minGasMultiplier: params.minGasMultiplier.toString(),
  })
}

/** Returns the last block's gas, which determines the next base fee. */
export function blockGas(context: Context): bigint {
  const value = context.store('feemarket').get(blockGasKey)
  return value === undefined ? 0n : new DataView(value.buffer, value.byteOffset).getBigUint64(0)
}

/** Stores the gas of the block. */
export function setBlockGas(context: Context, gas: bigint): void {
  const value = new Uint8Array(8)
  new DataView(value.buffer).setBigUint64(0, gas)
  context.store('feemarket').set(blockGasKey, value)
}
