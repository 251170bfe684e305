/** Block records for tests of what Ethereum JSON-RPC shows: only the parts that it reads are there. */
import type { BlockRecord, EthereumLog, EthereumTx } from '../../src/chain/block.ts'
import type { Chain } from '../../src/chain/chain.ts'
import { appended, keepsAll } from '../../src/chain/history.ts'
import type { Settings } from '../../src/settings/settings.ts'
import { stub, type Stub } from './ethStub.ts'

const bytes = (size: number, value: number): Uint8Array => new Uint8Array(size).fill(value)

export type TxParts = {
  readonly raw: Uint8Array
  readonly hash?: Uint8Array
  readonly from?: Uint8Array
  readonly gasUsed?: bigint
  readonly price?: bigint
  readonly failed?: boolean
  readonly logs?: readonly Omit<EthereumLog, 'index'>[]
}

// A legacy transfer without meaning, for records whose transactions nobody reads.
const someRaw = Uint8Array.of(0xc9, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x1b, 0x01, 0x01)

/** Returns the record of a height with Ethereum transactions. */
export function recordOf(
  height: bigint,
  txs: readonly Partial<TxParts>[] = [],
  { baseFee = 1_000_000_000n } = {},
): BlockRecord {
  let logIndex = 0
  let cumulative = 0n
  const transactions = txs.map((tx, index): EthereumTx => {
    const gasUsed = tx.gasUsed ?? 21_000n
    cumulative += gasUsed
    return {
      hash: tx.hash ?? bytes(32, Number(height) * 16 + index),
      raw: tx.raw ?? someRaw,
      from: tx.from ?? bytes(20, 0xaa),
      index,
      cometIndex: index,
      receipt: {
        failed: tx.failed ?? false,
        vmError: '',
        gasUsed,
        cumulativeGasUsed: cumulative,
        effectiveGasPrice: tx.price ?? baseFee,
        contractAddress: undefined,
        logs: (tx.logs ?? []).map((log) => ({ ...log, index: logIndex++ })),
        output: bytes(0, 0),
      },
    }
  })
  return {
    id: { hash: bytes(32, Number(height)), parts: { total: 1, hash: bytes(32, 0) } },
    block: {
      header: {
        height,
        time: {
          seconds: 1_700_000_000n + height,
          nanos: 0,
        },
        appHash: bytes(32, 7),
        dataHash: bytes(32, 8),
        lastBlockId: { hash: height === 1n ? bytes(0, 0) : bytes(32, Number(height) - 1) },
        proposerAddress: bytes(20, 0x2e),
      },
    },
    txs: [],
    results: {
      events: [],
      txResults: transactions.map(({ receipt }) => ({ gasUsed: receipt.gasUsed })),
    },
    ethereum: {
      baseFee,
      gasLimit: 10_000_000n,
      gasUsed: cumulative,
      miner: bytes(20, 0x7c),
      transactions,
    },
  } as unknown as BlockRecord
}

/** Returns a stub whose chain holds these records, from height 1 on. */
export function chainOf(records: readonly BlockRecord[], settings: Partial<Settings> = {}): Stub {
  const { world, node } = stub(settings)
  const history = records.reduce(
    (before, record) => appended(before, record, { state: node.chain.app, retention: keepsAll }),
    node.chain.history,
  )
  const chain: Chain = { ...node.chain, height: BigInt(records.length), history }
  return { world, node: { ...node, chain } }
}
