/** Coins as ERC-20 tokens: pairs, their indexes, and allowances, in the store `erc20` (x/erc20). */
import { bytesOfHex } from '../../../../codec/hex.ts'
import { readBase64 } from '../../../../codec/base64.ts'
import { bool, message, text, uint32 } from '../../../../codec/protobuf/message.ts'
import { keccak256, sha256 } from '../../../../crypto/hash.ts'
import { assert } from '../../../../errors.ts'
import type { Context } from '../../context.ts'
import { prefixRange, storeKey } from '../../storeKeys.ts'
import { createAccount, getAccount, setAccount } from '../auth/accounts.ts'
import { setCode, setCodeHash } from '../evm/store.ts'
import { erc20Code } from './code.ts'
import { checksumAddress } from '../../../../crypto/checksumAddress.ts'

/**
 * The owner of a pair whose token is a contract. Owner 1 is a native coin exposed by the module.
 */
export const contractOwner = 2

/** A coin and its token. `owner` is the origin of the token (`contractOwner`). */
export type TokenPair = { erc20: string; denom: string; enabled: boolean; owner: number }

export const tokenPairMessage = message<TokenPair>({
  1: ['erc20', text],
  2: ['denom', text],
  3: ['enabled', bool],
  4: ['owner', uint32],
})

const prefix = {
  pair: 1,
  byAddress: 2,
  byDenom: 3,
  allowance: 5,
  native: 6,
  dynamic: 7,
} as const
const encoder = new TextEncoder()
const yes = encoder.encode('0x01')

/** Stores whether the module is enabled and whether anyone may register tokens. */
export function setErc20Params(
  context: Context,
  params: { readonly isEnabled: boolean; readonly isOpen: boolean },
): void {
  const store = context.store('erc20')
  const flags = { EnableErc20: params.isEnabled, PermissionlessRegistration: params.isOpen }
  for (const [name, isOn] of Object.entries(flags)) {
    if (isOn) store.set(encoder.encode(name), yes)
    else store.delete(encoder.encode(name))
  }
}

/** Returns whether the module is enabled and whether anyone may register tokens. */
export function erc20Params(context: Context): { readonly isEnabled: boolean; readonly isOpen: boolean } {
  return {
    isEnabled: isErc20Enabled(context),
    isOpen: context.store('erc20').has(encoder.encode('PermissionlessRegistration')),
  }
}

/** Returns whether the module is enabled. */
export function isErc20Enabled(context: Context): boolean {
  return context.store('erc20').has(encoder.encode('EnableErc20'))
}

/** Stores a pair and its indexes by denomination and by address. */
export function setTokenPair(context: Context, pair: TokenPair, address: Uint8Array): void {
  const id = storePair(context, pair)
  const store = context.store('erc20')
  store.set(storeKey(prefix.byDenom, encoder.encode(pair.denom)), id)
  store.set(storeKey(prefix.byAddress, address), id)
}

/** Stores a pair without its indexes, and returns its id. */
export function storePair(context: Context, pair: TokenPair): Uint8Array {
  const id = pairId(pair)
  context.store('erc20').set(storeKey(prefix.pair, id), tokenPairMessage.encode(pair))
  return id
}

function pairId({ erc20, denom }: TokenPair): Uint8Array {
  return sha256(encoder.encode(`${erc20}|${denom}`))
}

/** Removes a pair and its indexes. */
export function deleteTokenPair(context: Context, pair: TokenPair, address: Uint8Array): void {
  const id = pairId(pair)
  const store = context.store('erc20')
  store.delete(storeKey(prefix.pair, id))
  store.delete(storeKey(prefix.byAddress, address))
  store.delete(storeKey(prefix.byDenom, encoder.encode(pair.denom)))
}

/** Returns the pair of a contract address or a denomination given as text, or undefined. */
export function findNamedPair(context: Context, token: string): TokenPair | undefined {
  return findTokenPair(context, isHexAddress(token) ? readAddress(token) : token)
}

