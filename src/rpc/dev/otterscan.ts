/** Methods that the explorer Otterscan needs in addition to the usual ones (`peers.md` §2.1). */
import { blocksOfAccount } from '../../chain/accountSearch.ts'
import type { EthereumTx, ShownBlock } from '../../chain/block.ts'
import { blockAt } from '../../chain/view.ts'
import type { Plain, PlainObject } from '../../codec/goJsonWrite.ts'
import { address, hexOf, quantityOf } from '../../codec/hex.ts'
import { decodeEthTx } from '../../codec/ethTx.ts'
import { equalBytes } from '../../data/bytes.ts'
import { headerJson, minedTxJson } from '../../feed/ethShapes.ts'
import { aboveHead } from '../eth/errors.ts'
import { blockOf, committedState, ethereumOf, minedByHash, stateOfRef, type Mined } from '../eth/lookup.ts'
import { blockHashParam, numberParam, stateParam, txHashParam } from '../eth/params.ts'
import { traceMined } from '../eth/tracing.ts'
import { plainConfig } from '../eth/traceConfig.ts'
import { minedTx, owner, sentTx } from '../exampleCalls.ts'
import { inRole, param, type Context, type Method } from '../method.ts'
import { limited, pageAfter, pageBefore, receiptOf } from './accountPages.ts'
import { otherOr, question } from './control.ts'
import { whole } from './integers.ts'
import { sentBy } from './search.ts'

const who = param('address', address)
const searched = inRole('searchedAccount', who)
const start = param('block', whole('blocks'))
const page = param('page', whole('pages, counted from the newest'))
const size = param('size', whole('transactions'))

export const otterscan: readonly Method[] = [
  ...question({
    names: ['ots_getApiLevel'],
    summary: 'Returns the API level of the Otterscan methods.',
    params: [],
    read: () => 8,
  }),
  ...question({
    names: ['ots_hasCode'],
    summary: 'Returns whether an account has code at a block.',
    params: [who, stateParam],
    examples: [[owner, 'latest']],
    read: (context, [account, ref]) =>
      ethereumOf(context).code(stateOfRef(context, ref, aboveHead.query), account).length > 0,
  }),
  ...question({
    names: ['ots_getBlockDetails'],
    summary: 'Returns a block without its transactions, with their total fees.',
    params: [numberParam],
    examples: [['latest']],
    read: (context, [ref]) => detailsOf(blockOf(context, ref)),
  }),
  ...question({
    names: ['ots_getBlockDetailsByHash'],
    summary: 'Returns a block by its hash, without its transactions, with their total fees.',
    params: [blockHashParam],
    examples: [{ before: minedTx, params: ['$2.blockHash'] }],
    read: (context, [wanted]) => detailsOf(blockOf(context, { kind: 'hash', hash: wanted })),
  }),
  ...question({
    names: ['ots_getBlockTransactions'],
    summary: "Returns a page of a block's transactions with receipts; page 0 contains the last ones.",
    params: [numberParam, page, size],
    examples: [['latest', 0, 10]],
    read: (context, [ref, number, count]) => pageOf(blockOf(context, ref), Number(number), Number(limited(count))),
  }),
  ...question({
    names: ['ots_searchTransactionsBefore'],
    summary: 'Returns transactions of an account before a block, newest first; block 0 starts at the latest block.',
    params: [who, inRole('searchedBefore', start), size],
    examples: [{ before: sentTx, params: [owner, 0, 10] }],
    read: pageBefore,
  }),
  ...question({
    names: ['ots_searchTransactionsAfter'],
    summary: 'Returns transactions of an account after a block, newest first; block 0 starts at the first block.',
    params: [who, inRole('searchedAfter', start), size],
    examples: [{ before: sentTx, params: [owner, 0, 10] }],
    read: pageAfter,
  }),
  ...question({
    names: ['ots_getTransactionBySenderAndNonce'],
    summary: 'Returns the hash of the transaction with the given sender and nonce, or null.',
    params: [searched, param('nonce', whole('transactions'))],
    examples: [{ before: sentTx, params: [owner, 0] }],
    read: (context, [account, nonce]) => {
      const sent = sentBy(context, account, nonce)
      return sent === undefined ? otherOr(context, null) : hexOf(sent.tx.hash)
    },
  }),
  ...question({
    names: ['eth_getTransactionBySenderAndNonce'],
    summary: 'Returns the transaction with the given sender and nonce, or null.',
    params: [searched, param('nonce', whole('transactions'))],
    examples: [{ before: sentTx, params: [owner, '0x0'] }],
    read: (context, [account, nonce]) => {
      const sent = sentBy(context, account, nonce)
      return sent === undefined ? otherOr(context, null) : minedTxJson(sent.record, sent.tx)
    },
  }),
  ...question({
    names: ['ots_getContractCreator'],
    summary: 'Returns the creator of a contract and the transaction that created it, or null.',
    params: [searched],
    examples: [
      {
        before: [
          ['eth_sendTransaction', { from: owner, data: '0x6001600c60003960016000f300' }],
          ['eth_getTransactionReceipt', '$1'],
        ],
        params: ['$2.contractAddress'],
      },
    ],
    read: (context, [account]) => creatorOf(context, account) ?? otherOr(context, null),
  }),
  ...question({
    names: ['ots_traceTransaction'],
    summary: 'Returns the calls of a transaction as a flat list with depths.',
    params: [txHashParam],
    examples: [{ before: sentTx, params: ['$1'] }],
    read: (context, [wanted]) => {
      const frame = frameOf(context, minedByHash(context.node.chain, wanted))
      return frame === undefined
        ? null
        : flat(frame, 0).map(({ one, depth }) => ({
            type: one.type,
            depth,
            from: one.from,
            to: one.to ?? null,
            value: one.value ?? null,
            input: one.input,
            output: one.output ?? '0x',
          }))
    },
  }),
  ...question({
    names: ['ots_getInternalOperations'],
    summary: 'Returns the internal transfers (0), self-destructs (1) and creations (2, 3) of a transaction.',
    params: [txHashParam],
    examples: [{ before: sentTx, params: ['$1'] }],
    read: (context, [wanted]) => {
      const frame = frameOf(context, minedByHash(context.node.chain, wanted))
      return frame === undefined
        ? []
        : flat(frame, 0)
            .slice(1)
            .flatMap(({ one }) => operationOf(one))
    },
  }),
  ...question({
    names: ['ots_getTransactionError'],
    summary: 'Returns the revert data of a failed transaction, or 0x if the transaction did not revert.',
    params: [txHashParam],
    examples: [{ before: sentTx, params: ['$1'] }],
    read: (context, [wanted]) => {
      const mined = minedByHash(context.node.chain, wanted)
      return mined?.tx.receipt.failed === true ? hexOf(mined.tx.receipt.output) : '0x'
    },
  }),
  ...question({
    names: ['erigon_getHeaderByNumber'],
    summary: 'Returns the header of a block, or null.',
    params: [numberParam],
    examples: [['latest']],
    read: (context, [ref]) => {
      const record = blockOf(context, ref)
      return record === undefined ? null : headerJson(record)
    },
  }),
]

