/**
 * Metrics of the real node that chainstage omits, by prefix of their names after the namespace,
 * each with the reason. A made-up value would be worse than none.
 */
const noPhases = 'a simulated block is produced in one step, without consensus phases'
const noClock = 'the core has no clock; chainstage_request_duration_seconds times requests'
const noPeers = 'there are no peers'
const otherRuntime = 'chainstage does not run on Go; see process_* and chainstage_heap_bytes'
const notAnEvent = 'the core reports blocks, not transaction checks'
const notInBlocks = 'the value is in the messages of a transaction, not in the block'

export const leftOut: Readonly<Record<string, string>> = {
  abci_connection_method_timing_seconds: noClock,
  consensus_block_gossip_parts_received: noPeers,
  consensus_full_prevote_delay: noPhases,
  consensus_quorum_precommit_delay: noPhases,
  consensus_quorum_prevote_delay: noPhases,
  consensus_round_duration_seconds: noPhases,
  consensus_step_duration_seconds: noPhases,
  mempool_failed_txs: notAnEvent,
  mempool_tx_size_bytes: notAnEvent,
  state_block_processing_time: noClock,
  go_: otherRuntime,
  runtime_: otherRuntime,
  process_max_fds: 'Node.js does not report it',
  process_network_: 'Node.js does not report it',
  process_virtual_memory_: 'V8 reserves memory that it does not use; see process_resident_memory_bytes',
  _store_bank_key: noClock,
  query__store_bank_key: 'one series per query path would have no limit',
  query_count: 'chainstage_requests_total counts requests',
  begin_blocker: noClock,
  end_blocker: noClock,
  pre_blocker: noClock,
  new_account: notInBlocks,
  tx_msg__cosmos_staking_v1beta1_: notInBlocks,
  tx_msg_create_vesting_account: notInBlocks,
  tx_msg_send: notInBlocks,
  tx_msg_withdraw_reward: notInBlocks,
}
