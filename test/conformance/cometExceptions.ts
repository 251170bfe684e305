/**
 * Where the document says other things than the node does, as recorded answers show: what is
 * complained of, then why. A transport before a slash is the only one that it holds for.
 */
export const excepted: Readonly<Record<string, string>> = {
  'POST / abci_info.response.*version: missing': 'empty texts are left out on the wire',
  'WebSocket / abci_info.response.*version: missing': 'empty texts are left out on the wire',
  'abci_query.response.proof: missing': 'the member is called proofOps',
  'abci_query.response.key: string, not null': 'a path without keys has none',
  '*header.version.app: missing': 'zero is left out',
  'header_by_hash.version.app: missing': 'zero is left out',
  '*.code: string, not number': 'codes are 32-bit numbers',
  '*.data: string, not null': 'no data is null',
  '*block.data: array, not object': 'the list is in data.txs',
  '*block.evidence: array, not object': 'the list is in evidence.evidence',
  '*last_commit.height: integer, not string': 'heights are 64-bit, so texts',
  '*last_commit.signatures[].*: missing': 'the document has the votes of Tendermint 0.32 here',
  '*.block_size: integer, not string': 'sizes are 64-bit, so texts',
  '*.total_count: integer, not string': 'counts are texts',
  '*.time_iota_ms: missing': 'removed in Tendermint 0.35',
  '*.evidence.max_age: missing': 'split into max_age_num_blocks and max_age_duration',
  'block_results.validator_updates: array, not null': 'no updates are null',
  'broadcast_evidence: string, not object': 'the hash is in an object',
  'broadcast_tx_commit.deliver_tx: missing': 'the member is called tx_result',
  'dump_consensus_state.round_state.valid_round: string, not number': 'rounds are 32-bit numbers',
  'dump_consensus_state.round_state.votes[].round: string, not number': 'rounds are 32-bit numbers',
  'genesis_chunked.*: integer, not string': 'numbers of chunks are texts',
  '*tx_result.tags: missing': 'tags became events in Tendermint 0.32',
  'tx_search.txs[].proof.*: missing': 'the members are called root_hash, data and proof',
}
