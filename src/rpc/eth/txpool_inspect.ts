import { decodeEthTx } from '../../codec/ethTx.ts'
import { query } from '../method.ts'
import { poolJson } from './pool.ts'
import { objectResult } from './results.ts'
import { checksumAddress } from '../../crypto/checksumAddress.ts'

export const txpool_inspect = query({
  name: 'txpool_inspect',
  summary: 'Returns the transactions in the mempool by sender and nonce, each as one line of text.',
  spec: 'cosmos-evm-rpc.md §2.9',
  params: [],
  result: objectResult,
  traits: ['ofMempool', 'varies'],
  examples: [{ params: [], result: { pending: {}, queued: {} } }],
  read: (context) => poolJson(context, lineOf),
})

function lineOf({ raw }: { readonly raw: Uint8Array }): string {
  const tx = decodeEthTx(raw)
  const price = tx.type === 0 || tx.type === 1 ? tx.gasPrice : tx.maxFeePerGas
  const to = tx.to === undefined ? 'contract creation' : checksumAddress(tx.to)
  return `${to}: ${tx.value} wei + ${tx.gas} gas × ${price} wei`
}
