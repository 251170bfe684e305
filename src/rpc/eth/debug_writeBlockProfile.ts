import { text } from '../../codec/codec.ts'
import { action, param } from '../method.ts'
import { performedQuietly, performing } from './profiling.ts'
import { nullResult } from './results.ts'

export const debug_writeBlockProfile = action({
  name: 'debug_writeBlockProfile',
  summary: 'Writes how long the event loop was held up to a file inside the home directory.',
  spec: 'cosmos-evm-rpc.md §2.10',
  params: [param('file', text())],
  result: nullResult,
  traits: ['changesWorld'],
  examples: [],
  command: (context, [file]) =>
    performing(context, { type: 'writeProfile', profile: 'block', path: file, seconds: 0 }),
  reply: performedQuietly,
})
