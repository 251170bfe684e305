/** The metrics that the real node's modules report to the SDK's telemetry, derived from blocks. */
import type { AbciEvent } from '../../app/abci.ts'
import type { BlockRecord, EthereumTx } from '../../chain/block.ts'
import type { Telemetry } from './telemetry.ts'

/** Reports a committed block. */
export function reportBlock(telemetry: Telemetry, { ethereum, results, txs }: BlockRecord): void {
  if (ethereum.baseFee !== undefined) {
    telemetry.gauge(['feemarket', 'base_fee'], Number(ethereum.baseFee))
  }
  for (const amount of amountsOf(results.events, 'block_gas')) {
    telemetry.gauge(['feemarket', 'block_gas'], Number(amount))
  }
  for (const amount of amountsOf(results.events, 'mint')) {
    telemetry.gauge(['minted_tokens'], Number(amount), { module: 'mint' })
  }
  for (const { code, gasUsed, gasWanted, events } of results.txResults) {
    telemetry.count(['tx', 'count'], 1)
    telemetry.count(['tx', code === 0 ? 'successful' : 'failed'], 1)
    telemetry.gauge(['tx', 'gas', 'used'], Number(gasUsed))
    telemetry.gauge(['tx', 'gas', 'wanted'], Number(gasWanted))
    if (code !== 0) continue
    for (const { type } of events) {
      if (type === 'delegate') telemetry.count(['staking', 'delegate'], 1)
      if (type === 'unbond') telemetry.count(['staking', 'undelegate'], 1)
    }
  }
  for (const tx of ethereum.transactions) {
    reportEthereumTx(telemetry, tx, Number(txs[tx.cometIndex]?.info?.gasLimit ?? 0n))
  }
}

function reportEthereumTx(telemetry: Telemetry, { raw: [first = 0], receipt }: EthereumTx, gasLimit: number): void {
  const labels = {
    tx_type: String(isLegacy(first) ? 0 : first),
    execution: receipt.contractAddress === undefined ? 'call' : 'create',
  }
  const gasUsed = Number(receipt.gasUsed)
  const key = ['tx', 'msg', 'ethereum_tx']
  telemetry.count([...key, 'total'], 1, labels)
  telemetry.count([...key, 'gas_used', 'total'], gasUsed, labels)
  if (gasUsed > 0) {
    telemetry.gauge([...key, 'gas_limit', 'per', 'gas_used'], gasLimit / gasUsed, labels)
  }
}

/**
 * Returns whether a transaction is a legacy one: an RLP list. Other transactions begin with their
 * type (EIP-2718).
 */
function isLegacy(firstByte: number): boolean {
  return firstByte >= 0xc0
}

function amountsOf(events: readonly AbciEvent[], wanted: string): readonly string[] {
  return events
    .filter(({ type }) => type === wanted)
    .flatMap(({ attributes }) => attributes.filter(({ key }) => key === 'amount').map(({ value }) => value))
}
