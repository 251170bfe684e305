import { maxInt64 } from '../../codec/goIntegers.ts'
import type { BlockRecord } from '../../chain/block.ts'
import { blockAt } from '../../chain/view.ts'
import { gethBlockNumber, type BlockRef } from '../../codec/blockRef.ts'
import type { PlainObject } from '../../codec/goJsonWrite.ts'
import { hexOrDecimal, quantityOf } from '../../codec/hex.ts'
import { hasQuirk } from '../../settings/quirks.ts'
import { inRole, param, query, type Context } from '../method.ts'
import { checkCrash, serverError } from './errors.ts'
import { feeAfter } from './fees.ts'
import { joinedFees } from './joined.ts'
import { ethereumOf, notStored } from './lookup.ts'
import { percentiles } from './params.ts'
import { objectResult } from './results.ts'
import { shownBlock } from './uncommitted.ts'

export const eth_feeHistory = query({
  name: 'eth_feeHistory',
  summary: 'Returns the base fees, gas used ratios and tips of a range of blocks, with prices in wei.',
  spec: 'cosmos-evm-rpc.md §2.5',
  params: [
    param('count', hexOrDecimal),
    inRole('newestBlock', param('newest', gethBlockNumber)),
    param('percentiles', percentiles, []),
  ],
  result: objectResult,
  traits: ['varies'],
  examples: [
    {
      params: ['0x0', 'latest', []],
      result: {
        oldestBlock: '…',
        baseFeePerGas: [null],
        gasUsedRatio: [],
        baseFeePerBlobGas: [null],
      },
    },
  ],
  read: (context, [count, newest, wanted]) => {
    checkPercentiles(wanted)
    const last = lastBlock(context, newest)
    checkCrash(context, count > maxInt64)
    const cap = BigInt(context.node.settings.feeHistoryCap)
    if (count > cap) throw serverError(`FeeHistory user block count ${count} higher than ${cap}`)
    const { other, node } = context
    if (other === undefined) return feesOf(context, { last, count, wanted })
    const ours = last + 1n - node.chain.genesis.initialHeight
    const own = feesOf(context, { last, count: count < ours ? count : ours, wanted })
    return count <= ours ? own : joinedFees(other, own, Number(count))
  },
})

type Asked = { readonly last: bigint; readonly count: bigint; readonly wanted: readonly number[] }

function feesOf(context: Context, { last, count, wanted }: Asked): PlainObject {
  const length = count > last + 1n ? last + 1n : count
  const first = last + 1n - length
  const records = Array.from({ length: Number(length) }, (_, index) =>
    shownBlock(context, recordFor(context, first + BigInt(index))),
  )
  if (records.length === 0) {
    return {
      oldestBlock: quantityOf(first),
      baseFeePerGas: [null],
      gasUsedRatio: [],
      baseFeePerBlobGas: [null],
    }
  }
  return {
    oldestBlock: quantityOf(first),
    ...(wanted.length === 0 ? {} : { reward: records.map((record) => tipsOf(record, wanted)) }),
    baseFeePerGas: [...records.map(({ ethereum }) => quantityOf(ethereum.baseFee ?? 0n)), nextFee(context, records)],
    gasUsedRatio: records.map(({ ethereum }) => Number(ethereum.gasUsed) / Number(ethereum.gasLimit)),
    baseFeePerBlobGas: [...records, undefined].map(() => '0x1'),
    blobGasUsedRatio: records.map(() => 0),
  }
}

function checkPercentiles(wanted: readonly number[]): void {
  for (const [index, value] of wanted.entries()) {
    const before = wanted[index - 1]
    if (value < 0 || value > 100) throw serverError(`invalid reward percentile: ${value.toFixed(6)}`)
    if (before !== undefined && value < before) {
      const text = `#${index - 1}:${before.toFixed(6)} > #${index}:${value.toFixed(6)}`
      throw serverError(`invalid reward percentile: ${text}`)
    }
  }
}

function lastBlock({ node }: Context, ref: BlockRef): bigint {
  if (ref.kind === 'tag') return ref.tag === 'earliest' ? 0n : node.chain.height
  const height = ref.kind === 'height' ? ref.height : node.chain.height
  if (height > node.chain.height) {
    throw serverError(`request beyond head block: requested ${height}, head ${node.chain.height}`)
  }
  return height
}

// Block 0 is shown as the first block of the chain, as in all methods.
function recordFor({ node: { chain } }: Context, height: bigint): BlockRecord {
  const { first } = chain.history
  const record = blockAt(chain, height < first ? first : height)
  if (record === undefined) throw notStored(chain, height)
  return record
}

function nextFee(context: Context, records: readonly BlockRecord[]): string {
  const last = records.at(-1)
  if (last === undefined) return '0x0'
  const { chain, settings } = context.node
  if (!hasQuirk(settings, 'next-fee-guessed')) {
    const next = blockAt(chain, last.block.header.height + 1n)?.ethereum.baseFee
    return quantityOf(next ?? ethereumOf(context).nextBaseFee(chain.app))
  }
  const { baseFee = 0n, gasUsed, gasLimit } = last.ethereum
  return quantityOf(feeAfter({ baseFee, gasUsed, gasLimit }, ethereumOf(context).params(chain.app)))
}

/**
 * Returns tips by percentile of gas used, with transactions sorted by tip. A block without
 * transactions has tips of 0.
 */
function tipsOf({ ethereum, results }: BlockRecord, wanted: readonly number[]): readonly string[] {
  const baseFee = ethereum.baseFee ?? 0n
  const sorted = ethereum.transactions
    .map(({ receipt, cometIndex }) => ({
      tip: receipt.effectiveGasPrice - baseFee,
      gas: results.txResults[cometIndex]?.gasUsed ?? receipt.gasUsed,
    }))
    .sort((a, b) => (a.tip < b.tip ? -1 : a.tip > b.tip ? 1 : 0))
  let at = 0
  let sum = sorted[0]?.gas ?? 0n
  return wanted.map((percentile) => {
    const threshold = BigInt(Math.floor((Number(ethereum.gasUsed) * percentile) / 100))
    while (sum < threshold && at < sorted.length - 1) {
      at++
      sum += sorted[at]?.gas ?? 0n
    }
    return quantityOf(sorted[at]?.tip ?? 0n)
  })
}
