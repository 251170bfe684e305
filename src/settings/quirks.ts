/**
 * Habits of the real node that surprise, each a named switch (design §2). Off by default; `faithful`
 * turns all of them on. A value is the habit in one line, then its source.
 */
export const quirks = {
  'receipt-blocks-on-unknown':
    'eth_getTransactionReceipt of an unknown hash waits 30 s and times out (cosmos-evm-rpc.md §2.3)',
  'safe-tag-rejected':
    'state reads refuse the block tag "safe" (cosmos-evm-rpc.md §1.4)',
  'earliest-is-latest-state':
    'state reads at "earliest" answer from the latest state (cosmos-evm-rpc.md §1.4)',
  'newheads-eth-hash':
    'newHeads carries a hash and roots that differ from the block\'s (cosmos-evm-rpc.md §5.3)',
  'cumulative-gas-per-tx':
    'a single receipt has its own gas as cumulativeGasUsed (cosmos-evm-rpc.md §3.3)',
  'comet-index-lag':
    'a transaction is searchable a moment after its event (comet-rpc.md §1.16)',
  'abci-info-wire':
    'GET /abci_info answers as the wire does, not as documented (design §3)',
  'undocumented-methods':
    'methods the node has and its documents deny exist, and the reverse (design §3)',
  'unknown-block-errors':
    'eth_getBlockByHash of an unknown hash is an error, not null (cosmos-evm-rpc.md §2.2)',
  'coinbase-ascii':
    'COINBASE is the end of the operator\'s address text (cosmos-evm-rpc.md §7.5)',
  'sha3-of-text':
    'web3_sha3 hashes the text of its parameter (cosmos-evm-rpc.md §2.1)',
  'peer-count-number':
    'net_peerCount is a JSON number (cosmos-evm-rpc.md §2.1)',
} as const

export type Quirk = keyof typeof quirks

/** Returns the quirks a setting names: `sane` none, `faithful` all, else a list of names. */
export function quirksOf(names: readonly string[]): ReadonlySet<Quirk> {
  const all = Object.keys(quirks) as Quirk[]
  return new Set(all.filter((quirk) => names.includes(quirk) || names.includes('faithful')))
}
