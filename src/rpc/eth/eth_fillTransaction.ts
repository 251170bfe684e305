import { encodeEthTx, type EthTx } from '../../codec/ethTx.ts'
import type { PlainObject } from '../../codec/goJsonWrite.ts'
import { hexOf, quantityOf } from '../../codec/hex.ts'
import { keccak256 } from '../../crypto/hash.ts'
import { accessListJson, authorizationJson } from '../../feed/ethShapes.ts'
import { owner } from '../exampleCalls.ts'
import { param, query } from '../method.ts'
import { checkCrash } from './errors.ts'
import { fillTx } from './fill.ts'
import { objectResult } from './results.ts'
import { txArgs } from '../../app/txArgs.ts'

export const eth_fillTransaction = query({
  name: 'eth_fillTransaction',
  summary: 'Fills in the missing fields of a transaction and returns it unsigned.',
  spec: 'cosmos-evm-rpc.md §2.7',
  params: [param('transaction', txArgs)],
  result: objectResult,
  examples: [
    {
      settings: { quirks: ['undocumented-methods'] },
      params: [{ from: owner, to: owner, gas: '0x5208', nonce: '0x0' }],
      result: { raw: '…', tx: '…' },
    },
  ],
  read: (context, [args]) => {
    checkCrash(context, args.from === undefined && args.nonce === undefined)
    const tx = fillTx(context, args)
    const raw = encodeEthTx(tx)
    return { raw: hexOf(raw), tx: unsignedJson(tx, keccak256(raw)) }
  },
})

// geth core/types: MarshalJSON of a transaction, with its own order of members.
function unsignedJson(tx: EthTx, hash: Uint8Array): PlainObject {
  const isPriced = tx.type === 0 || tx.type === 1
  return {
    type: quantityOf(tx.type),
    ...(tx.type === 0 ? {} : { chainId: quantityOf(tx.chainId) }),
    nonce: quantityOf(tx.nonce),
    to: tx.to === undefined ? null : hexOf(tx.to),
    gas: quantityOf(tx.gas),
    gasPrice: isPriced ? quantityOf(tx.gasPrice) : null,
    maxPriorityFeePerGas: isPriced ? null : quantityOf(tx.maxPriorityFeePerGas),
    maxFeePerGas: isPriced ? null : quantityOf(tx.maxFeePerGas),
    ...(tx.type === 3 ? { maxFeePerBlobGas: quantityOf(tx.blobFeeCap) } : {}),
    value: quantityOf(tx.value),
    input: hexOf(tx.data),
    ...(tx.type === 0 ? {} : { accessList: accessListJson(tx.accessList) }),
    ...(tx.type === 3 ? { blobVersionedHashes: tx.blobHashes.map(hexOf) } : {}),
    ...(tx.type === 4 ? { authorizationList: tx.authorizations.map(authorizationJson) } : {}),
    v: '0x0',
    r: '0x0',
    s: '0x0',
    ...(tx.type === 0 ? {} : { yParity: '0x0' }),
    hash: hexOf(hash),
  }
}
