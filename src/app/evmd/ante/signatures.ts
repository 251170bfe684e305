/** Keys and signatures of Cosmos transactions (cosmos-sdk x/auth/ante sigverify). */
import { base64Of } from '../../../codec/base64.ts'
import { GoPanic, nilPointer, outOfRange } from '../../../codec/comet.ts'
import { bytesOfHex } from '../../../codec/hex.ts'
import { type Any, type ModeInfo, Secp256k1PubKey, SignMode } from '../../../codec/messages/cosmos.ts'
import { equalBytes } from '../../../data/bytes.ts'
import { accountText } from '../address.ts'
import { emit, type Context } from '../context.ts'
import { type Account, getAccount, setAccount } from '../modules/auth/accounts.ts'
import { authParams } from '../modules/auth/params.ts'
import type { DecodedTx, Signer } from '../tx/decodeTx.ts'
import { sdkError } from '../txError.ts'
import { addressOfKey, isSignedBy, keyUrls } from './keys.ts'
import { consumeSignature, multisigFault } from './multisig.ts'
import { checkSignatures, signatureParts, type Signature } from './signatureData.ts'
import { CannotSign, signPayload, typedDataPayloads } from './signPayload.ts'

/**
 * Stores the public keys of signers that have none stored, after checking that they match the
 * accounts.
 */
export function setPublicKeys(context: Context, tx: DecodedTx, addresses: readonly Uint8Array[]): void {
  tx.signers.forEach((signer, index) => {
    const address = addresses[index]
    if (address === undefined) throw new GoPanic(outOfRange(index, addresses))
    const publicKey = signer.publicKey ?? (context.mode === 'simulate' ? simulatedKey : undefined)
    if (publicKey === undefined) return
    if (context.mode !== 'simulate' && !equalBytes(addressOfKey(publicKey), address)) {
      throw sdkError(
        'invalidPubKey',
        `pubKey does not match signer address ${accountText(context, address)} with signer index: ${index}`,
      )
    }
    const account = signerAccount(context, address)
    if (account.publicKey !== undefined) return
    // Only a simulation gets here with one.
    if (account.module !== undefined) throw sdkError('invalidPubKey', 'not supported for module accounts')
    setAccount(context, { ...account, publicKey })
  })
  const signatures = signaturesOf(tx)
  checkSignatures(signatures)
  tx.signers.forEach(({ sequence }, index) => {
    const address = addresses[index]
    if (address !== undefined && !tx.isUnordered) {
      emit(context, 'tx', { acc_seq: `${accountText(context, address)}/${sequence}` })
    }
    const signature = signatures[index]
    for (const each of signature === undefined ? [] : signatureParts(signature)) {
      emit(context, 'tx', { signature: base64Of(each) })
    }
  })
}

/** Returns the signatures of a transaction, one for each signer listed in it. Throws `GoPanic` if one is missing. */
export function signaturesOf({ signers, signatures }: DecodedTx): readonly Signature[] {
  return signers.map(({ modeInfo }, index) => {
    const bytes = signatures[index]
    if (bytes === undefined && modeInfo !== undefined) throw new GoPanic(outOfRange(index, signatures))
    return { bytes: bytes ?? new Uint8Array(0), modeInfo }
  })
}

/** The key that the SDK assumes if a simulated transaction omits one (x/auth/ante). */
const simulatedKey: Any = {
  typeUrl: keyUrls.cosmos,
  value: Secp256k1PubKey.encode({
    key: bytesOfHex('0x035ad6810a47f073553ff30d2fcc7e0d3b1c0b74b61a1aaa2582344037151e143a'),
  }),
}

/** Charges gas for each signature. */
export function consumeSignatureGas(context: Context, tx: DecodedTx, addresses: readonly Uint8Array[]): void {
  const meter = { context, params: authParams(context) }
  const signatures = signaturesOf(tx)
  addresses.slice(0, signatures.length).forEach((address, index) => {
    const { publicKey } = signerAccount(context, address)
    const signature = signatures[index]
    if (signature !== undefined) consumeSignature(meter, publicKey, signature)
  })
}

