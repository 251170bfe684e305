/** What specifications and documentation say where the recorded node does something else. */
import type { Quirk } from '../../src/settings/quirks.ts'

/** A source, and what it says. */
export type Said = readonly [source: string, text: string]

/** By quirk, what its absence follows. A quirk without a row does not compile. */
export const saidOf: Readonly<Record<Quirk, Said>> = {
  'get-not-allowed': ['clients', 'tools that wait for a server expect HTTP 200'],
  'no-grpc-health': ['gRPC', 'health checks and reflection exist in their current versions'],
  'few-cors-headers': ['gRPC-web', 'pages may send its headers, and read the height'],
  'receipt-blocks-on-unknown': ['Ethereum JSON-RPC', '`null` at once'],
  'safe-tag-rejected': ['Ethereum JSON-RPC', '`safe` is a block tag'],
  'earliest-is-latest-state': ['Ethereum JSON-RPC', 'the state of the first block'],
  'newheads-eth-hash': ['geth', 'the hash and the roots of the block'],
  'cumulative-gas-per-tx': ['Ethereum JSON-RPC', 'the gas of this and all earlier transactions of the block'],
  'comet-index-lag': ['clients', 'a transaction is searchable when its event arrives'],
  'empty-first-checks': ['clients', 'transactions are checked against the genesis state'],
  'fee-left-out-of-simulation': ['clients', 'a simulation uses as much gas as the transaction'],
  'failed-delegations-dropped': ['EIP-7702', 'delegations stay when the execution fails'],
  'funded-constructor-cannot-end': ['EIP-6780', 'the contract is gone, and its coins are with the beneficiary'],
  'uncommitted-tx-hides-block': ['Ethereum JSON-RPC', 'the block with its other transactions'],
  'legacy-proposals-panic': ['documentation of Cosmos SDK', 'the proposal is submitted, or refused with an error'],
  'abci-info-wire': ['documentation of CometBFT', 'all five fields; the hash in hex; an error is a text with HTTP 500'],
  'undocumented-methods': ['documentation of Cosmos EVM', 'lists `admin_*`, and not the other two'],
  'unknown-block-errors': ['Ethereum JSON-RPC', '`null`'],
  'coinbase-ascii': ['Ethereum', 'the address of the proposer'],
  'sha3-of-text': ['Ethereum JSON-RPC', 'the hash of the decoded bytes'],
  'peer-count-number': ['Ethereum JSON-RPC', 'a hexadecimal number as text'],
  'loose-block-numbers': ['Ethereum JSON-RPC', 'an error with code −32602'],
  'block-parameter-required': ['geth', 'they may be omitted'],
  'call-overrides-limited': ['geth', 'both accept overrides of state and block'],
  'overrides-hide-precompiles': ['geth', 'precompiles stay reachable'],
  'logs-from-zero-repeat': ['Ethereum JSON-RPC', 'the logs of the range'],
  'access-list-echoed': ['geth', 'the accounts and slots that the call reads'],
  'proof-by-number-only': ['EIP-1186', 'any block has proofs'],
  'gas-guessed-at-height-one': ['geth', 'it is estimated on the state of the latest block'],
  'handler-crashes': ['geth', 'an error that names the argument'],
  'filter-cap-as-text': ['Ethereum JSON-RPC', 'an error'],
  'pending-thirty': ['Ethereum JSON-RPC', 'all of them are pending'],
  'access-list-dropped': ['geth', 'a transaction of type 1 with the list'],
  'empty-revert-without-data': ['geth', 'code 3 with data `0x`'],
  'next-fee-guessed': ['EIP-1559', 'the base fee that the next block has'],
  'last-fee-required': ['EIP-1559', 'a fee cap must cover the base fee of the block that includes it'],
  'logs-above-head-refused': ['geth', 'the logs up to the head'],
  'pending-is-latest': ['Ethereum JSON-RPC', 'a block with the transactions of the mempool'],
  'sign-without-prefix': ['EIP-191', 'the prefix is part of the signed data'],
  'websocket-forwards': ['JSON-RPC 2.0', 'an id is a number, a text or null'],
  'websocket-port-only': ['geth', 'one port may serve both'],
  'websocket-origins-one-text': ['documentation of Cosmos EVM', 'it allows 127.0.0.1 and localhost'],
  'websocket-any-origin': ['OWASP', 'a server checks the origin of a WebSocket'],
  'accounts-for-any-page': ['OWASP', 'a page of another origin may change nothing'],
  'client-version-build': ['Ethereum JSON-RPC', 'one line with name and version'],
  'loose-log-subscriptions': ['geth', 'an error names the wrong value'],
  'trace-charged-gas': ['geth', 'the gas that the execution used'],
  'trace-nonce-kept': ['EIP-7702', "the sender's nonce rises before authorizations are checked"],
  'call-trace-without-logs': ['geth', 'logs, with `withLog`'],
  'trace-keys-sorted': ['geth', 'the order in which geth writes them'],
}

/** Where the OpenAPI document of CometBFT v0.38 is wrong about more than the shape of a result. */
export const openApi: readonly (readonly [topic: string, documentation: string, node: string])[] = [
  ['envelope of a response', '`result` and `error` both, `error` as text', 'one of them; `error` is an object'],
  ['`id`', 'an integer', 'an integer or text; −1 for GET'],
  ['HTTP status of errors', '500', '200 for errors of POST handlers; 400, 404 and 500 for others'],
  ['`subscribe`, `unsubscribe`, `unsubscribe_all`, `unsafe_flush_mempool`', 'absent', 'present'],
  ['`dial_seeds`', '`peers`; response `Log`', '`seeds`; response `log`'],
  ['`check_tx`', 'may be cached', 'never cached'],
]
