/** Multisig accounts: the signatures of several keys (cosmos-sdk crypto/keys/multisig). */
import {
  type Any,
  type AuthParams,
  type CompactBitArray,
  LegacyAminoPubKey,
  MultiSignature,
  type SignMode,
} from '../../../codec/messages/cosmos.ts'
import { GoPanic, outOfRange } from '../../../codec/comet.ts'
import { varint } from '../../../codec/protobuf/wire.ts'
import type { Context } from '../context.ts'
import { goError } from '../txError.ts'
import { aminoBytes, keyUrls, unsupportedKey } from './keys.ts'
import type { Signature } from './signatureData.ts'

const ethSignatureGas = 21_000n

type Part = { readonly key: Any; readonly signature: Signature }

/** The meter for signature gas, with the prices, which are read once per transaction. */
export type SignatureMeter = {
  readonly context: Context
  readonly params: AuthParams
}

/** Charges gas for a signature; for a multisig, for each signature it contains. */
export function consumeSignature(meter: SignatureMeter, key: Any | undefined, signature: Signature): void {
  const {
    context,
    params: { sigVerifyCostSecp256k1, sigVerifyCostEd25519 },
  } = meter
  switch (key?.typeUrl) {
    case keyUrls.ethereum:
      return context.gas.consume(ethSignatureGas, 'ante verify: eth_secp256k1')
    case keyUrls.cosmos:
      return context.gas.consume(sigVerifyCostSecp256k1, 'ante verify: secp256k1')
    case keyUrls.multisig: {
      if (signature.modeInfo?.multi === undefined) {
        throw goError('expected *signing.MultiSignatureData, got, *signing.SingleSignatureData')
      }
      for (const part of partsOf(key, signature)) {
        consumeSignature(meter, part.key, part.signature)
      }
      return
    }
    case keyUrls.ed25519:
      context.gas.consume(sigVerifyCostEd25519, 'ante verify: ed25519')
  }
  throw unsupportedKey(key)
}

/** Checks one signature of one key. */
type Check = (part: { key: Any; mode: SignMode | undefined; bytes: Uint8Array }) => boolean

/** Returns why a multisig's signature is invalid; undefined if it is valid. */
export function multisigFault(key: Any, signature: Signature, check: Check): string | undefined {
  const { threshold, publicKeys } = LegacyAminoPubKey.decode(key.value)
  const { multi } = signature.modeInfo ?? {}
  if (multi === undefined) {
    return 'expected *signing.MultiSignatureData, got *signing.SingleSignatureData'
  }
  const size = sizeOf(multi.bitarray)
  const { signatures } = MultiSignature.decode(signature.bytes)
  if (publicKeys.length !== size) {
    return `bit array size is incorrect, expecting: ${publicKeys.length}`
  }
  if (signatures.length < threshold || signatures.length > size) {
    return `signature size is incorrect ${signatures.length}`
  }
  const parts = partsOf(key, signature)
  if (parts.length < threshold) {
    return `not enough signatures set, have ${parts.length}, expected ${threshold}`
  }
  const bad = parts.findIndex((part) => {
    const { bytes, modeInfo } = part.signature
    if (part.key.typeUrl === keyUrls.multisig) {
      return multisigFault(part.key, part.signature, check) !== undefined
    }
    return !check({ key: part.key, mode: modeInfo?.single?.mode, bytes })
  })
  if (bad < 0) return undefined
  const indexes = publicKeys.flatMap((_, index) => (isSet(multi.bitarray, index) ? [index] : []))
  return `unable to verify signature at index ${indexes[bad]}`
}

/**
 * Returns the keys whose bits are set, with their signatures. Throws `GoPanic` where the SDK reads
 * beyond its lists: it goes by the size of the bit array.
 */
function partsOf(key: Any, { bytes, modeInfo }: Signature): readonly Part[] {
  const { publicKeys } = LegacyAminoPubKey.decode(key.value)
  const { signatures } = MultiSignature.decode(bytes)
  const { bitarray, modeInfos = [] } = modeInfo?.multi ?? {}
  const parts: Part[] = []
  for (let index = 0; index < sizeOf(bitarray); index++) {
    if (!isSet(bitarray, index)) continue
    const each = at(publicKeys, index)
    parts.push({ key: each, signature: { bytes: at(signatures, parts.length), modeInfo: modeInfos[parts.length] } })
  }
  return parts
}

function at<Item>(list: ArrayLike<Item>, index: number): Item {
  const item = list[index]
  if (item !== undefined) return item
  throw new GoPanic(outOfRange(index, list))
}

/**
 * Returns the number of bits. The highest bit of each byte comes first; `extraBitsStored` counts
 * the bits in the last byte, 0 for all eight.
 */
function sizeOf(bits: CompactBitArray | undefined): number {
  if (bits === undefined) return 0
  const { extraBitsStored, elems } = bits
  return extraBitsStored === 0 ? elems.length * 8 : (elems.length - 1) * 8 + extraBitsStored
}

function isSet(bits: CompactBitArray | undefined, index: number): boolean {
  if (bits === undefined || index >= sizeOf(bits)) return false
  return (at(bits.elems, index >> 3) & (1 << (7 - (index % 8)))) !== 0
}

/**
 * Returns the assumed size of a missing signature in bytes: an amino `StdSignature` of the key and
 * 64 bytes, plus six. For a multisig, this is multiplied by the maximum number of signatures
 * (x/auth ante ConsumeTxSizeGas).
 */
export function signatureSize(key: Any | undefined, most: bigint): bigint {
  if (key?.typeUrl !== keyUrls.multisig) return fieldSize(singleKeyBytes) + fieldSize(64n) + 6n
  return (fieldSize(BigInt(aminoBytes(key).length)) + fieldSize(64n) + 6n) * most
}

/** Prefix, length and point. */
const singleKeyBytes = 38n

function fieldSize(length: bigint): bigint {
  return 1n + BigInt(varint(length).length) + length
}
