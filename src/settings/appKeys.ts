/** The keys of an evmd v0.5.0 `app.toml` that have no effect in chainstage. */
import { type IgnoredKeys, inMemory } from './nodeKeys.ts'

export const appKeys: readonly IgnoredKeys[] = [
  { section: '', why: 'queries are not metered; json-rpc.gas-cap limits calls', keys: { 'query-gas-limit': '0' } },
  {
    section: '',
    why: 'the chain does not halt by itself; chainstage run --until ends a run',
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
    why: 'every event is indexed; tx_index.indexer = "null" in config.toml turns the index off',
    keys: { 'index-events': '' },
  },
  {
    section: 'telemetry',
    why: 'series are the same on every machine; telemetry.service-name names a service',
    keys: { 'enable-hostname': false, 'enable-hostname-label': false },
  },
  {
    section: 'telemetry',
    why: 'the real node does not use it either; telemetry.service-name begins the names',
    keys: { 'enable-service-label': false },
  },
  {
    section: 'telemetry',
    why: 'add labels where Prometheus scrapes, in its scrape configuration',
    keys: { 'global-labels': '' },
  },
  {
    section: 'telemetry',
    why: 'metrics are only served, never sent; scrape them with Prometheus',
    keys: { 'metrics-sink': '', 'statsd-addr': '', 'datadog-hostname': '' },
  },
  { section: 'api', why: 'responses of the REST API are not cut off', keys: { 'rpc-write-timeout': 0 } },
  {
    section: 'state-sync',
    why: 'no peer asks for snapshots; chainstage checkpoint saves a chain',
    keys: { 'snapshot-interval': 0, 'snapshot-keep-recent': 2 },
  },
  {
    section: 'streaming.abci',
    why: 'state is not streamed; subscribe to events over WebSocket',
    keys: { keys: '', plugin: '', 'stop-node-on-err': true },
  },
  { section: 'evm', why: 'name a tracer in each debug_trace request', keys: { tracer: '' } },
  { section: 'evm', why: 'a transaction always wants the gas limit it states', keys: { 'max-tx-gas-wanted': 0 } },
  { section: 'evm', why: 'SHA3 preimages are not recorded', keys: { 'cache-preimage': false } },
  {
    section: 'evm',
    why: 'metrics are served at instrumentation.prometheus_listen_addr of config.toml',
    keys: { 'geth-metrics-address': '127.0.0.1:8100' },
  },
  {
    section: 'evm.mempool',
    why: 'the mempool is limited by mempool.max-txs, and by [mempool] of config.toml',
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
    why: 'the chain refunds gas as evmd v0.5.0 does at every height',
    keys: { 'fix-revert-gas-refund-height': 0 },
  },
  {
    section: 'tls',
    why: 'Ethereum JSON-RPC is served without TLS; put a TLS proxy in front of it',
    keys: { 'certificate-path': '', 'key-path': '' },
  },
]
