/** Settings of interface A and of the node behind it: `config.toml` (`comet-rpc.md` §7). */
import { setting } from './setting.ts'

const config = (section: string, key: string) => ({ name: 'config.toml', section, key }) as const

export const cometSettings = {
  rpcLaddr: setting({
    help: 'Address of interface A: tcp://HOST:PORT or unix://PATH, several with commas; empty turns it off.',
    value: 'tcp://127.0.0.1:26657', flag: 'rpc.laddr', file: config('rpc', 'laddr'),
  }),
  corsAllowedOrigins: setting({
    help: 'Origins that browsers may call interface A from; "*" for any, none turns CORS off.',
    value: [] as readonly string[], flag: 'rpc.cors_allowed_origins',
    file: config('rpc', 'cors_allowed_origins'), live: true,
  }),
  corsAllowedMethods: setting({
    help: 'HTTP methods that CORS allows on interface A.',
    value: ['HEAD', 'GET', 'POST'] as readonly string[], flag: 'rpc.cors_allowed_methods',
    file: config('rpc', 'cors_allowed_methods'), live: true,
  }),
  corsAllowedHeaders: setting({
    help: 'Request headers that CORS allows on interface A.',
    value: [
      'Origin', 'Accept', 'Content-Type', 'X-Requested-With', 'X-Server-Time',
    ] as readonly string[],
    flag: 'rpc.cors_allowed_headers', file: config('rpc', 'cors_allowed_headers'), live: true,
  }),
  rpcUnsafe: setting({
    help: 'Whether dial_seeds, dial_peers and unsafe_flush_mempool exist.',
    value: false, flag: 'rpc.unsafe', file: config('rpc', 'unsafe'),
  }),
  maxOpenConnections: setting({
    help: 'Connections to interface A at one time; 0 is unlimited.',
    value: 900, flag: 'rpc.max_open_connections', file: config('rpc', 'max_open_connections'),
  }),
  maxSubscriptionClients: setting({
    help: 'Clients of interface A that may subscribe at one time.',
    value: 100, flag: 'rpc.max_subscription_clients',
    file: config('rpc', 'max_subscription_clients'), live: true,
  }),
  maxSubscriptionsPerClient: setting({
    help: 'Subscriptions that one client of interface A may hold.',
    value: 5, flag: 'rpc.max_subscriptions_per_client',
    file: config('rpc', 'max_subscriptions_per_client'), live: true,
  }),
  websocketWriteBuffer: setting({
    help: 'Answers that may wait for a slow WebSocket reader of interface A.',
    value: 200, flag: 'rpc.experimental_websocket_write_buffer_size',
    file: config('rpc', 'experimental_websocket_write_buffer_size'),
  }),
  subscriptionBuffer: setting({
    help: 'Events of one subscription that may wait before those answers; one more cancels it.',
    value: 200, flag: 'rpc.experimental_subscription_buffer_size',
    file: config('rpc', 'experimental_subscription_buffer_size'),
  }),
  closeOnSlowClient: setting({
    help: 'Whether who stays slow for 10 s loses the subscription instead of single events.',
    value: false, flag: 'rpc.experimental_close_on_slow_client',
    file: config('rpc', 'experimental_close_on_slow_client'),
  }),
  broadcastCommitTimeout: setting({
    help: 'How long broadcast_tx_commit waits for its block, as a duration.',
    value: '10s', flag: 'rpc.timeout_broadcast_tx_commit',
    file: config('rpc', 'timeout_broadcast_tx_commit'), live: true,
  }),
  maxRequestBatchSize: setting({
    help: 'Requests in one batch to interface A; 0 is unlimited.',
    value: 10, flag: 'rpc.max_request_batch_size', file: config('rpc', 'max_request_batch_size'),
    live: true,
  }),
  maxBodyBytes: setting({
    help: 'Bytes of a request body on interface A.',
    value: 1_000_000, flag: 'rpc.max_body_bytes', file: config('rpc', 'max_body_bytes'), live: true,
  }),
  maxHeaderBytes: setting({
    help: 'Bytes of request headers on interface A.',
    value: 1_048_576, flag: 'rpc.max_header_bytes', file: config('rpc', 'max_header_bytes'),
  }),
  tlsCertFile: setting({
    help: 'Certificate with which interface A speaks TLS, if there is a key too; a path from the config folder.',
    value: '', flag: 'rpc.tls_cert_file', file: config('rpc', 'tls_cert_file'),
  }),
  tlsKeyFile: setting({
    help: 'Key of that certificate.', value: '', flag: 'rpc.tls_key_file',
    file: config('rpc', 'tls_key_file'),
  }),
  moniker: setting({
    help: 'The name of the node in status.', value: 'chainstage', flag: 'moniker',
    file: config('', 'moniker'),
  }),
  cometVersion: setting({
    help: 'The CometBFT version that status reports.', value: '0.38.17', flag: 'comet-version',
  }),
  p2pLaddr: setting({
    help: 'The p2p address that status reports; nothing listens there.',
    value: 'tcp://0.0.0.0:26656', flag: 'p2p.laddr', file: config('p2p', 'laddr'),
  }),
  p2pExternalAddress: setting({
    help: 'The external p2p address that status and net_info report.',
    value: '', flag: 'p2p.external-address', file: config('p2p', 'external_address'),
  }),
  p2pPex: setting({
    help: 'Whether the peer-exchange channel is listed.', value: true, flag: 'p2p.pex',
    file: config('p2p', 'pex'),
  }),
  mempoolType: setting({
    help: 'flood takes transactions, nop none.', value: 'flood', choices: ['flood', 'nop'],
    flag: 'mempool.type', file: config('mempool', 'type'),
  }),
  mempoolSize: setting({
    help: 'Transactions that may wait.', value: 5000, flag: 'mempool.size',
    file: config('mempool', 'size'),
  }),
  mempoolMaxTxsBytes: setting({
    help: 'Bytes of all waiting transactions.', value: 1_073_741_824, flag: 'mempool.max_txs_bytes',
    file: config('mempool', 'max_txs_bytes'),
  }),
  mempoolMaxTxBytes: setting({
    help: 'Bytes of one transaction.', value: 1_048_576, flag: 'mempool.max_tx_bytes',
    file: config('mempool', 'max_tx_bytes'),
  }),
  mempoolCacheSize: setting({
    help: 'Transactions remembered to refuse repeats.', value: 10_000, flag: 'mempool.cache_size',
    file: config('mempool', 'cache_size'),
  }),
  mempoolKeepInvalid: setting({
    help: 'Whether refused transactions are remembered too.', value: false,
    flag: 'mempool.keep-invalid-txs-in-cache', file: config('mempool', 'keep-invalid-txs-in-cache'),
  }),
  mempoolRecheck: setting({
    help: 'Whether waiting transactions are checked again after each block.', value: true,
    flag: 'mempool.recheck', file: config('mempool', 'recheck'),
  }),
  mempoolTtl: setting({
    help: 'How long a transaction may wait, as a duration; 0s is for ever, as in CometBFT v0.38.',
    value: '0s', flag: 'mempool.ttl-duration', file: config('mempool', 'ttl-duration'),
  }),
  mempoolTtlBlocks: setting({
    help: 'For how many blocks a transaction may wait; 0 is for ever, as in CometBFT v0.38.',
    value: 0, flag: 'mempool.ttl-num-blocks', file: config('mempool', 'ttl-num-blocks'),
  }),
  indexer: setting({
    help: 'kv makes transactions and blocks searchable, null does not.', value: 'kv',
    choices: ['kv', 'null'],
    flag: 'tx_index.indexer', file: config('tx_index', 'indexer'),
  }),
  discardAbciResponses: setting({
    help: 'Whether block_results is refused.', value: false,
    flag: 'storage.discard_abci_responses', file: config('storage', 'discard_abci_responses'),
  }),
  timeoutCommit: setting({
    help: 'Pause after a block, as a duration: the pace of interval blocks where --interval gives none.',
    value: '1s', flag: 'consensus.timeout_commit', file: config('consensus', 'timeout_commit'),
  }),
  timeoutPropose: setting({
    help: 'How long a round waits for a proposer that is down.',
    value: '3s', flag: 'consensus.timeout_propose', file: config('consensus', 'timeout_propose'),
  }),
  timeoutProposeDelta: setting({
    help: 'How much longer each further round of a block waits for it.',
    value: '500ms', flag: 'consensus.timeout_propose_delta',
    file: config('consensus', 'timeout_propose_delta'),
  }),
  timeoutPrevote: setting({
    help: 'How long a round waits where prevotes are split: those of our validators never are.',
    value: '1s', flag: 'consensus.timeout_prevote', file: config('consensus', 'timeout_prevote'),
  }),
  timeoutPrevoteDelta: setting({
    help: 'How much longer each further round of a block waits there.',
    value: '500ms', flag: 'consensus.timeout_prevote_delta',
    file: config('consensus', 'timeout_prevote_delta'),
  }),
  timeoutPrecommit: setting({
    help: 'How long a round that decided nothing waits for late precommits.',
    value: '1s', flag: 'consensus.timeout_precommit',
    file: config('consensus', 'timeout_precommit'),
  }),
  timeoutPrecommitDelta: setting({
    help: 'How much longer each further round of a block waits for them.',
    value: '500ms', flag: 'consensus.timeout_precommit_delta',
    file: config('consensus', 'timeout_precommit_delta'),
  }),
  skipTimeoutCommit: setting({
    help: 'Whether the next block follows at once where every validator signed the last.',
    value: false, flag: 'consensus.skip_timeout_commit',
    file: config('consensus', 'skip_timeout_commit'),
  }),
  createEmptyBlocks: setting({
    help: 'Whether interval blocks come without transactions too; one after a new app hash comes always.',
    value: true, flag: 'consensus.create_empty_blocks',
    file: config('consensus', 'create_empty_blocks'),
  }),
  createEmptyBlocksInterval: setting({
    help: 'How long an interval block waits for a transaction before it comes empty; 0s does not wait.',
    value: '0s', flag: 'consensus.create_empty_blocks_interval',
    file: config('consensus', 'create_empty_blocks_interval'),
  }),
} as const