/** Returns whether a text is a contract address in hex, with or without `0x`. */
export function isHexAddress(spelled: string): boolean {
  return /^(0x)?[0-9a-f]{40}$/i.test(spelled)
}

/** Returns the bytes of a hex address (`isHexAddress`). */
export function readAddress(spelled: string): Uint8Array {
  return bytesOfHex(`0x${spelled.replace(/^0x/i, '')}`)
}

/** Returns whether the contract at an address is registered. */
export function isContractRegistered(context: Context, address: Uint8Array): boolean {
  return context.store('erc20').has(storeKey(prefix.byAddress, address))
}

/** Returns whether a denomination is registered. */
export function isDenomRegistered(context: Context, denom: string): boolean {
  return context.store('erc20').has(storeKey(prefix.byDenom, encoder.encode(denom)))
}

/** Returns the pair of a contract address or a denomination, or undefined. */
export function findTokenPair(context: Context, token: Uint8Array | string): TokenPair | undefined {
  const store = context.store('erc20')
  const id = store.get(
    typeof token === 'string' ? storeKey(prefix.byDenom, encoder.encode(token)) : storeKey(prefix.byAddress, token),
  )
  const value = id && store.get(storeKey(prefix.pair, id))
  return value && tokenPairMessage.decode(value)
}

/**
 * Installs a token precompile at an address. For a wrapped native coin, it also accepts deposits.
 */
export function enablePrecompile(context: Context, kind: 'native' | 'dynamic', address: Uint8Array): void {
  registerCode(context, address)
  context.store('erc20').set(precompileKey(kind, address), yes)
}

/** Returns the kind of token precompile at an address; undefined if there is none. */
export function precompileKind(context: Context, address: Uint8Array): 'native' | 'dynamic' | undefined {
  const store = context.store('erc20')
  if (store.has(precompileKey('native', address))) return 'native'
  return store.has(precompileKey('dynamic', address)) ? 'dynamic' : undefined
}

/** Returns the addresses of token precompiles, in checksummed hex. */
export function precompileAddresses(context: Context, kind: 'native' | 'dynamic'): readonly string[] {
  const range = prefixRange(Uint8Array.of(prefix[kind]))
  return [...context.store('erc20').iterate(range)].map(([key]) => new TextDecoder().decode(key.subarray(1)))
}

function precompileKey(kind: 'native' | 'dynamic', address: Uint8Array): Uint8Array {
  return storeKey(prefix[kind], encoder.encode(checksumAddress(address)))
}

function registerCode(context: Context, address: Uint8Array): void {
  const code = readBase64(erc20Code)
  assert(typeof code !== 'string', 'the code is base64')
  const hash = keccak256(code)
  setCode(context, hash, code)
  const account = getAccount(context, address) ?? createAccount(context, address)
  setCodeHash(context, address, hash)
  setAccount(context, account)
}

/** The owner, the spender and the token of an allowance. */
export type AllowanceOf = {
  readonly token: Uint8Array
  readonly owner: Uint8Array
  readonly spender: Uint8Array
}

const allowanceMessage = message<{ token: string; owner: string; spender: string; value: string }>({
  1: ['token', text],
  2: ['owner', text],
  3: ['spender', text],
  4: ['value', text],
})

/** Returns a spender's allowance of a token. */
export function getAllowance(context: Context, of: AllowanceOf): bigint {
  const value = context.store('erc20').get(allowanceKey(of))
  return value === undefined ? 0n : BigInt(allowanceMessage.decode(value).value)
}

/** Stores a spender's allowance of a token; 0 deletes it. */
export function setAllowance(context: Context, of: AllowanceOf, amount: bigint): void {
  const key = allowanceKey(of)
  if (amount === 0n) return context.store('erc20').delete(key)
  context.store('erc20').set(
    key,
    allowanceMessage.encode({
      token: checksumAddress(of.token),
      owner: checksumAddress(of.owner),
      spender: checksumAddress(of.spender),
      value: amount.toString(),
    }),
  )
}

function allowanceKey({ token, owner, spender }: AllowanceOf): Uint8Array {
  return storeKey(prefix.allowance, token, owner, spender)
}
