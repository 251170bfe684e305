/** Errors for calls that do not succeed (`cosmos-evm-rpc.md` §2.5). */
// biome-ignore-all lint/complexity/useSimpleNumberKeys: Solidity's manual has the codes in hex
import { hexOf, plainHexOf } from '../../codec/hex.ts'
import { bigOf } from '../../data/bigEndian.ts'
import { hasQuirk } from '../../settings/quirks.ts'
import { RpcError } from '../errors.ts'
import type { Context } from '../method.ts'
import { codes, serverError } from './errors.ts'

const errorSelector = '08c379a0'
const panicSelector = '4e487b71'

// go-ethereum accounts/abi: panicReasons.
const panics: Readonly<Record<string, string>> = {
  0x00: 'generic panic',
  0x01: 'assert(false)',
  0x11: 'arithmetic underflow or overflow',
  0x12: 'division or modulo by zero',
  0x21: 'enum overflow',
  0x22: 'invalid encoded storage byte array accessed',
  0x31: 'out-of-bounds array access; popping on an empty array',
  0x32: 'out-of-bounds access of an array or bytesN',
  0x41: 'out of memory',
  0x51: 'uninitialized function',
}

/**
 * Returns the error of a revert: code 3 with its data. Without data the node returns a plain error
 * (quirk `empty-revert-without-data`, `cosmos-evm-rpc.md` §2.5).
 */
export function revertError({ node: { settings } }: Context, output: Uint8Array): RpcError {
  const isPlain = output.length === 0 && hasQuirk(settings, 'empty-revert-without-data')
  if (isPlain) return serverError('execution reverted')
  return new RpcError(codes.reverted, revertText(output), { data: JSON.stringify(hexOf(output)) })
}

/**
 * Returns `execution reverted`, with the reason if the output is `Error(string)` or
 * `Panic(uint256)`.
 */
export function revertText(output: Uint8Array): string {
  const reason = reasonOf(output)
  return reason === undefined ? 'execution reverted' : `execution reverted: ${reason}`
}

function reasonOf(output: Uint8Array): string | undefined {
  const selector = plainHexOf(output.subarray(0, 4))
  const body = output.subarray(4)
  const code = selector === panicSelector ? wordAt(body, 0n) : undefined
  if (code !== undefined) return panics[String(code)] ?? `unknown panic code: 0x${code.toString(16)}`
  return selector === errorSelector ? abiText(body) : undefined
}

function abiText(body: Uint8Array): string | undefined {
  const offset = wordAt(body, 0n)
  const length = offset === undefined ? undefined : wordAt(body, offset)
  if (offset === undefined || length === undefined) return undefined
  const start = offset + 32n
  const end = start + length
  if (end > BigInt(body.length)) return undefined
  return new TextDecoder().decode(body.subarray(Number(start), Number(end)))
}

function wordAt(body: Uint8Array, offset: bigint): bigint | undefined {
  if (offset + 32n > BigInt(body.length)) return undefined
  return bigOf(body.subarray(Number(offset), Number(offset) + 32))
}
