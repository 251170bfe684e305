/** Address encoding, and the addresses of module accounts. */
import { Bech32Error, bech32Of, readBech32 } from '../../codec/bech32.ts'
import { bytesOfDigits } from '../../codec/hex.ts'
import { sha256 } from '../../crypto/hash.ts'
import { toBinaryString } from '../../data/binaryString.ts'
import { rememberedBy } from '../../data/remembered.ts'
import { utf8Of } from '../../data/utf8.ts'
import { isExpected } from '../../errors.ts'
import type { Settings } from '../../settings/settings.ts'
import { goError, sdkError } from './txError.ts'

/**
 * The addresses of a chain as text: each function returns one in bech32, with the chain's prefix. With the prefix
 * `cosmos` accounts are `cosmos1…`, operators of validators `cosmosvaloper1…`, and consensus keys `cosmosvalcons1…`
 * (types/address.go).
 */
export type AddressTexts = {
  readonly prefix: string
  readonly account: (address: Uint8Array) => string
  readonly operator: (address: Uint8Array) => string
  readonly consensus: (address: Uint8Array) => string
}

/** A context, or whatever else knows the prefix of its chain. */
export type Addressing = { readonly fixed: { readonly addressTexts: AddressTexts } }

export type AddressKind = 'account' | 'operator' | 'consensus'

const suffixes: Readonly<Record<AddressKind, string>> = { account: '', operator: 'valoper', consensus: 'valcons' }

/** Returns the prefix of addresses of a kind, given that of accounts: `cosmosvaloper` for operators with `cosmos`. */
export function prefixOfKind(prefix: string, kind: AddressKind): string {
  return `${prefix}${suffixes[kind]}`
}

/** Returns an address in bech32 with the prefix of the settings' chain. */
export function addressText(
  { bech32Prefix }: Pick<Settings, 'bech32Prefix'>,
  address: Uint8Array,
  kind: AddressKind = 'account',
): string {
  return bech32Of(prefixOfKind(bech32Prefix, kind), address)
}

/** Returns the address texts for a prefix. They are cached, because events repeat the same few addresses. */
export function addressTexts(prefix: string): AddressTexts {
  // Encoding one takes 15 µs.
  const speller = (kind: AddressKind) =>
    rememberedBy(toBinaryString, (address: Uint8Array) => addressText({ bech32Prefix: prefix }, address, kind))
  return { prefix, account: speller('account'), operator: speller('operator'), consensus: speller('consensus') }
}

/** Returns an account address, 20 bytes, in bech32 (`cosmos1…`). */
export function accountText({ fixed }: Addressing, address: Uint8Array): string {
  return fixed.addressTexts.account(address)
}

/** Returns the operator address of a validator in bech32 (`cosmosvaloper1…`). */
export function operatorText({ fixed }: Addressing, address: Uint8Array): string {
  return fixed.addressTexts.operator(address)
}

/** Returns the address of a validator's consensus key in bech32 (`cosmosvalcons1…`). */
export function consensusText({ fixed }: Addressing, address: Uint8Array): string {
  return fixed.addressTexts.consensus(address)
}

/** Returns the prefix of a chain's addresses of a kind. */
export function prefixOf({ fixed }: Addressing, kind: AddressKind): string {
  return prefixOfKind(fixed.addressTexts.prefix, kind)
}

/**
 * Returns the bytes of an address in bech32 or hex (cosmos-evm-rpc.md §9.1). Throws `TxError` as
 * the node's address codec does (cosmos/evm encoding/address).
 */
export function addressOf(at: Addressing, text: string): Uint8Array {
  return prefixedAddress(text, prefixOf(at, 'account'))
}

