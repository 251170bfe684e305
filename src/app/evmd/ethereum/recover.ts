/** Decodes Ethereum transactions: hash, sender and the EVM's form. */
import {
  authorizationPayload,
  decodeEthTx,
  encodeEthTx,
  type EthAuthorization,
  type EthTx,
  EthTxError,
  legacyChainId,
  signingPayload,
  yParityOf,
} from '../../../codec/ethTx.ts'
import { keccak256 } from '../../../crypto/hash.ts'
import { ethAddress } from '../../../crypto/keys.ts'
import { secp256k1 } from '../../../crypto/secp256k1.ts'
import { toBinaryString } from '../../../data/binaryString.ts'
import { rememberedBy } from '../../../data/remembered.ts'
import type { EvmAuthorization, EvmTx } from '../../../evm/types.ts'
import type { RecoveredTx } from '../../ethereumView.ts'
import { unsignedSender } from '../../unsigned.ts'

type Named = { readonly raw: Uint8Array; readonly hash: Uint8Array }

// For bytes that arrive again, such as a transaction that a fleet ordered. What the mempool and recent blocks hold is
// found by the identity of its bytes (wrap.ts).
const recovered = rememberedBy(
  ({ hash }: Named) => toBinaryString(hash),
  (named) => recoverDecoded(decodeEthTx(named.raw), named),
  2000,
)

/**
 * Returns the transaction in canonical bytes, with its sender recovered for the chain ID in it.
 * Throws the errors of codec/ethTx.ts, and `EthTxError` for an invalid signature.
 */
export function recoverTx(raw: Uint8Array): RecoveredTx {
  return recovered({ raw, hash: keccak256(raw) })
}

/** Returns the effective gas price at a base fee, in wei per gas (EIP-1559). */
export function effectivePrice(tx: EvmTx, baseFee: bigint): bigint {
  if (tx.priorityFee === undefined) return tx.gasPrice
  const price = baseFee + tx.priorityFee
  return price < tx.gasPrice ? price : tx.gasPrice
}

function recoverDecoded(tx: EthTx, { raw, hash }: Named): RecoveredTx {
  const chainId = tx.type === 0 ? legacyChainId(tx) : tx.chainId
  const yParity = yParityOf(tx)
  const digest = keccak256(signingPayload(tx, tx.type === 0 ? chainId : undefined))
  const from = unsignedSender(tx) ?? signerOf(digest, { yParity, r: tx.r, s: tx.s })
  if (from === undefined) throw new EthTxError('invalid transaction v, r, s values')
  const authorizations = tx.type === 4 ? tx.authorizations : []
  return {
    raw: raw.length > 0 ? raw : encodeEthTx(tx),
    hash,
    from,
    chainId,
    tx: evmTxOf(tx, from),
    signature: { v: tx.v, r: tx.r, s: tx.s, yParity: Number(yParity) },
    authorizationSignatures: authorizations.map((each) => ({ yParity: each.yParity, r: each.r, s: each.s })),
  }
}

/**
 * Returns the EVM's form, in which `gasPrice` is the fee cap if there is one, and `priorityFee` the
 * tip.
 */
function evmTxOf(tx: EthTx, from: Uint8Array): EvmTx {
  const isPriced = tx.type >= 2 && 'maxFeePerGas' in tx
  return {
    type: tx.type,
    from,
    to: tx.to,
    gasLimit: tx.gas,
    gasPrice: 'gasPrice' in tx ? tx.gasPrice : tx.maxFeePerGas,
    priorityFee: isPriced ? tx.maxPriorityFeePerGas : undefined,
    value: tx.value,
    nonce: tx.nonce,
    data: tx.data,
    accessList: tx.type === 0 ? [] : tx.accessList.map(({ address, storageKeys }) => ({ address, slots: storageKeys })),
    authorizations: tx.type === 4 ? tx.authorizations.map(recoverAuthorization) : [],
    blobHashes: tx.type === 3 ? tx.blobHashes : [],
    blobFeeCap: tx.type === 3 ? tx.blobFeeCap : 0n,
  }
}

/** Returns an EIP-7702 authorization with its signer, if the signature is valid. */
export function recoverAuthorization(item: EthAuthorization): EvmAuthorization {
  const authority = signerOf(keccak256(authorizationPayload(item)), item)
  const { chainId, address, nonce } = item
  return { chainId, address, nonce, authority }
}

const halfOrder = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n

type Signature = { readonly yParity: bigint; readonly r: bigint; readonly s: bigint }

/**
 * Returns the signer of a digest. EIP-2: a signature with a high s is invalid for transactions and
 * authorizations.
 */
function signerOf(digest: Uint8Array, { yParity, r, s }: Signature): Uint8Array | undefined {
  if (yParity !== 0n && yParity !== 1n) return undefined
  if (r <= 0n || s <= 0n || s > halfOrder || r >= 1n << 256n) return undefined
  const signature = new Uint8Array(64)
  writeWord(signature, 0, r)
  writeWord(signature, 32, s)
  const key = secp256k1.recover(digest, signature, Number(yParity))
  return key && ethAddress(key)
}

function writeWord(target: Uint8Array, offset: number, value: bigint): void {
  const view = new DataView(target.buffer)
  for (let word = 0; word < 4; word++) {
    view.setBigUint64(offset + word * 8, BigInt.asUintN(64, value >> BigInt(192 - word * 64)))
  }
}
