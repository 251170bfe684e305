/** The precompiles by address: the active static ones, and token precompiles (x/vm, x/erc20). */
import { bytesOfHex, hexOf } from '../../../codec/hex.ts'
import { type Context, withFreeStores } from '../context.ts'
import { precompileAddresses, precompileKind } from '../modules/erc20/tokenPairs.ts'
import { codeHashKey, getEvmParams } from '../modules/evm/store.ts'
import { bankPrecompile } from './bank.ts'
import { bech32Precompile } from './bech32.ts'
import { distributionPrecompile } from './distribution.ts'
import { erc20Precompile, werc20Precompile } from './erc20.ts'
import { govPrecompile } from './gov.ts'
import { ics20Precompile } from './ics20.ts'
import { p256Precompile } from './p256.ts'
import { slashingPrecompile } from './slashing.ts'
import { stakingPrecompile } from './staking.ts'
import type { Precompile } from './precompile.ts'
import { isChecksummed } from '../../../crypto/checksumAddress.ts'
import { equalBytes } from '../../../data/bytes.ts'
import { rememberedBy } from '../../../data/remembered.ts'

const statics: Readonly<Record<string, Precompile>> = {
  '0x0000000000000000000000000000000000000100': p256Precompile,
  '0x0000000000000000000000000000000000000400': bech32Precompile,
  '0x0000000000000000000000000000000000000800': stakingPrecompile,
  '0x0000000000000000000000000000000000000801': distributionPrecompile,
  '0x0000000000000000000000000000000000000802': ics20Precompile,
  '0x0000000000000000000000000000000000000804': bankPrecompile,
  '0x0000000000000000000000000000000000000805': govPrecompile,
  '0x0000000000000000000000000000000000000806': slashingPrecompile,
}
const missing: Precompile = { kind: 'missing' }

/** Returns the precompile at one of the addresses from `precompileAddressesOf`. */
export function findPrecompile(context: Context, address: Uint8Array): Precompile {
  const known = statics[hexOf(address)]
  if (known !== undefined) return known
  // Finding a precompile is free, because the node does it before the call.
  const kind = precompileKind(withFreeStores(context), address)
  if (kind === undefined) return missing
  return kind === 'native' ? werc20Precompile : erc20Precompile
}

const bytesOf = rememberedBy(
  (spelled: readonly string[]) => spelled.join(),
  (spelled) => spelled.map((each) => bytesOfHex(each)),
  100,
)

type Known = {
  readonly actives: readonly string[]
  readonly addresses: readonly Uint8Array[]
  /** The active ones without an implementation here. */
  readonly missing: readonly Uint8Array[]
}

// Cached, because every transaction reads the addresses and few transactions register a token.
const latest = new WeakMap<object, Known>()

/**
 * Returns the addresses of all precompiles; the same array as long as they do not change. An active one that is
 * missing is left out if it has code, which only an operator can give it: a stand-in for a precompile of another chain.
 */
export function precompileAddressesOf(context: Context): readonly Uint8Array[] {
  const raw = withFreeStores(context)
  const actives = getEvmParams(raw).activeStaticPrecompiles
  const contents = context.draft.contents('erc20')
  const known = latest.get(contents)
  if (known?.actives === actives) return withoutStandIns(raw, known)
  // The node compares checksummed text.
  const active = actives.filter(isChecksummed)
  const addresses = bytesOf([...active, ...precompileAddresses(raw, 'native'), ...precompileAddresses(raw, 'dynamic')])
  const missing = bytesOf(active.filter((each) => statics[each.toLowerCase()] === undefined))
  const found = { actives, addresses, missing }
  latest.set(contents, found)
  return withoutStandIns(raw, found)
}

function withoutStandIns(raw: Context, { addresses, missing }: Known): readonly Uint8Array[] {
  const standIns = missing.filter((address) => raw.store('evm').has(codeHashKey(address)))
  if (standIns.length === 0) return addresses
  return addresses.filter((each) => !standIns.some((other) => equalBytes(each, other)))
}
