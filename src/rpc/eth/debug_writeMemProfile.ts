import { text } from '../../codec/codec.ts'
import { action, param } from '../method.ts'
import { performedQuietly, performing } from './profiling.ts'
import { nullResult } from './results.ts'

export const debug_writeMemProfile = action({
  name: 'debug_writeMemProfile',
  summary: 'Writes a heap snapshot to a file inside the home directory.',
  spec: 'cosmos-evm-rpc.md §2.10',
  params: [param('file', text())],
  result: nullResult,
  traits: ['changesWorld'],
  examples: [],
  command: (context, [file]) =>
    performing(context, { type: 'writeProfile', profile: 'heap', path: file, seconds: 0 }),
  reply: performedQuietly,
})
