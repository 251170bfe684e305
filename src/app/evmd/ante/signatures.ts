/** Keys and signatures of Cosmos transactions (cosmos-sdk x/auth/ante sigverify). */
import { aminoSignText } from '../../../codec/aminoJson.ts'
import { AminoError } from '../../../codec/aminoValue.ts'
import { base64Of } from '../../../codec/base64.ts'
import { Any, Secp256k1PubKey, SignDoc, SignMode } from '../../../codec/protobuf/cosmos.ts'
import { ethSecp256k1PubKey, typeUrls } from '../../../codec/protobuf/cosmosEvm.ts'
import { keccak256, sha256 } from '../../../crypto/hash.ts'
import { cosmosAddress, ethAddress } from '../../../crypto/keys.ts'
import { secp256k1 } from '../../../crypto/secp256k1.ts'
import { uncompressed } from '../../../crypto/uncompressed.ts'
import { equalBytes } from '../../../data/bytes.ts'
import { accountText } from '../address.ts'
import { emit, type Context } from '../context.ts'
import { type Account, getAccount, setAccount } from '../modules/auth/accounts.ts'
import { authParams } from '../modules/auth/params.ts'
import type { DecodedTx, Signer } from '../tx/decodeTx.ts'
import { sdkError } from '../txError.ts'

const cosmosKeyUrl = '/cosmos.crypto.secp256k1.PubKey'
const ethSignatureGas = 21_000n

/** Stores the keys that signers show for the first time, after checking that they are theirs. */
export function setPublicKeys(
  context: Context, tx: DecodedTx, addresses: readonly Uint8Array[],
): void {
  tx.signers.forEach(({ publicKey }, index) => {
    const address = addresses[index]
    if (publicKey === undefined || address === undefined) return
    if (context.mode !== 'simulate' && !equalBytes(addressOfKey(publicKey), address)) {
      throw sdkError('invalidPubKey',
        `pubKey does not match signer address ${accountText(address)} with signer index: ${index}`)
    }
    const account = signerAccount(context, address)
    if (account.publicKey === undefined) setAccount(context, { ...account, publicKey })
  })
  tx.signers.forEach(({ sequence }, index) => {
    const address = addresses[index]
    if (address !== undefined) emit(context, 'tx', { acc_seq: `${accountText(address)}/${sequence}` })
  })
  for (const signature of tx.signatures) emit(context, 'tx', { signature: base64Of(signature) })
}

/** Charges gas for each signature. */
export function consumeSignatureGas(
  context: Context, { length }: readonly Uint8Array[], addresses: readonly Uint8Array[],
): void {
  const params = authParams(context)
  for (const address of addresses.slice(0, length)) {
    const { publicKey } = signerAccount(context, address)
    if (publicKey?.typeUrl === typeUrls.ethSecp256k1) {
      context.gas.consume(ethSignatureGas, 'ante verify: eth_secp256k1')
    } else if (publicKey?.typeUrl === cosmosKeyUrl || publicKey === undefined) {
      context.gas.consume(params.sigVerifyCostSecp256k1, 'ante verify: secp256k1')
    } else throw unsupportedKey(publicKey)
  }
}

/** Throws the SDK's refusal unless every signer has signed with the key and sequence of its account. */
export function verifySignatures(
  context: Context, tx: DecodedTx, addresses: readonly Uint8Array[],
): void {
  addresses.forEach((address, index) => {
    const account = signerAccount(context, address)
    const signer = tx.signers[index]
    const signature = tx.signatures[index]
    if (account.publicKey === undefined && context.mode !== 'simulate') {
      throw sdkError('invalidPubKey', 'pubkey on account is not set')
    }
    if (signer === undefined || signature === undefined) return
    if (signer.sequence !== account.sequence) {
      throw sdkError('wrongSequence',
        `account sequence mismatch, expected ${account.sequence}, got ${signer.sequence}`)
    }
    if (context.mode === 'simulate' || context.mode === 'recheck') return
    if (!isSigned(context, tx, { account, signer, signature })) {
      throw refusedSignature(context, account, tx.signers)
    }
  })
}

