/** Runs a precompile call: gas, method, arguments, result (cosmos/evm precompiles/common). */
import { GoPanic, nilPointer } from '../../../codec/comet.ts'
import { hexOf } from '../../../codec/hex.ts'
import { isExpected } from '../../../errors.ts'
import type { HostReturn } from '../../../evm/types.ts'
import { kvGas } from '../../store.ts'
import { goTextOf } from '../query/status.ts'
import { TxError } from '../txError.ts'
import { decodeAbi, encodeAbi } from './abi.ts'
import type { Frame, PrecompileMethod, MethodTable } from './precompile.ts'
import { Reverted } from './reverted.ts'

const none = new Uint8Array(0)

/**
 * Returns the gas charged before a call runs: a fixed price, or the SDK's price per byte of
 * calldata.
 */
export function baseGas(table: MethodTable, input: Uint8Array): bigint {
  if (input.length < 4) return table.fallback?.gas ?? 0n
  const method = table.methods().get(hexOf(input.subarray(0, 4)))
  if (method === undefined) return 0n
  if (!table.isMetered) return method.gas ?? 0n
  const length = BigInt(input.length)
  return method.isWrite ? kvGas.writeFlat + kvGas.writePerByte * length : kvGas.readFlat + kvGas.readPerByte * length
}

/** Runs the method selected by the calldata and returns its encoded result. Throws `Reverted`. */
export function runMethod(table: MethodTable, frame: Frame): Uint8Array {
  const { input, value, isStatic, isDelegate, isCodeCall } = frame.call
  // A delegate call has no value, and the node does not look whether there is one.
  if (isDelegate && (table.refusesValue === true || input.length === 0)) throw new GoPanic(nilPointer)
  if (table.refusesValue === true && value > 0n) {
    throw new Reverted(`cannot receive funds, received: ${value}`)
  }
  const method = findMethod(table, input)
  if (method.isWrite && (isStatic || isDelegate || isCodeCall)) throw new Reverted('write protection')
  const args = method === table.fallback ? [] : decodeAbi(method.inputs, input.subarray(4))
  const results = method.run(frame, args)
  return results.length === 0 ? none : encodeAbi(method.outputs, results)
}

function findMethod({ methods, fallback }: MethodTable, input: Uint8Array): PrecompileMethod {
  const selector = hexOf(input.subarray(0, 4))
  const method = input.length < 4 ? fallback : (methods().get(selector) ?? fallback)
  if (method !== undefined) return method
  if (input.length < 4) throw new Reverted('execution reverted')
  throw new Reverted(`no method with id: ${selector}`)
}

const errorSelector = Uint8Array.of(0x08, 0xc3, 0x79, 0xa0)

/** Returns the result of a call that reverted with a reason. It costs only the base gas. */
export function revertedWith(text: string, gasUsed: bigint): HostReturn {
  const reason = encodeAbi([{ kind: 'string' }], [text])
  const output = new Uint8Array(4 + reason.length)
  output.set(errorSelector)
  output.set(reason, 4)
  return { status: 'revert', gasUsed, output }
}

/** Returns the revert reason of an expected error; undefined for a bug. */
export function reasonOf(error: unknown): string | undefined {
  if (!isExpected(error)) return undefined
  if (error.code === 'OUT_OF_GAS') return 'out of gas'
  if (error instanceof TxError) return goTextOf(error)
  return reasons.has(error.code) ? error.message : undefined
}

const reasons = new Set(['PRECOMPILE_REVERTED', 'BAD_BECH32', 'BAD_PROTOBUF'])
