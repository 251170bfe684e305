/** Reading methods of Anvil and Hardhat that the node does not have (`peers.md` §2.1, §2.2). */
import { recordByEthHash } from '../../chain/lookups.ts'
import { array, mismatch, type Codec } from '../../codec/codec.ts'
import { jsonOf } from '../../codec/goJsonWrite.ts'
import { address, hexOf, quantityOf } from '../../codec/hex.ts'
import { pendingTxJson } from '../../feed/ethShapes.ts'
import { aboveHead } from '../eth/errors.ts'
import { blockOf, ethereumOf, minedByHash, stateOfRef } from '../eth/lookup.ts'
import { addressParam, blockHashParam, indexParam, numberParam, stateParam, txHashParam } from '../eth/params.ts'
import { findWaiting, waitingTxs } from '../eth/pool.ts'
import { minedTx, owner, sentTx } from '../exampleCalls.ts'
import { param, type Method } from '../method.ts'
import { slot } from './accounts.ts'
import { question } from './control.ts'

type SlotsByAddress = readonly (readonly [who: Uint8Array, slots: readonly Uint8Array[]])[]

/** Storage slots by contract address. */
const slotsByAddress: Codec<SlotsByAddress> = {
  schema: { type: 'object', additionalProperties: { type: 'array', items: slot.schema } },
  decode: (wire, path) => {
    if (wire.type !== 'object') throw mismatch(wire, path, 'map[common.Address][]common.Hash')
    return wire.members.map(
      ([who, slots]) => [address.decode(jsonOf(who), path), array(slot, '[]common.Hash').decode(slots, path)] as const,
    )
  },
  encode: () => null,
}

function rawJson(tx: { readonly raw: Uint8Array } | undefined): string | null {
  return tx === undefined ? null : hexOf(tx.raw)
}

export const reading: readonly Method[] = [
  ...question({
    names: ['eth_pendingTransactions'],
    summary: 'Returns the transactions in the mempool, in order of arrival.',
    params: [],
    read: (context) =>
      waitingTxs(context).flatMap(({ tx }) =>
        ethereumOf(context)
          .unwrap(tx)
          .map((one) => pendingTxJson(one)),
      ),
  }),
  ...question({
    names: ['eth_getRawTransactionByHash', 'debug_getRawTransaction'],
    summary: 'Returns the bytes of a mined or pending transaction, or null.',
    params: [txHashParam],
    examples: [{ before: sentTx, params: ['$1'] }],
    read: (context, [wanted]) => rawJson(minedByHash(context.node.chain, wanted)?.tx ?? findWaiting(context, wanted)),
  }),
  ...question({
    names: ['eth_getRawTransactionByBlockHashAndIndex'],
    summary: 'Returns the bytes of the transaction at an index in the block with the given hash, or null.',
    params: [blockHashParam, indexParam],
    examples: [{ before: minedTx, params: ['$2.blockHash', '0x0'] }],
    read: ({ node: { chain } }, [wanted, index]) =>
      rawJson(recordByEthHash(chain.history, wanted)?.ethereum.transactions[Number(index)]),
  }),
  ...question({
    names: ['eth_getRawTransactionByBlockNumberAndIndex'],
    summary: 'Returns the bytes of the transaction at an index in a block, or null.',
    params: [numberParam, indexParam],
    examples: [{ before: sentTx, params: ['latest', '0x0'] }],
    read: (context, [ref, index]) => rawJson(blockOf(context, ref)?.ethereum.transactions[Number(index)]),
  }),
  ...question({
    names: ['eth_getAccountInfo'],
    summary: 'Returns the balance, nonce and code of an account.',
    params: [addressParam, stateParam],
    examples: [[owner, 'latest']],
    read: (context, [who, block]) => {
      const state = stateOfRef(context, block, aboveHead.query)
      const { wei, nonce } = ethereumOf(context).account(state, who)
      const code = hexOf(ethereumOf(context).code(state, who))
      return { balance: quantityOf(wei), nonce: quantityOf(nonce), code }
    },
  }),
  ...question({
    names: ['eth_getStorageValues'],
    summary: 'Returns storage words of several contracts, by address, in the order of the requested slots.',
    params: [param('slots', slotsByAddress), stateParam],
    examples: [[{ [owner]: ['0x0'] }, 'latest']],
    read: (context, [asked, block]) => {
      const state = stateOfRef(context, block, aboveHead.query)
      const word = (who: Uint8Array, key: Uint8Array) => hexOf(ethereumOf(context).slot(state, who, key))
      return Object.fromEntries(asked.map(([who, keys]) => [hexOf(who), keys.map((key) => word(who, key))]))
    },
  }),
]
