/**
 * The methods of CometBFT RPC in alphabetical order (`comet-rpc.md` §1.1), then development
 * controls.
 */
import { cometMock } from './mock/cometMock.ts'
import { table, type Table } from '../table.ts'
import { abci_info } from './abci_info.ts'
import { abci_query } from './abci_query.ts'
import { block } from './block.ts'
import { block_by_hash } from './block_by_hash.ts'
import { block_results } from './block_results.ts'
import { block_search } from './block_search.ts'
import { blockchain } from './blockchain.ts'
import { broadcast_evidence } from './broadcast_evidence.ts'
import { broadcast_tx_async } from './broadcast_tx_async.ts'
import { broadcast_tx_commit } from './broadcast_tx_commit.ts'
import { broadcast_tx_sync } from './broadcast_tx_sync.ts'
import { check_tx } from './check_tx.ts'
import { commit } from './commit.ts'
import { consensus_params } from './consensus_params.ts'
import { consensus_state } from './consensus_state.ts'
import { dial_peers } from './dial_peers.ts'
import { dial_seeds } from './dial_seeds.ts'
import { dump_consensus_state } from './dump_consensus_state.ts'
import { genesis } from './genesis.ts'
import { genesis_chunked } from './genesis_chunked.ts'
import { header } from './header.ts'
import { header_by_hash } from './header_by_hash.ts'
import { health } from './health.ts'
import { net_info } from './net_info.ts'
import { num_unconfirmed_txs } from './num_unconfirmed_txs.ts'
import { status } from './status.ts'
import { subscribe } from './subscribe.ts'
import { tx } from './tx.ts'
import { tx_search } from './tx_search.ts'
import { unconfirmed_txs } from './unconfirmed_txs.ts'
import { unsafe_flush_mempool } from './unsafe_flush_mempool.ts'
import { unsubscribe } from './unsubscribe.ts'
import { unsubscribe_all } from './unsubscribe_all.ts'
import { validators } from './validators.ts'

export const cometTable: Table = table([
  abci_info,
  abci_query,
  block,
  block_by_hash,
  block_results,
  block_search,
  blockchain,
  broadcast_evidence,
  broadcast_tx_async,
  broadcast_tx_commit,
  broadcast_tx_sync,
  check_tx,
  commit,
  consensus_params,
  consensus_state,
  dial_peers,
  dial_seeds,
  dump_consensus_state,
  genesis,
  genesis_chunked,
  header,
  header_by_hash,
  health,
  net_info,
  num_unconfirmed_txs,
  status,
  subscribe,
  tx,
  tx_search,
  unconfirmed_txs,
  unsafe_flush_mempool,
  unsubscribe,
  unsubscribe_all,
  validators,
  ...cometMock,
])
