/** Transfers of token contracts as their logs report them, and the holders that follow from these. */
import { abiTypes, decodeAbi } from '../../app/evmd/precompiles/abi.ts'
import type { BlockRecord, EthereumLog } from '../../chain/block.ts'
import { recordAt } from '../../chain/history.ts'
import { logKey, type History } from '../../chain/indexing.ts'
import { hexOf } from '../../codec/hex.ts'
import { numbersOf } from '../../data/appendIndex.ts'
import { equalBytes } from '../../data/bytes.ts'
import { topicOf } from './abiShapes.ts'
import { pageOfBlocks } from './blockPages.ts'
import { commonEvents } from './commonAbis.ts'
import type { NumberPage } from './numberPages.ts'
import type { Instance } from '../ports.ts'
import { checksumAddress } from '../../crypto/checksumAddress.ts'
import { bigOf } from '../../data/bigEndian.ts'

/** `from` and `to` are 20 bytes; `id` is absent for ERC-20. */
type Transfer = {
  readonly from: Uint8Array
  readonly to: Uint8Array
  readonly id: bigint | undefined
  readonly value: bigint
}

const topicsOf = (event: string) => commonEvents.filter((one) => one.event === event).map(topicOf)
const [transferTopic = '', [singleTopic = ''], [batchTopic = '']] = [
  topicsOf('Transfer')[0],
  topicsOf('TransferSingle'),
  topicsOf('TransferBatch'),
]
const topics = [transferTopic, singleTopic, batchTopic]
const addressIn = (topic: Uint8Array = new Uint8Array(32)) => topic.subarray(12)

/** Returns the transfers that a log reports: those of a batch, one, or none. */
function transfersIn({ topics: [topic, ...indexed], data }: EthereumLog): readonly Transfer[] {
  const event = topic === undefined ? '' : hexOf(topic)
  if (event === transferTopic && (indexed.length === 3 || (indexed.length === 2 && data.length === 32))) {
    const [from, to, id] = indexed
    const amount = id === undefined ? { id: undefined, value: bigOf(data) } : { id: bigOf(id), value: 1n }
    return [{ from: addressIn(from), to: addressIn(to), ...amount }]
  }
  if ((event !== singleTopic && event !== batchTopic) || indexed.length !== 3) return []
  const [from, to] = [addressIn(indexed[1]), addressIn(indexed[2])]
  try {
    const [ids, values] = decodeAbi(abiTypes(event === singleTopic ? 'uint256,uint256' : 'uint256[],uint256[]'), data)
    const lists = event === singleTopic ? [[ids], [values]] : [ids, values]
    const [some, amounts] = lists as [readonly bigint[], readonly bigint[]]
    return some.map((id, index) => ({ from, to, id, value: amounts[index] ?? 0n }))
  } catch {
    return []
  }
}

/** Returns the transfers of a token in a block, in order. */
function transfersOf(record: BlockRecord, token: Uint8Array) {
  return record.ethereum.transactions.flatMap(({ hash, receipt }) =>
    receipt.logs
      .filter(({ address }) => equalBytes(address, token))
      .flatMap((log) => transfersIn(log).map((one, place) => ({ ...one, hash, index: log.index, place }))),
  )
}

/** Returns a page of the transfers of a token, newest first: those of whole blocks. */
export function transfersView({ simulation }: Instance, token: Uint8Array, page: NumberPage) {
  return pageOfBlocks(simulation().node.chain.history, page, {
    groups: [[logKey(token)], topics.map((topic) => logKey(Buffer.from(topic.slice(2), 'hex'), 0))],
    rowsOf: (record) =>
      transfersOf(record, token)
        .map(({ hash, index, place, from, to, id, value }) => ({
          height: Number(record.block.header.height),
          index: `${index}/${place}`,
          transaction: hexOf(hash),
          from: checksumAddress(from),
          to: checksumAddress(to),
          id: id === undefined ? null : String(id),
          value: String(value),
        }))
        .toReversed(),
  })
}

/** The sums of all transfers up to a block, by lower-case hex address. */
type Ledger = { block: { readonly height: bigint; readonly hash: Uint8Array } | undefined; readonly amounts: Amounts }
type Amounts = Map<string, bigint>

/** Caches the ledgers of each chain's tokens, so that a page of holders reads only new blocks. */
const ledgers = new WeakMap<Instance, Map<string, Ledger>>()

/**
 * Returns the holders of a token by descending amount, from all transfers in its logs. The amount of
 * an ERC-721 or ERC-1155 token counts its pieces of all ids.
 */
export function holdersInTransfers(instance: Instance, token: Uint8Array) {
  const { history } = instance.simulation().node.chain
  const known = ledgers.get(instance) ?? new Map<string, Ledger>()
  ledgers.set(instance, known)
  const before = known.get(hexOf(token))
  const ledger: Ledger =
    before !== undefined && isPresent(history, before)
      ? before
      : { block: undefined, amounts: new Map<string, bigint>() }
  advance(ledger, history, token)
  // Anyone can ask for any address; only those with transfers are kept.
  if (ledger.block !== undefined) known.set(hexOf(token), ledger)
  return [...ledger.amounts]
    .filter(([, amount]) => amount > 0n)
    .toSorted(([, a], [, b]) => (a < b ? 1 : a > b ? -1 : 0))
    .map(([address, amount]) => ({ address, amount }))
}

/** Returns whether the chain still has the last block of a ledger, and no other one in its place. */
function isPresent(history: History, { block }: Ledger): boolean {
  if (block === undefined) return false
  const now = recordAt(history, block.height)
  return now !== undefined && equalBytes(now.id.hash, block.hash)
}

function advance(ledger: Ledger, history: History, token: Uint8Array): void {
  const from = ledger.block === undefined ? Number(history.base) : Number(ledger.block.height) + 1
  for (const height of numbersOf(history.logs, logKey(token), { from })) {
    const record = recordAt(history, BigInt(height))
    if (record === undefined) continue
    for (const { from: sender, to, value } of transfersOf(record, token)) {
      add(ledger, hexOf(sender), -value)
      add(ledger, hexOf(to), value)
    }
    ledger.block = { height: record.block.header.height, hash: record.id.hash }
  }
}

const zero = `0x${'0'.repeat(40)}`

function add({ amounts }: Ledger, address: string, value: bigint): void {
  if (address !== zero) amounts.set(address, (amounts.get(address) ?? 0n) + value)
}
