/** The keys of a CometBFT v0.38 `config.toml` that have no effect in chainstage. */
import { type IgnoredKeys, inMemory } from './nodeKeys.ts'

const noPeers = 'chainstage does not connect to peers; set the number it reports with --peers N'
const fromSeed = 'keys are derived from --seed and --mnemonic'
const noGossip = 'there are no peers to gossip with'

export const cometKeys: readonly IgnoredKeys[] = [
  { section: '', why: 'the version is set with --comet-version', keys: { version: ['0.38.17', '0.38.18'] } },
  {
    section: '',
    why: 'the application runs inside chainstage; choose it with --app',
    keys: { proxy_app: 'tcp://127.0.0.1:26658', abci: 'socket' },
  },
  { section: '', why: inMemory, keys: { db_backend: 'goleveldb', db_dir: 'data' } },
  {
    section: '',
    why: 'logging is set with flags; use --log-requests for more lines and --json for JSON',
    keys: { log_level: 'info', log_format: 'plain' },
  },
  {
    section: '',
    why: 'the genesis document is set with --genesis FILE',
    keys: { genesis_file: 'config/genesis.json' },
  },
  {
    section: '',
    why: fromSeed,
    keys: {
      priv_validator_key_file: 'config/priv_validator_key.json',
      priv_validator_state_file: 'data/priv_validator_state.json',
      priv_validator_laddr: '',
      node_key_file: 'config/node_key.json',
    },
  },
  { section: '', why: noPeers, keys: { filter_peers: false } },
  {
    section: 'rpc',
    why: "CometBFT's gRPC broadcast API is not served; use CometBFT RPC at rpc.laddr",
    keys: { grpc_laddr: '', grpc_max_open_connections: 900 },
  },
  {
    section: 'rpc',
    why: 'chainstage does not run on Go; profile it with node --inspect',
    keys: { pprof_laddr: ['', 'localhost:6060'] },
  },
  {
    section: 'p2p',
    why: noPeers,
    keys: {
      seeds: '',
      persistent_peers: '',
      addr_book_file: 'config/addrbook.json',
      addr_book_strict: true,
      max_num_inbound_peers: [40, 240],
      max_num_outbound_peers: [10, 30],
      unconditional_peer_ids: '',
      persistent_peers_max_dial_period: '0s',
      flush_throttle_timeout: '100ms',
      max_packet_msg_payload_size: 1024,
      send_rate: 5_120_000,
      recv_rate: 5_120_000,
      seed_mode: false,
      private_peer_ids: '',
      allow_duplicate_ip: false,
      handshake_timeout: '20s',
      dial_timeout: '3s',
    },
  },
  {
    section: 'mempool',
    why: 'rechecks always finish before the next request is handled',
    keys: { recheck_timeout: '1s' },
  },
  {
    section: 'mempool',
    why: noGossip,
    keys: {
      broadcast: true,
      experimental_max_gossip_connections_to_persistent_peers: 0,
      experimental_max_gossip_connections_to_non_persistent_peers: 0,
    },
  },
  { section: 'mempool', why: inMemory, keys: { wal_dir: '' } },
  { section: 'mempool', why: 'CometBFT v0.38 ignores it too', keys: { max_batch_bytes: 0 } },
  {
    section: 'statesync',
    why: 'there are no peers to sync from; continue another chain with --fork URL',
    keys: {
      enable: false,
      rpc_servers: '',
      trust_height: 0,
      trust_hash: '',
      trust_period: ['168h0m0s', '112h0m0s'],
      discovery_time: '15s',
      temp_dir: '',
      chunk_request_timeout: '10s',
      chunk_fetchers: '4',
    },
  },
  {
    section: 'blocksync',
    why: 'there are no peers to sync from; report a syncing node with --catching-up',
    keys: { version: 'v0' },
  },
  { section: 'consensus', why: inMemory, keys: { wal_file: 'data/cs.wal/wal' } },
  {
    section: 'consensus',
    why: "no other process signs with the validator's key",
    keys: { double_sign_check_height: 0 },
  },
  {
    section: 'consensus',
    why: noGossip,
    keys: { peer_gossip_sleep_duration: '100ms', peer_query_maj23_sleep_duration: '2s' },
  },
  {
    section: 'tx_index',
    why: 'the index is kept in memory; set tx_index.indexer to kv or null',
    keys: { 'psql-conn': '' },
  },
]
