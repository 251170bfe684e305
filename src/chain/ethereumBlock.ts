/** Builds a block's data for Ethereum JSON-RPC, once, at commit (`cosmos-evm-rpc.md` §3). */
import { createdAddress } from '../crypto/contractAddress.ts'
import type { TxResult } from '../app/abci.ts'
import type { EthereumView, RecoveredTx } from '../app/ethereumView.ts'
import type { AppState } from '../app/state.ts'
import { ethereumResponses, type MsgEthereumTxResponse } from '../codec/messages/cosmosEvm.ts'
import { bytesOfHex } from '../codec/hex.ts'
import type { Block, EthereumBlock, EthereumLog, EthereumReceipt, EthereumTx } from './block.ts'
import type { Chain } from './chain.ts'
import { idsAfter } from './ethIds.ts'
import { latestBlock } from './view.ts'

const noBytes = new Uint8Array(0)
const noAddress = new Uint8Array(20)

/** An executed block, its CometBFT hash, its results and the state after it. */
export type Executed = {
  readonly block: Block
  readonly hash: Uint8Array
  readonly results: readonly TxResult[]
  readonly state: AppState
}

/**
 * Returns the data for Ethereum JSON-RPC of the block after `chain`, without transactions if there is
 * no EVM.
 */
export function ethereumBlock(view: EthereumView | undefined, chain: Chain, executed: Executed): EthereumBlock {
  const { block, hash, results, state } = executed
  const { maxGas } = chain.consensusParams.block
  const transactions = view === undefined ? [] : transactionsOf(view, executed)
  const { coinbase, prevRandao } = state.transient.header.evm ?? {}
  return {
    baseFee: view === undefined ? undefined : state.transient.baseFee,
    gasLimit: maxGas < 0n ? 0xffffffffn : maxGas,
    gasUsed: blockGasUsed(results),
    miner: coinbase ?? view?.operatorOf(state, block.header.proposerAddress) ?? noAddress,
    ...(prevRandao === undefined ? {} : { prevRandao }),
    transactions,
    ...idsAfter(latestBlock(chain), hash),
  }
}

/**
 * Sums the gas of all transactions, Cosmos ones included, up to one that exceeded the block gas
 * (§3.1).
 */
function blockGasUsed(results: readonly TxResult[]): bigint {
  let sum = 0n
  for (const { code, log, gasUsed } of results) {
    if (code === 11 && log.includes('no block gas left to run tx: out of gas')) break
    sum += gasUsed
  }
  return sum
}

/**
 * Returns whether a transaction appears in the Ethereum block: it succeeded, or it failed only
 * because of the block's gas or the state commit (§3.1).
 */
function counts({ code, log }: TxResult): boolean {
  return (
    code === 0 ||
    log.includes('out of gas in location: block gas meter; gasWanted:') ||
    log.includes('failed to commit stateDB')
  )
}

type Counters = { index: number; logs: number; gas: bigint }

function transactionsOf(view: EthereumView, { block, results, state }: Executed): readonly EthereumTx[] {
  const counters: Counters = { index: 0, logs: 0, gas: 0n }
  return block.txs.flatMap((bytes, cometIndex) => {
    const result = results[cometIndex]
    if (result === undefined || !counts(result)) return []
    const recovered = view.unwrap(bytes)
    if (recovered.length === 0) return []
    const responses = responsesOf(result)
    return recovered.map((one, message): EthereumTx => {
      const receipt = receiptOf(one, responses[message], { counters, baseFee: state.transient.baseFee })
      return {
        hash: one.hash,
        raw: one.raw,
        from: one.from,
        index: counters.index++,
        cometIndex,
        receipt,
      }
    })
  })
}

function responsesOf({ data }: TxResult): readonly MsgEthereumTxResponse[] {
  if (data === undefined || data.length === 0) return []
  return ethereumResponses(data)
}

function receiptOf(
  { tx }: RecoveredTx,
  response: MsgEthereumTxResponse | undefined,
  { counters, baseFee }: { counters: Counters; baseFee: bigint },
): EthereumReceipt {
  const failed = response === undefined || response.vmError !== ''
  const gasUsed = response?.gasUsed ?? tx.gasLimit
  counters.gas += gasUsed
  const held = failed ? [] : response.logs.filter((log) => log !== undefined)
  const logs = held.map(
    (log): EthereumLog => ({
      address: bytesOfHex(log.address),
      topics: log.topics.map((topic) => bytesOfHex(topic)),
      data: log.data,
      index: counters.logs++,
    }),
  )
  const tip = tx.priorityFee ?? tx.gasPrice
  return {
    failed,
    ...(response === undefined ? { isMissing: true } : {}),
    vmError: response?.vmError ?? '',
    gasUsed,
    cumulativeGasUsed: counters.gas,
    effectiveGasPrice: tx.priorityFee === undefined || tip + baseFee > tx.gasPrice ? tx.gasPrice : tip + baseFee,
    contractAddress: tx.to === undefined ? createdAddress(tx.from, tx.nonce) : undefined,
    logs,
    // A response with another error has code that was refused.
    output: response !== undefined && ['', 'execution reverted'].includes(response.vmError) ? response.ret : noBytes,
  }
}
