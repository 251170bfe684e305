/**
 * Surprising behaviors of the real node, each a named switch (design §2). Off by default;
 * `faithful` turns all of them on. A value is the behavior in one line, then its source.
 */
export const quirks = {
  'get-not-allowed': 'GET on Ethereum JSON-RPC is refused with HTTP 405 (cosmos-evm-rpc.md §1.2)',
  'no-grpc-health': 'gRPC has neither the health service nor version 1 of server reflection (cosmos-rest-grpc.md §10)',
  'few-cors-headers':
    'pages of other origins may send the REST API no header but Content-Type, so no gRPC-web, and read no height (cosmos-rest-grpc.md §6)',
  'receipt-blocks-on-unknown':
    'eth_getTransactionReceipt of an unknown hash waits 30 s and times out (cosmos-evm-rpc.md §2.3)',
  'safe-tag-rejected': 'state reads refuse the block tag "safe" (cosmos-evm-rpc.md §1.4)',
  'earliest-is-latest-state': 'state reads at "earliest" answer from the latest state (cosmos-evm-rpc.md §1.4)',
  'newheads-eth-hash': "newHeads carries a hash and roots that differ from the block's (cosmos-evm-rpc.md §5.3)",
  'cumulative-gas-per-tx': 'a single receipt has its own gas as cumulativeGasUsed (cosmos-evm-rpc.md §3.3)',
  'comet-index-lag': 'a transaction is searchable a moment after its event (comet-rpc.md §1.16)',
  'empty-first-checks':
    'before the first block transactions are checked on an empty state (cosmos-sdk baseapp InitChain)',
  'fee-left-out-of-simulation':
    'simulating a transaction without a fee omits the gas for deducting a fee (cosmos-sdk x/auth ante)',
  'failed-delegations-dropped': 'a failed EIP-7702 transaction loses its delegations (x/vm ApplyTransaction)',
  'uncommitted-tx-hides-block':
    'a block with a transaction that could not be committed is an error (rpc/backend ReceiptsFromCometBlock)',
  'legacy-proposals-panic': 'MsgSubmitProposal of v1beta1 panics, because evmd has no legacy router (x/gov msg_server)',
  'abci-info-wire': 'GET /abci_info omits fields with default values, unlike its documentation (design §3)',
  'undocumented-methods':
    'eth_fillTransaction and debug_getRawBlock exist and admin methods do not, unlike the documentation (design §3)',
  'unknown-block-errors': 'eth_getBlockByHash of an unknown hash is an error, not null (cosmos-evm-rpc.md §2.2)',
  'coinbase-ascii': "COINBASE is the end of the operator's address text (cosmos-evm-rpc.md §7.5)",
  'sha3-of-text': 'web3_sha3 hashes the text of its parameter (cosmos-evm-rpc.md §2.1)',
  'peer-count-number': 'net_peerCount is a JSON number (cosmos-evm-rpc.md §2.1)',
  'loose-block-numbers': 'a malformed block number means block 0 (corrections-b 7)',
  'block-parameter-required':
    'parameters are required that are optional in other nodes (cosmos-evm-rpc.md §1.4, §2.5, §2.11)',
  'call-overrides-limited':
    'eth_call takes no block overrides, eth_estimateGas no overrides at all (cosmos-evm-rpc.md §2.5)',
  'overrides-hide-precompiles':
    'a call with state overrides finds none of the precompiles of Cosmos EVM (x/vm EthCall, cosmos-evm-rpc.md §2.5)',
  'logs-from-zero-repeat': 'eth_getLogs from block 0 puts the logs of the latest block first (cosmos-evm-rpc.md §5.2)',
  'access-list-echoed': 'eth_createAccessList returns the list that it received (cosmos-evm-rpc.md §2.5)',
  'proof-by-number-only': 'eth_getProof refuses tags and heights up to 2 (cosmos-evm-rpc.md §2.4)',
  'gas-guessed-at-height-one':
    'a transaction without gas is estimated on the state of height 1 (cosmos-evm-rpc.md §2.7)',
  'handler-crashes': 'some missing arguments make the handler crash (cosmos-evm-rpc.md §2.5, §2.7, §2.11)',
  'filter-cap-as-text':
    'beyond the maximum number of filters, a new filter returns the error text as its id (cosmos-evm-rpc.md §5.1)',
  'pending-thirty':
    'only the first 30 transactions in the mempool of CometBFT count as pending (cosmos-evm-rpc.md §2.3)',
  'access-list-dropped':
    'eth_sendTransaction with gasPrice drops the access list and sends type 0 (x/vm ToTransaction)',
  'empty-revert-without-data':
    'a call that reverts without data is a plain error, not code 3 with "0x" (cosmos-evm-rpc.md §2.5)',
  'next-fee-guessed': 'eth_feeHistory guesses the next base fee from the gas used (corrections-b 19)',
  'last-fee-required': 'the mempool refuses a fee that covers the next block but not the last one (x/vm ante)',
  'logs-above-head-refused': 'eth_getLogs refuses a toBlock above the head (cosmos-evm-rpc.md §5.2)',
  'pending-is-latest': 'the block tag "pending" means the newest block, without the mempool (cosmos-evm-rpc.md §1.4)',
  'sign-without-prefix': 'eth_sign and personal_sign sign the hash of the plain data (cosmos-evm-rpc.md §2.6)',
  'websocket-forwards':
    'the WebSocket server takes numeric ids only and sorts what it forwards (cosmos-evm-rpc.md §5.3)',
  'websocket-port-only': 'the HTTP port of Ethereum JSON-RPC takes no WebSocket upgrades (cosmos-evm-rpc.md §1.1)',
  'websocket-origins-one-text':
    'the default list of WebSocket origins is read as one text, so it allows no origin (corrections-b 34)',
  'websocket-any-origin': 'pages of any origin may open WebSockets of CometBFT RPC (comet-rpc.md §2.6)',
  'accounts-for-any-page':
    'pages of any origin may sign and send with the accounts of the node (cosmos-evm-rpc.md §2.6)',
  'client-version-build': 'web3_clientVersion is two lines about the build (cosmos-evm-rpc.md §2.1)',
  'loose-log-subscriptions': 'subscriptions to logs do not check addresses and topics (corrections-b 36)',
  'trace-charged-gas': 'traces show the gas that was charged, and none when it failed (corrections-b 27)',
  'call-trace-without-logs': 'callTracer never shows logs, even with withLog (corrections-b 27)',
  'trace-keys-sorted': 'traces have their keys in alphabetical order (cosmos-evm-rpc.md §2.10)',
} as const

export type Quirk = keyof typeof quirks

/**
 * Returns the quirks that a setting selects: none for `sane`, all for `faithful`, or those in a
 * list.
 */
function quirksOf(names: readonly string[]): ReadonlySet<Quirk> {
  const all = Object.keys(quirks) as Quirk[]
  return new Set(all.filter((quirk) => names.includes(quirk) || names.includes('faithful')))
}

const sets = new WeakMap<readonly string[], ReadonlySet<Quirk>>()

/** Returns whether these settings turn a quirk on. */
export function hasQuirk(settings: { readonly quirks: readonly string[] }, quirk: Quirk): boolean {
  let set = sets.get(settings.quirks)
  if (set === undefined) {
    set = quirksOf(settings.quirks)
    sets.set(settings.quirks, set)
  }
  return set.has(quirk)
}
