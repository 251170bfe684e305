/**
 * Where the document says other things than the node does: what is complained of, then the recorded
 * case that shows it, file and name. `sane` is without the habits of the node, `faithful` with
 * them.
 */
type Exceptions = Readonly<Record<string, string>>

export const excepted: { readonly sane: Exceptions; readonly faithful: Exceptions } = {
  // An empty list is one of hashes and one of logs, and the document lets it be one only.
  sane: { 'eth_getLogs: fits 2 choices': 'b-logs: eth_getLogs nothing' },
  faithful: {
    'eth_getLogs: fits 2 choices': 'b-logs: eth_getLogs nothing',
    'eth_getBalance: invalid argument 1: hex string*': 'b-state: eth_getBalance dev0 safe',
    'eth_getCode: invalid argument 1: hex string*': 'b-state: eth_getCode golden safe',
    'eth_getTransactionCount: invalid argument 1: hex string*': 'b-state: eth_getTransactionCount dev0 safe',
    'eth_getBlockReceipts: invalid argument 0: hex string*': 'b-receipts: eth_getBlockReceipts safe',
    'eth_getBlockByHash: block not found for hash *': 'b-blocks: eth_getBlockByHash unknown',
    'eth_getProof: proof queries at height <= 2 *': 'b-state: eth_getProof pending',
  },
}

/** Documented methods that the node does not have. */
export const absent: readonly string[] = [
  'debug_getBadBlocks',
  'debug_getRawHeader',
  'debug_getRawReceipts',
  'debug_getRawTransaction',
  'eth_blobBaseFee',
  'eth_coinbase',
  'eth_signTransaction',
  'eth_simulateV1',
]
