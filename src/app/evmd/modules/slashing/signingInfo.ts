/** The store `slashing`: signed and missed blocks of validators (x/slashing keeper). */
import { bool, int64, message, text } from '../../../../codec/protobuf/message.ts'
import type { Time } from '../../../../data/time.ts'
import { assert } from '../../../../errors.ts'
import { epoch } from '../../blockTime.ts'
import { consensusText } from '../../address.ts'
import type { Context } from '../../context.ts'
import { littleEndian, prefixRange, sized, storeKey } from '../../storeKeys.ts'
import { storedForm } from '../../storedForm.ts'
import { anyMessage, digits, durationField, timeField } from '../../wire.ts'
import { consensusAddress, type Validator } from '../staking/validator.ts'

/** The parameters. Shares are 18-place decimals; the duration is in nanoseconds. */
export type SlashingParams = {
  signedBlocksWindow: bigint
  minSignedPerWindow: bigint
  downtimeJailDuration: bigint
  slashFractionDoubleSign: bigint
  slashFractionDowntime: bigint
}
export type SigningInfo = {
  address: string
  startHeight: bigint
  indexOffset: bigint
  jailedUntil: Time
  tombstoned: boolean
  missedBlocks: bigint
}

export const slashingParamsMessage = message<SlashingParams>({
  1: ['signedBlocksWindow', int64],
  2: ['minSignedPerWindow', digits],
  3: ['downtimeJailDuration', durationField],
  4: ['slashFractionDoubleSign', digits],
  5: ['slashFractionDowntime', digits],
})
const slashingParamsForm = storedForm(slashingParamsMessage)
export const signingInfoMessage = message<SigningInfo>({
  1: ['address', text],
  2: ['startHeight', int64],
  3: ['indexOffset', int64],
  4: ['jailedUntil', timeField],
  5: ['tombstoned', bool],
  6: ['missedBlocks', int64],
})

const signingInfoForm = storedForm(signingInfoMessage)

const prefix = { params: 0, info: 1, missed: 2, key: 3 } as const

/** Returns the parameters of x/slashing. */
export function slashingParams(context: Context): SlashingParams {
  const params = context.store('slashing').read(storeKey(prefix.params), slashingParamsForm)
  assert(params !== undefined, 'x/slashing has no parameters')
  return params
}

/** Stores the parameters of x/slashing. */
export function setSlashingParams(context: Context, params: SlashingParams): void {
  context.store('slashing').set(storeKey(prefix.params), slashingParamsMessage.encode(params))
}

/** Returns the signing info of a consensus address, or undefined. */
export function signingInfo(context: Context, address: Uint8Array): SigningInfo | undefined {
  return context.store('slashing').read(storeKey(prefix.info, sized(address)), signingInfoForm)
}

/** Stores the signing info of a consensus address. */
export function setSigningInfo(context: Context, address: Uint8Array, info: SigningInfo): void {
  context.store('slashing').write(storeKey(prefix.info, sized(address)), info, signingInfoForm)
}

/** The store and key prefix of all signing infos, ordered by consensus address. */
export const signingInfosPlace = {
  store: 'slashing',
  prefix: Uint8Array.of(prefix.info),
} as const

/** Starts counting a validator's blocks at this height. */
export function startSigning(context: Context, address: Uint8Array): void {
  const known = signingInfo(context, address)
  const startHeight = context.block.height
  setSigningInfo(
    context,
    address,
    known === undefined
      ? {
          address: consensusText(context, address),
          startHeight,
          indexOffset: 0n,
          jailedUntil: epoch,
          tombstoned: false,
          missedBlocks: 0n,
        }
      : { ...known, startHeight },
  )
}

/** Stores a validator's consensus key by its address. */
export function rememberKey(context: Context, validator: Validator): void {
  assert(validator.publicKey !== undefined, 'a validator has a key')
  const key = storeKey(prefix.key, sized(consensusAddress(validator)))
  context.store('slashing').set(key, anyMessage.encode(validator.publicKey))
}

/** Deletes the consensus key of a removed validator. */
export function forgetKey(context: Context, address: Uint8Array): void {
  context.store('slashing').delete(storeKey(prefix.key, sized(address)))
}

/** Returns whether a validator's consensus key is stored. */
export function isKeyKnown(context: Context, address: Uint8Array): boolean {
  return context.store('slashing').get(storeKey(prefix.key, sized(address))) !== undefined
}

const chunkBits = 1024n
const headerBytes = 8

/** Returns whether a validator missed the block at an index of its window. */
export function hasMissed(context: Context, address: Uint8Array, index: bigint): boolean {
  const chunk = context.store('slashing').get(missedKey(address, index))
  const { byte, mask } = placeOf(index)
  return chunk !== undefined && ((chunk[byte] ?? 0) & mask) !== 0
}

/** Stores whether a validator missed the block at an index of its window. */
export function setMissed(
  context: Context,
  address: Uint8Array,
  { index, missed }: { index: bigint; missed: boolean },
): void {
  const key = missedKey(address, index)
  const chunk = context.store('slashing').get(key)?.slice() ?? emptyChunk()
  const { byte, mask } = placeOf(index)
  const before = chunk[byte] ?? 0
  chunk[byte] = missed ? before | mask : before & ~mask
  context.store('slashing').set(key, chunk)
}

/** Deletes the record of a validator's missed blocks. */
export function forgetMissed(context: Context, address: Uint8Array): void {
  const range = prefixRange(storeKey(prefix.missed, sized(address)))
  for (const [key] of [...context.store('slashing').iterate(range)]) {
    context.store('slashing').delete(key)
  }
}

function missedKey(address: Uint8Array, index: bigint): Uint8Array {
  return storeKey(prefix.missed, sized(address), littleEndian(index / chunkBits))
}

/**
 * Returns an empty chunk: its number of bits, then 64-bit words, all big-endian
 * (bits-and-blooms/bitset).
 */
function emptyChunk(): Uint8Array {
  const chunk = new Uint8Array(headerBytes + Number(chunkBits) / 8)
  new DataView(chunk.buffer).setBigUint64(0, chunkBits)
  return chunk
}

function placeOf(index: bigint): { readonly byte: number; readonly mask: number } {
  const bit = Number(index % chunkBits)
  const word = Math.floor(bit / 64)
  const inWord = bit % 64
  return { byte: headerBytes + word * 8 + 7 - (inWord >> 3), mask: 1 << (inWord & 7) }
}