function detailsOf(record: ShownBlock | undefined): Plain {
  if (record === undefined) return null
  const fees = record.ethereum.transactions.reduce(
    (sum, { receipt }) => sum + receipt.gasUsed * receipt.effectiveGasPrice,
    0n,
  )
  return {
    block: briefBlock(record),
    // The proposer gets no block reward: the mint module pays all stakers.
    issuance: { blockReward: '0x0', uncleReward: '0x0', issuance: '0x0' },
    totalFees: quantityOf(fees),
  }
}

function briefBlock(record: ShownBlock): PlainObject {
  return {
    ...headerJson(record),
    logsBloom: null,
    transactionCount: record.ethereum.transactions.length,
  }
}

function pageOf(record: ShownBlock | undefined, number: number, count: number): Plain {
  if (record === undefined) return null
  const { transactions } = record.ethereum
  const end = Math.max(transactions.length - number * count, 0)
  const shown = transactions.slice(Math.max(end - count, 0), end)
  return {
    fullblock: {
      ...briefBlock(record),
      transactions: shown.map((tx) => ({
        ...minedTxJson(record, tx),
        input: hexOf(decodeEthTx(tx.raw).data.subarray(0, 4)),
      })),
    },
    receipts: shown.map((tx) => ({ ...receiptOf({ record, tx }), logs: null, logsBloom: null })),
  }
}

type Frame = {
  readonly type: string
  readonly from: string
  readonly to?: string
  readonly value?: string
  readonly input: string
  readonly output?: string
  readonly error?: string
  readonly calls?: readonly Frame[]
}

function frameOf(context: Context, mined: Mined | undefined): Frame | undefined {
  return mined === undefined
    ? undefined
    : (traceMined(context, mined, { ...plainConfig, tracer: 'callTracer' }) as unknown as Frame)
}

function flat(one: Frame, depth: number): readonly { one: Frame; depth: number }[] {
  return [{ one, depth }, ...(one.calls ?? []).flatMap((inner) => flat(inner, depth + 1))]
}

const operations: Readonly<Record<string, number>> = {
  CALL: 0,
  SELFDESTRUCT: 1,
  CREATE: 2,
  CREATE2: 3,
}

function operationOf({ type, from, to = '', value = '0x0', error }: Frame): readonly PlainObject[] {
  const number = operations[type]
  if (number === undefined || error !== undefined || (number === 0 && value === '0x0')) return []
  return [{ type: number, from, to, value }]
}

/**
 * Finds the transaction that created a contract. One that is itself the creation is in the first block that the index
 * of accounts has for the contract. Otherwise, the first block with the code is found by binary search, which opens
 * old states, and its transactions are traced.
 */
function creatorOf(context: Context, account: Uint8Array): Plain {
  const { chain } = context.node
  const hasCode = (height: bigint) => ethereumOf(context).code(committedState(chain, height), account).length > 0
  let [low, high] = [chain.history.base, chain.height]
  if (high < low || !hasCode(high)) return null
  const [touched] = blocksOfAccount(chain.history, account, { from: low, step: 1n })
  const creation = touched?.ethereum.transactions.find((tx) => isCreation(tx, account))
  if (creation !== undefined) return { hash: hexOf(creation.hash), creator: hexOf(creation.from) }
  while (low < high) {
    const middle = (low + high) / 2n
    if (hasCode(middle)) high = middle
    else low = middle + 1n
  }
  const record = blockAt(chain, low)
  const wanted = hexOf(account)
  for (const tx of record?.ethereum.transactions ?? []) {
    if (record === undefined || low === chain.history.first) break
    const frame = frameOf(context, { record, tx })
    const made =
      frame === undefined
        ? undefined
        : flat(frame, 0).find(({ one }) => one.type.startsWith('CREATE') && one.to === wanted)
    if (made !== undefined) return { hash: hexOf(tx.hash), creator: made.one.from }
  }
  return null
}

/** Returns whether the transaction gave the account its code; the output of a creation is the code that it left. */
function isCreation({ receipt: { contractAddress, failed, output } }: EthereumTx, account: Uint8Array): boolean {
  return !failed && output.length > 0 && contractAddress !== undefined && equalBytes(contractAddress, account)
}
