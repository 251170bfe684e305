/**
 * Surprising behaviors of the real node, each a named switch (design §2). Off by default;
 * `faithful` turns all of them on. A value is the behavior in one line, then its source.
 */
export const quirks = {
  'get-not-allowed': 'GET on Ethereum JSON-RPC is rejected with HTTP 405 (cosmos-evm-rpc.md §1.2)',
  'no-grpc-health': 'gRPC lacks the health service and version 1 of server reflection (cosmos-rest-grpc.md §10)',
  'few-cors-headers':
    'REST CORS allows no request header but Content-Type (no gRPC-web) and exposes no height (cosmos-rest-grpc.md §6)',
  'receipt-blocks-on-unknown':
    'eth_getTransactionReceipt of an unknown hash waits 30 s and times out (cosmos-evm-rpc.md §2.3)',
  'safe-tag-rejected': 'state reads reject the block tag "safe" (cosmos-evm-rpc.md §1.4)',
  'earliest-is-latest-state': 'state reads at "earliest" return the latest state (cosmos-evm-rpc.md §1.4)',
  'newheads-eth-hash': "newHeads reports a hash and roots that differ from the block's (cosmos-evm-rpc.md §5.3)",
  'cumulative-gas-per-tx': 'eth_getTransactionReceipt returns gasUsed as cumulativeGasUsed (cosmos-evm-rpc.md §3.3)',
  'comet-index-lag': 'a transaction becomes searchable shortly after its event (comet-rpc.md §1.16)',
  'empty-first-checks':
    'before the first block, transactions are checked against an empty state (cosmos-sdk baseapp InitChain)',
  'fee-left-out-of-simulation':
    'simulating a transaction without a fee omits the gas for the fee deduction (cosmos-sdk x/auth ante)',
  'failed-delegations-dropped': 'a failed EIP-7702 transaction loses its delegations (x/vm ApplyTransaction)',
  'funded-constructor-cannot-end':
    'SELFDESTRUCT in the constructor of a contract funded earlier fails the transaction (x/vm DeleteAccount)',
  'uncommitted-tx-hides-block':
    'a block that contains an uncommitted transaction returns an error (rpc/backend ReceiptsFromCometBlock)',
  'legacy-proposals-panic':
    'MsgSubmitProposal of gov v1beta1 panics, because evmd has no legacy router (x/gov msg_server)',
  'abci-info-wire': 'GET /abci_info omits fields with default values, contrary to its documentation (design §3)',
  'undocumented-methods':
    'contrary to the docs, eth_fillTransaction and debug_getRawBlock exist and admin methods do not (design §3)',
  'unknown-block-errors':
    'eth_getBlockByHash of an unknown hash returns an error instead of null (cosmos-evm-rpc.md §2.2)',
  'coinbase-ascii': "COINBASE returns the last bytes of the operator's bech32 address as text (cosmos-evm-rpc.md §7.5)",
  'coinbase-cold': 'address 0 begins warm instead of COINBASE, contrary to EIP-3651 (x/vm ApplyMessageWithConfig)',
  'sha3-of-text': 'web3_sha3 hashes its parameter as text instead of decoding the hex (cosmos-evm-rpc.md §2.1)',
  'peer-count-number': 'net_peerCount returns a JSON number (cosmos-evm-rpc.md §2.1)',
  'loose-block-numbers': 'a malformed block number is read as block 0 (corrections-b 7)',
  'block-parameter-required':
    'some parameters that are optional on other nodes are required (cosmos-evm-rpc.md §1.4, §2.5, §2.11)',
  'call-overrides-limited':
    'eth_call accepts no block overrides, eth_estimateGas and debug_traceCall no overrides (cosmos-evm-rpc.md §2.5, §2.10)',
  'overrides-hide-precompiles':
    'a call with state overrides cannot reach the precompiles of Cosmos EVM (x/vm EthCall, cosmos-evm-rpc.md §2.5)',
  'logs-from-zero-repeat':
    'eth_getLogs from block 0 returns the logs of the latest block first (cosmos-evm-rpc.md §5.2)',
  'access-list-echoed':
    'eth_createAccessList returns the list that it was given, and refuses a gasPrice (cosmos-evm-rpc.md §2.5)',
  'proof-by-number-only': 'eth_getProof rejects block tags and heights up to 2 (cosmos-evm-rpc.md §2.4)',
  'gas-guessed-at-height-one':
    'the gas of a transaction without a gas limit is estimated on the state of height 1 (cosmos-evm-rpc.md §2.7)',
  'handler-crashes':
    'some arguments crash the handler, such as missing ones and numbers from 2^63 on (cosmos-evm-rpc.md §2.5, §2.7, §2.11)',
  'filter-cap-as-text':
    'beyond the maximum number of filters, a new filter returns the error text as its id (cosmos-evm-rpc.md §5.1)',
  'pending-thirty': 'only the first 30 transactions in the CometBFT mempool count as pending (cosmos-evm-rpc.md §2.3)',
  'access-list-dropped':
    'eth_sendTransaction with gasPrice drops the access list and sends a type 0 transaction (x/vm ToTransaction)',
  'empty-revert-without-data':
    'a call that reverts without data returns a plain error instead of code 3 with "0x" (cosmos-evm-rpc.md §2.5)',
  'next-fee-guessed': 'eth_feeHistory guesses the next base fee from the gas used (corrections-b 19)',
  'last-fee-required': 'the mempool rejects a fee cap that covers the next base fee but not the last one (x/vm ante)',
  'logs-above-head-refused': 'eth_getLogs rejects a toBlock above the head (cosmos-evm-rpc.md §5.2)',
  'pending-is-latest': 'the block tag "pending" means the latest block, without the mempool (cosmos-evm-rpc.md §1.4)',
  'sign-without-prefix':
    'eth_sign and personal_sign sign the hash of the data without the Ethereum prefix (cosmos-evm-rpc.md §2.6)',
  'websocket-forwards':
    'the WebSocket server accepts only numeric ids and sorts the keys of what it forwards (cosmos-evm-rpc.md §5.3)',
  'websocket-port-only': 'the HTTP port of Ethereum JSON-RPC rejects WebSocket upgrades (cosmos-evm-rpc.md §1.1)',
  'websocket-origins-one-text':
    'the default list of WebSocket origins is read as a single string, so it allows no origin (corrections-b 34)',
  'websocket-any-origin': 'pages of any origin may open WebSockets of CometBFT RPC (comet-rpc.md §2.6)',
  'accounts-for-any-page': 'pages of any origin may sign and send with the node accounts (cosmos-evm-rpc.md §2.6)',
  'client-version-build': 'web3_clientVersion returns two lines about the build (cosmos-evm-rpc.md §2.1)',
  'loose-log-subscriptions': 'log subscriptions do not validate addresses and topics (corrections-b 36)',
  'trace-charged-gas': 'traces report the charged gas, and no gas for a failed transaction (corrections-b 27)',
  'trace-nonce-kept':
    "traces do not raise the sender's nonce first, so a sender's own EIP-7702 delegation fails (x/vm TraceTx)",
  'trace-call-next-fee': 'debug_traceCall runs with the base fee of the block after (x/vm TraceCall)',
  'call-trace-without-logs': 'callTracer never returns logs, even with withLog (corrections-b 27)',
  'block-traces-unnamed': 'traces of a block do not name their transactions (x/vm TxTraceResult)',
  'trace-keys-sorted': 'traces list their keys in alphabetical order (cosmos-evm-rpc.md §2.10)',
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
