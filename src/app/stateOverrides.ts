/** State overrides of calls (`cosmos-evm-rpc.md` §2.5; geth `internal/ethapi/override`). */
import { mismatch, object, optional, type Codec } from '../codec/codec.ts'
import { DecodeError, mismatchError } from '../codec/decodeError.ts'
import type { Json } from '../codec/goJson.ts'
import { jsonOf } from '../codec/goJsonWrite.ts'
import { address, big, data, hash, hexOf, uint64 } from '../codec/hex.ts'
import { equalBytes } from '../data/bytes.ts'
import type { StateOverride } from './ethereumView.ts'
import { grpcCodes, GrpcStatus } from './grpcStatus.ts'
import { checksumAddress } from '../crypto/checksumAddress.ts'

type Slots = readonly (readonly [Uint8Array, Uint8Array])[]

/** The storage of an account as a map of words. */
export const slots: Codec<Slots> = {
  schema: { type: 'object', additionalProperties: hash.schema },
  decode: (wire, path) => {
    if (wire.type === 'null') return []
    if (wire.type !== 'object') throw mismatch(wire, path, 'map[common.Hash]common.Hash')
    return wire.members.map(([key, value]) => [hash.decode(jsonOf(key), path), hash.decode(value, path)])
  },
  encode: (value) => Object.fromEntries(value.map(([key, word]) => [hexOf(key), hexOf(word)])),
}

type Account = {
  readonly nonce: bigint | undefined
  readonly code: Uint8Array | undefined
  readonly balance: bigint | undefined
  readonly state: Slots | undefined
  readonly stateDiff: Slots | undefined
  readonly movePrecompileToAddress: Uint8Array | undefined
}

export const account: Codec<Account> = object<Account>(
  {
    nonce: optional(uint64),
    code: optional(data()),
    balance: optional(big),
    state: optional(slots),
    stateDiff: optional(slots),
    movePrecompileToAddress: optional(address),
  },
  { goType: 'types.OverrideAccount' },
)

/** Returns the decoded overrides. Throws `GrpcStatus` if they are invalid. */
export function readStateOverrides(wire: Json | undefined): readonly StateOverride[] {
  if (wire === undefined) return []
  try {
    return decodeAccounts(wire)
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error
    throw new GrpcStatus(grpcCodes.invalidArgument, `invalid state overrides format: ${error.text}`)
  }
}

function decodeAccounts(wire: Json): readonly StateOverride[] {
  if (wire.type !== 'object') throw mismatchError('', { value: wire.type, goType: 'types.StateOverride' }, wire.raw)
  const all = wire.members.map(([key, value]) => {
    const who = address.decode(jsonOf(key), '')
    return toOverride(who, account.decode(value, key))
  })
  for (const each of all) {
    const { movePrecompileTo: to } = each
    if (to !== undefined && !isPrecompile(each.address)) {
      const shown = checksumAddress(each.address)
      throw overrideRefused(`account ${shown} is not a precompile`)
    }
    if (to !== undefined && all.some(({ address: other }) => equalBytes(other, to))) {
      throw overrideRefused(`account ${checksumAddress(to)} is already overridden`)
    }
    if (each.state !== undefined && each.stateDiff !== undefined) {
      const shown = checksumAddress(each.address)
      throw overrideRefused(`account ${shown} has both 'state' and 'stateDiff'`)
    }
  }
  return all
}

/** Returns whether an address is one of Ethereum's own precompiles as of Prague, 1 to 17. */
export function isPrecompile(who: Uint8Array): boolean {
  const last = who[19] ?? 0
  return who.subarray(0, 19).every((byte) => byte === 0) && last >= 1 && last <= 17
}

/** Returns the error for overrides that decode but cannot be applied. */
function overrideRefused(text: string): Error {
  return new GrpcStatus(grpcCodes.internal, `failed to apply state override: ${text}`)
}

function toOverride(who: Uint8Array, { movePrecompileToAddress, ...rest }: Account): StateOverride {
  return { address: who, ...rest, movePrecompileTo: movePrecompileToAddress }
}