/** Throws the SDK's error unless every signer has signed with its account's key and sequence. */
export function verifySignatures(context: Context, tx: DecodedTx, addresses: readonly Uint8Array[]): void {
  if (tx.isUnordered) {
    throw sdkError('notSupported', 'unordered transactions are not enabled')
  }
  const [expected, got] = [addresses.length, tx.signers.length]
  if (got !== expected) {
    throw sdkError('unauthorized', `invalid number of signer;  expected: ${expected}, got ${got}`)
  }
  addresses.forEach((address, index) => {
    const account = signerAccount(context, address)
    const signer = tx.signers[index]
    const signature = tx.signatures[index]
    if (account.publicKey === undefined && context.mode !== 'simulate') {
      throw sdkError('invalidPubKey', 'pubkey on account is not set')
    }
    if (signer === undefined || signature === undefined) return
    if (signer.sequence !== account.sequence) {
      throw sdkError('wrongSequence', `account sequence mismatch, expected ${account.sequence}, got ${signer.sequence}`)
    }
    if (context.mode === 'simulate' || context.mode === 'recheck') return
    // The node reads the keys and bit arrays of all signers to rebuild the signed bytes.
    if (tx.signers.some(({ publicKey, modeInfo }) => publicKey === undefined || lacksBits(modeInfo))) {
      throw new GoPanic(nilPointer)
    }
    const fault = faultOf(context, tx, { account, signer, signature })
    if (fault !== undefined) {
      throw refusedSignature(context, { account, modeInfo: signer.modeInfo, fault })
    }
  })
}

function lacksBits(modeInfo: ModeInfo | undefined): boolean {
  const multi = modeInfo?.multi
  return multi !== undefined && (multi.bitarray === undefined || multi.modeInfos.some(lacksBits))
}

/** Raises the sequence of every signer. After the greatest one, Go begins again at 0. */
export function raiseSequences(context: Context, addresses: readonly Uint8Array[]): void {
  for (const address of addresses) {
    const account = signerAccount(context, address)
    setAccount(context, { ...account, sequence: BigInt.asUintN(64, account.sequence + 1n) })
  }
}

type Signed = {
  readonly account: Account
  readonly signer: Signer
  readonly signature: Uint8Array
}

/** Returns why a signature is invalid; undefined if it is valid. */
function faultOf(context: Context, tx: DecodedTx, { account, signer, signature }: Signed): string | undefined {
  const { publicKey } = account
  if (publicKey === undefined) return 'no public key'
  const { modeInfo, sequence } = signer
  const check = (key: Any, mode: SignMode | undefined, bytes: Uint8Array): boolean => {
    const signing = { tx, account, publicKey, sequence }
    const payload = signPayload(context, mode, signing)
    if (payload === undefined) return false
    if (isSignedBy(key, payload, bytes)) return true
    if (key.typeUrl !== keyUrls.ethereum) return false
    return typedDataPayloads(context, mode, signing).some((typed) => isSignedBy(key, typed, bytes))
  }
  try {
    if (publicKey.typeUrl === keyUrls.multisig) {
      return multisigFault(publicKey, { bytes: signature, modeInfo }, ({ key, mode, bytes }) => check(key, mode, bytes))
    }
    if (modeInfo?.multi !== undefined) return `expected <nil>, got *${goTypeOf(publicKey)}`
    return check(publicKey, modeInfo?.single?.mode, signature) ? undefined : 'unable to verify single signer signature'
  } catch (error) {
    if (error instanceof CannotSign) return error.message
    throw error
  }
}

/** Returns the Go type of a key that is not a multisig. */
function goTypeOf({ typeUrl }: Any): string {
  return typeUrl === keyUrls.ethereum ? 'ethsecp256k1.PubKey' : 'secp256k1.PubKey'
}

type Refused = {
  readonly account: Account
  readonly modeInfo: ModeInfo | undefined
  readonly fault: string
}

function refusedSignature(context: Context, { account, modeInfo, fault }: Refused): Error {
  const { chainId } = context.block
  const [sequence, reason] = isAminoOnly(modeInfo) ? [`, sequence (${account.sequence})`, ''] : ['', `: (${fault})`]
  return sdkError(
    'unauthorized',
    'signature verification failed; please verify account number ' +
      `(${account.number})${sequence} and chain-id (${chainId})${reason}`,
  )
}

function isAminoOnly(modeInfo: ModeInfo | undefined): boolean {
  if (modeInfo?.multi !== undefined) return modeInfo.multi.modeInfos.every(isAminoOnly)
  return modeInfo?.single?.mode === SignMode.SIGN_MODE_LEGACY_AMINO_JSON
}

function signerAccount(context: Context, address: Uint8Array): Account {
  const account = getAccount(context, address)
  if (account !== undefined) return account
  throw sdkError('unknownAddress', `account ${accountText(context, address)} does not exist`)
}
