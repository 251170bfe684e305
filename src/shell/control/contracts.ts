/** Lists the chain's contracts, reads token metadata, and calls contract functions. */
import { bytesOfHex, hexOf } from '../../codec/hex.ts'
import { SimError } from '../../errors.ts'
import { contractAt, contractOfCode, type KnownAbis } from './abis.ts'
import { functionSignature, type FunctionShape } from './abiShapes.ts'
import { commonFunctions } from './commonAbis.ts'
import { decodeArgs, decodeError, encodeCall } from './decodeCall.ts'
import { bothForms, labelsOf } from './names.ts'
import { askToken, tokenOf } from './tokens.ts'
import type { Instance } from '../ports.ts'
import { checksumAddress } from '../../crypto/checksumAddress.ts'

/**
 * Returns the contracts whose address is above `after`, in address order; tokens include symbol and
 * supply.
 */
export function contractsView(
  instance: Instance,
  { after, limit }: { readonly after: string; readonly limit: number },
  known: KnownAbis,
) {
  const labels = labelsOf(instance)
  const rows = []
  for (const { address, code, wei, slots } of contractsAbove(instance, after)) {
    if (rows.length === limit) return { rows, next: rows.at(-1)?.ethereum.toLowerCase() ?? null }
    const hex = hexOf(address)
    rows.push({
      ...bothForms(instance, address),
      label: labels.get(hex) ?? null,
      name: contractOfCode(known, code)?.name ?? null,
      size: code.length,
      wei: String(wei),
      slots: slots.length,
      token: tokenOf(instance, address, hexOf(code)),
    })
  }
  return { rows, next: null }
}

/** Yields the contracts whose address (lower-case hex) is above `after`, in address order. */
export function* contractsAbove({ world, simulation }: Instance, after: string) {
  for (const account of world.ethereum?.accounts(simulation().node.chain.app) ?? []) {
    if (account.code.length > 0 && hexOf(account.address) > after) yield account
  }
}

/** Returns the contract that a call to an address runs, or undefined if no known ABI fits. */
export function calledBy({ world, simulation }: Instance, address: Uint8Array, known: KnownAbis) {
  return contractAt(known, address, world.ethereum?.code(simulation().node.chain.app, address) ?? new Uint8Array(0))
}

/** Returns each token with the holder's balance; tokens with a zero balance are left out. */
export function tokenBalances(instance: Instance, holder: Uint8Array, known: KnownAbis) {
  const { rows } = contractsView(instance, { after: '', limit: 500 }, known)
  return rows.flatMap(({ ethereum, token }) => {
    if (token === null) return []
    const balance = askToken(instance, bytesOfHex(ethereum.toLowerCase()), 'balanceOf', [hexOf(holder)])
    return balance === undefined || balance === '0' ? [] : [{ contract: ethereum, ...token, balance }]
  })
}

export type ContractCall = {
  readonly address: Uint8Array
  readonly signature: string
  readonly args: readonly unknown[]
  readonly from?: string | undefined
  /** In wei. */
  readonly value?: string | undefined
}

/** Calls a function without changing state and returns the decoded result. Throws `CallFailed`. */
export function readContract(instance: Instance, call: ContractCall, known: KnownAbis) {
  const shape = functionOf(instance, call, known)
  const told = instance.peek('eth', 'eth_call', [transactionOf(shape, call), 'latest'])
  if (!('result' in told)) throw new CallFailed(told.error, known)
  const data = bytesOfHex(String(told.result))
  return { data: hexOf(data), values: data.length === 0 ? [] : decodeArgs(shape.outputs, data) }
}

/**
 * Returns the transaction that calls a function, in the form that `eth_sendTransaction` expects.
 */
export function contractTransaction(instance: Instance, call: ContractCall, known: KnownAbis) {
  return transactionOf(functionOf(instance, call, known), call)
}

function transactionOf(shape: FunctionShape, { address, args, from, value }: ContractCall) {
  return {
    to: hexOf(address),
    data: hexOf(encodeCall(shape, args)),
    ...(from === undefined ? {} : { from }),
    ...(value === undefined || value === '' ? {} : { value: `0x${BigInt(value).toString(16)}` }),
  }
}

function functionOf(instance: Instance, { address, signature }: ContractCall, known: KnownAbis) {
  const own = calledBy(instance, address, known)?.functions ?? []
  const all = [...own, ...known.functions.values(), ...commonFunctions.values()]
  const found = all.find((one) => functionSignature(one) === signature)
  if (found === undefined) throw new UnknownFunction(signature, checksumAddress(address))
  return found
}

/** Thrown for a function that no known ABI declares. */
export class UnknownFunction extends SimError {
  constructor(signature: string, address: string) {
    super('UNKNOWN_FUNCTION', `no known ABI declares ${signature} of ${address}`, {
      hint: 'Paste the ABI on the page of the contract, or start with --artifacts.',
    })
  }
}

/** Thrown when a contract call reverts or cannot run. */
export class CallFailed extends SimError {
  constructor(error: CallError, known: KnownAbis) {
    super('CALL_FAILED', whyFailed(error, known))
  }
}

/** The error member of an Ethereum JSON-RPC response. */
export type CallError = { readonly message: string; readonly data?: unknown }

/** Returns the reason of a failed call: the error in its revert data, if that error is known. */
export function whyFailed({ message, data }: CallError, known: KnownAbis): string {
  const named =
    typeof data === 'string' && /^0x(?:[\da-f]{2})+$/.test(data) ? decodeError(bytesOfHex(data), known) : null
  const args = named?.args.map(({ name, value }) => `${name} ${value}`).join(', ')
  return named === null ? message : `reverted with ${named.name}(${args})`
}