/** Raises the sequence of every signer. */
export function raiseSequences(context: Context, addresses: readonly Uint8Array[]): void {
  for (const address of addresses) {
    const account = signerAccount(context, address)
    setAccount(context, { ...account, sequence: account.sequence + 1n })
  }
}

type Signed = {
  readonly account: Account
  readonly signer: Signer
  readonly signature: Uint8Array
}

function isSigned(context: Context, tx: DecodedTx, { account, signer, signature }: Signed): boolean {
  const { publicKey } = account
  const payload = signPayload(context, tx, { account, signer })
  if (publicKey === undefined || payload === undefined) return false
  const key = keyBytes(publicKey)
  if (publicKey.typeUrl === cosmosKeyUrl) {
    return signature.length === 64 && secp256k1.verify(sha256(payload), signature, key)
  }
  // A recovery id at the end, as Ethereum signers make it, is cut off (ethsecp256k1 VerifySignature).
  const plain = signature.length === 65 ? signature.subarray(0, 64) : signature
  return plain.length === 64 && secp256k1.verify(keccak256(payload), plain, key)
}

function signPayload(
  context: Context, tx: DecodedTx, { account, signer }: Omit<Signed, 'signature'>,
): Uint8Array | undefined {
  const { chainId } = context.block
  if (signer.mode === SignMode.SIGN_MODE_DIRECT) {
    const { bodyBytes, authInfoBytes } = tx
    return SignDoc.encode({ bodyBytes, authInfoBytes, chainId, accountNumber: account.number }).finish()
  }
  if (signer.mode !== SignMode.SIGN_MODE_LEGACY_AMINO_JSON) return undefined
  try {
    return new TextEncoder().encode(aminoSignText({
      chainId, accountNumber: account.number, sequence: signer.sequence,
      timeoutHeight: tx.body.timeoutHeight, fee: tx.fee, memo: tx.body.memo, messages: tx.messages,
    }))
  } catch (error) {
    if (error instanceof AminoError) return undefined
    throw error
  }
}

function refusedSignature(context: Context, account: Account, signers: readonly Signer[]): Error {
  const { chainId } = context.block
  const isAmino = signers.every(({ mode }) => mode === SignMode.SIGN_MODE_LEGACY_AMINO_JSON)
  const sequence = isAmino ? `, sequence (${account.sequence})` : ''
  return sdkError('unauthorized', 'signature verification failed; please verify account number '
    + `(${account.number})${sequence} and chain-id (${chainId}): (unable to verify single signer signature)`)
}

function signerAccount(context: Context, address: Uint8Array): Account {
  const account = getAccount(context, address)
  if (account !== undefined) return account
  throw sdkError('unknownAddress', `account ${accountText(address)} does not exist`)
}

function addressOfKey(key: Any): Uint8Array {
  const bytes = keyBytes(key)
  if (key.typeUrl === cosmosKeyUrl && bytes.length === 33) return cosmosAddress(bytes)
  const point = uncompressed(bytes)
  if (point === undefined) throw sdkError('invalidPubKey', 'key is not on curve')
  return ethAddress(point)
}

function keyBytes(key: Any): Uint8Array {
  if (key.typeUrl === cosmosKeyUrl) return Secp256k1PubKey.decode(key.value).key
  if (key.typeUrl === typeUrls.ethSecp256k1) return ethSecp256k1PubKey.decode(key.value).key
  throw unsupportedKey(key)
}

function unsupportedKey({ typeUrl }: Any): Error {
  return typeUrl === '/cosmos.crypto.ed25519.PubKey'
    ? sdkError('invalidPubKey', 'ED25519 public keys are unsupported')
    : sdkError('invalidPubKey', `unrecognized public key type: ${typeUrl}`)
}
