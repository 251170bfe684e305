import { query } from '../method.ts'
import { peerStates, wholeState } from './consensusState.ts'
import { arraySchema, named, objectOf } from './results.ts'

export const dump_consensus_state = query({
  name: 'dump_consensus_state',
  summary: 'Returns the consensus state, with validators, votes and simulated peers.',
  spec: 'comet-rpc.md §1.21',
  params: [],
  result: objectOf({ round_state: named('RoundState'), peers: arraySchema(named('PeerState')) }),
  traits: ['undecided', 'varies'],
  examples: [{ params: [], result: { round_state: '…', peers: [] } }],
  read: (context) => ({ round_state: wholeState(context), peers: peerStates(context) }),
})
