import { text } from '../../codec/codec.ts'
import { action, param } from '../method.ts'
import { performedQuietly, performing } from './profiling.ts'
import { nullResult } from './results.ts'

export const debug_startGoTrace = action({
  name: 'debug_startGoTrace',
  summary: 'Starts a profile of the processor’s time, written to a file in the home directory.',
  spec: 'cosmos-evm-rpc.md §2.10',
  params: [param('file', text())],
  result: nullResult,
  traits: ['changesWorld'],
  examples: [],
  command: (context, [file]) => 
    performing(context, { type: 'startProfile', profile: 'trace', path: file }),
  reply: performedQuietly,
})
