/** The keys of an evmd v0.5.0 `app.toml` that have no effect in chainstage. */
import { type IgnoredKeys, inMemory } from './nodeKeys.ts'

export const appKeys: readonly IgnoredKeys[] = [
  {
    section: '',
    why: 'queries have no gas limit; limit calls with json-rpc.gas-cap',
    keys: { 'query-gas-limit': '0' },
  },
  {
    section: '',
    why: 'the chain never halts by itself; end a run with chainstage run --until',
    keys: { 'halt-height': 0, 'halt-time': 0 },
  },
  {
    section: '',
    why: inMemory,
    keys: {
      'inter-block-cache': true,
      'iavl-cache-size': 781_250,
      'iavl-disable-fastnode': false,
      'app-db-backend': '',
    },
  },
  {
    section: '',
    why: 'every event is indexed; turn the index off with tx_index.indexer = "null" in config.toml',
    keys: { 'index-events': '' },
  },
  {
    section: 'telemetry',
    why: 'metrics never include the host name; set a prefix with telemetry.service-name',
    keys: { 'enable-hostname': false, 'enable-hostname-label': false },
  },
  {
    section: 'telemetry',
    why: 'the real node ignores it too; set a prefix with telemetry.service-name',
    keys: { 'enable-service-label': false },
  },
  {
    section: 'telemetry',
    why: 'metrics have no global labels; add labels in the scrape configuration of Prometheus',
    keys: { 'global-labels': '' },
  },
  {
    section: 'telemetry',
    why: 'metrics are never pushed; scrape them with Prometheus',
    keys: { 'metrics-sink': '', 'statsd-addr': '', 'datadog-hostname': '' },
  },
  { section: 'api', why: 'responses of the REST API have no write timeout', keys: { 'rpc-write-timeout': 0 } },
  {
    section: 'state-sync',
    why: 'no peer requests snapshots; save a chain with chainstage checkpoint save',
    keys: { 'snapshot-interval': 0, 'snapshot-keep-recent': 2 },
  },
  {
    section: 'streaming.abci',
    why: 'state is not streamed; subscribe to events over WebSocket',
    keys: { keys: '', plugin: '', 'stop-node-on-err': true },
  },
  { section: 'evm', why: 'there is no default tracer; name one in each debug_trace request', keys: { tracer: '' } },
  { section: 'evm', why: 'the gas wanted by a transaction is always its gas limit', keys: { 'max-tx-gas-wanted': 0 } },
  { section: 'evm', why: 'SHA3 preimages are not recorded', keys: { 'cache-preimage': false } },
  {
    section: 'evm',
    why: 'metrics are served at instrumentation.prometheus_listen_addr of config.toml',
    keys: { 'geth-metrics-address': '127.0.0.1:8100' },
  },
  {
    section: 'evm.mempool',
    why: 'the mempool has other limits; set mempool.max-txs, or [mempool] in config.toml',
    keys: {
      'price-limit': 1,
      'account-slots': 16,
      'global-slots': 5120,
      'account-queue': 64,
      'global-queue': 1024,
      lifetime: '3h0m0s',
    },
  },
  { section: 'json-rpc', why: 'Ethereum transactions are always indexed', keys: { 'enable-indexer': false } },
  {
    section: 'json-rpc',
    why: 'metrics are served at instrumentation.prometheus_listen_addr of config.toml',
    keys: { 'metrics-address': '127.0.0.1:6065' },
  },
  {
    section: 'json-rpc',
    why: 'gas is refunded as in evmd v0.5.0 at every height',
    keys: { 'fix-revert-gas-refund-height': 0 },
  },
  {
    section: 'tls',
    why: 'Ethereum JSON-RPC is served without TLS; run a TLS proxy in front of it',
    keys: { 'certificate-path': '', 'key-path': '' },
  },
]