function prefixedAddress(text: string, wanted: string): Uint8Array {
  if (text.trim() === '') throw sdkError('invalidAddress', 'empty address string is not allowed')
  const isHex = /^(0x)?[0-9a-f]{40}$/i.test(text)
  const digits = isHex ? bytesOfDigits(text.replace(/^0x/i, '')) : undefined
  if (digits !== undefined) return digits
  const read = bech32Or(text)
  if (read === undefined) throw sdkError('unknownAddress', `unknown address format: ${text}`)
  if (read.prefix !== wanted) {
    throw sdkError('logic', `hrp does not match bech32 prefix: expected '${wanted}' got '${read.prefix}'`)
  }
  return sizedAddress(read.bytes)
}

/** Returns an address if its length is one that the SDK accepts (types/address.go VerifyAddressFormat). */
function sizedAddress(bytes: Uint8Array): Uint8Array {
  const { length } = bytes
  if (length === 0) throw sdkError('unknownAddress', 'addresses cannot be empty')
  if (length > 255) throw sdkError('unknownAddress', `address max length is 255, got ${length}`)
  return bytes
}

function bech32Or(text: string): ReturnType<typeof readBech32> | undefined {
  try {
    return readBech32(text)
  } catch (error) {
    if (error instanceof Bech32Error) return undefined
    throw error
  }
}

/**
 * Returns the bytes of an address that must be in bech32, as the SDK's own functions decode it
 * (types/address.go GetFromBech32). Throws `Bech32Error` and plain errors.
 */
export function bech32AddressOf(at: Addressing, text: string, kind: AddressKind = 'account'): Uint8Array {
  const wanted = prefixOf(at, kind)
  if (text.trim() === '') throw goError('empty address string is not allowed')
  const { prefix, bytes } = readBech32(text)
  if (prefix === wanted) return sizedAddress(bytes)
  throw goError(`invalid Bech32 prefix; expected ${wanted}, got ${prefix}`)
}

/**
 * Returns the 20 bytes of an operator address in bech32 or hex. Throws the SDK's `invalid address`.
 */
export function operatorOf(at: Addressing, text: string): Uint8Array {
  return prefixedAddress(text, prefixOf(at, 'operator'))
}

/** Returns the address of a consensus key in bech32 or hex. Throws the SDK's `invalid address`. */
export function consensusOf(at: Addressing, text: string): Uint8Array {
  return prefixedAddress(text, prefixOf(at, 'consensus'))
}

/**
 * Returns the result of `read` for a text. If `read` throws, the error names the invalid address.
 */
export function namedAddress(
  at: Addressing,
  what: string,
  text: string,
  read: (at: Addressing, text: string) => Uint8Array = addressOf,
): Uint8Array {
  try {
    return read(at, text)
  } catch (error) {
    if (!isExpected(error)) throw error
    throw sdkError('invalidAddress', `invalid ${what} address: ${error.message}`)
  }
}

const moduleAddresses = new Map<string, Uint8Array>()

/** Returns the address of a module account: the first 20 bytes of its name's SHA-256 (ADR-028). */
export function moduleAddress(name: string): Uint8Array {
  const known = moduleAddresses.get(name)
  if (known !== undefined) return known
  const address = sha256(utf8Of(name)).slice(0, 20)
  if (Object.hasOwn(modulePermissions, name)) moduleAddresses.set(name, address)
  return address
}

/** Module accounts of evmd with their permissions (evmd `app.go` maccPerms). */
export const modulePermissions: Readonly<Record<string, readonly string[]>> = {
  fee_collector: [],
  distribution: [],
  transfer: ['minter', 'burner'],
  mint: ['minter'],
  bonded_tokens_pool: ['burner', 'staking'],
  not_bonded_tokens_pool: ['burner', 'staking'],
  gov: ['burner'],
  evm: ['minter', 'burner'],
  feemarket: [],
  erc20: ['minter', 'burner'],
  precisebank: ['minter', 'burner'],
}

export const feeCollector = moduleAddress('fee_collector')
export const evmModule = moduleAddress('evm')
export const govModule = moduleAddress('gov')
/** Holds the coins that fractions of accounts make (x/precisebank). */
export const reserve = moduleAddress('precisebank')
