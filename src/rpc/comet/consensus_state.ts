import { query } from '../method.ts'
import { shortState } from './consensusState.ts'
import { named, objectOf } from './results.ts'

export const consensus_state = query({
  name: 'consensus_state',
  summary: 'Returns a summary of the consensus state.',
  spec: 'comet-rpc.md §1.22',
  params: [],
  result: objectOf({ round_state: named('RoundStateSimple') }),
  traits: ['undecided', 'varies'],
  examples: [{ params: [], result: { round_state: '…' } }],
  read: (context) => ({ round_state: shortState(context) }),
})
