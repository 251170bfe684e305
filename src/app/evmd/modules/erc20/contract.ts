/** Calls of x/erc20 to token contracts (x/erc20 keeper/evm.go). */
import { GoPanic, outOfRange } from '../../../../codec/comet.ts'
import { keccak256 } from '../../../../crypto/hash.ts'
import { concatBytes, equalBytes } from '../../../../data/bytes.ts'
import type { EvmLog } from '../../../../evm/types.ts'
import { moduleAddress } from '../../address.ts'
import type { Context } from '../../context.ts'
import { goError, TxError } from '../../txError.ts'
import { callContract } from '../../contractCall.ts'
import { checksumAddress } from '../../../../crypto/checksumAddress.ts'
import { addressWord, bigOf, wordOf } from '../../../../data/bigEndian.ts'

/** Returns an error of codespace `erc20`. */
export function erc20Error(code: number, text: string): TxError {
  return new TxError(text, { code, codespace: 'erc20' })
}

export const erc20Module = moduleAddress('erc20')

const encoder = new TextEncoder()
const selector = (signature: string): Uint8Array => keccak256(encoder.encode(signature)).slice(0, 4)
const transferTopic = keccak256(encoder.encode('Transfer(address,address,uint256)'))

/** Returns the token balance of an account; undefined if the contract does not return one. */
export function balanceOfToken(context: Context, token: Uint8Array, owner: Uint8Array): bigint | undefined {
  try {
    const data = concatBytes([selector('balanceOf(address)'), addressWord(owner)])
    const { output } = callContract(context, { from: erc20Module, to: token, data, keeps: false })
    return output.length < 32 ? undefined : bigOf(output.subarray(0, 32))
  } catch (error) {
    if (error instanceof TxError) return undefined
    throw error
  }
}

export type TokenTransfer = {
  readonly token: Uint8Array
  readonly from: Uint8Array
  readonly to: Uint8Array
  readonly amount: bigint
}

/** Moves tokens. Throws if the contract reports a failure. */
export function transferToken(context: Context, { token, from, to, amount }: TokenTransfer, failure: string): void {
  const data = concatBytes([selector('transfer(address,uint256)'), addressWord(to), wordOf(amount)])
  const call = (): ReturnType<typeof callContract> => callContract(context, { from, to: token, data, keeps: true })
  // The node names the call of its own module only.
  const { output, logs } = from === erc20Module ? named('transfer', token, call) : call()
  if (output.length === 0) checkTransferEvent(logs, token)
  else if (!decodedFlag(output)) throw new TxError(`${failure}: internal logic error`, { code: 35, codespace: 'sdk' })
}

/** Throws unless the token, and no other contract, reports one transfer. */
function checkTransferEvent(logs: readonly EvmLog[], token: Uint8Array): void {
  let found = false
  for (const { address, topics } of logs) {
    const [topic] = topics
    if (topic === undefined) throw new GoPanic(outOfRange(0, topics))
    if (!equalBytes(topic, transferTopic)) continue
    if (!equalBytes(address, token)) throw erc20Error(8, 'Transfer event from unexpected address: unexpected event')
    if (found) throw erc20Error(8, 'duplicate Transfer event: unexpected event')
    found = true
  }
  if (!found) throw erc20Error(20, 'expected Transfer event: expected event')
}

/** Returns a boolean result, as Go's package abi reads it. */
function decodedFlag(output: Uint8Array): boolean {
  if (output.length < 32) {
    throw goError(`abi: cannot marshal in to go type: length insufficient ${output.length} require 32`)
  }
  const value = bigOf(output.subarray(0, 32))
  if (value > 1n) throw goError('abi: improperly encoded boolean value')
  return value === 1n
}

/** Returns the details that a token contract reports. Throws if they cannot be decoded. */
export function describeToken(
  context: Context,
  token: Uint8Array,
): { readonly name: string; readonly symbol: string; readonly decimals: number } {
  const ask = (method: string): Uint8Array => {
    const call = { from: erc20Module, to: token, data: selector(`${method}()`), keeps: false }
    return named(method, token, () => callContract(context, call)).output
  }
  const name = decodedText(ask('name'), 'name')
  const symbol = decodedText(ask('symbol'), 'symbol')
  const decimals = ask('decimals')
  if (decimals.length < 32) {
    throw erc20Error(
      10,
      'failed to unpack decimals: abi: attempting to unmarshal an empty string ' +
        'while arguments are expected: contract ABI unpack failed',
    )
  }
  return { name, symbol, decimals: Number(bigOf(decimals.subarray(0, 32)) & 255n) }
}

/** Runs a call. Its error names the method and the contract. */
function named<Result>(method: string, token: Uint8Array, call: () => Result): Result {
  try {
    return call()
  } catch (error) {
    if (!(error instanceof TxError)) throw error
    throw error.inside(`contract call failed: method '${method}', contract '${checksumAddress(token)}'`)
  }
}

/** Returns a text result. Old tokens return 32 bytes padded with zeros. */
function decodedText(output: Uint8Array, method: string): string {
  const decoder = new TextDecoder()
  if (output.length >= 64 && bigOf(output.subarray(0, 32)) === 32n) {
    const length = bigOf(output.subarray(32, 64))
    if (BigInt(output.length) >= 64n + length) {
      return decoder.decode(output.subarray(64, 64 + Number(length)))
    }
  }
  if (output.length === 32) {
    const end = output.indexOf(0)
    return decoder.decode(output.subarray(0, end < 0 ? 32 : end))
  }
  throw erc20Error(
    10,
    `failed to unpack ${method} as both string and raw bytes32 (len=${output.length}): contract ABI unpack failed`,
  )
}
