import { text } from '../../codec/codec.ts'
import { action, param, Waiting } from '../method.ts'
import { goUint } from './params.ts'
import { performed, performing } from './profiling.ts'
import { nullResult } from './results.ts'

export const debug_blockProfile = action({
  name: 'debug_blockProfile',
  summary: 'Writes how long the event loop was held up to a file in the home directory; N seconds.',
  spec: 'cosmos-evm-rpc.md §2.10',
  params: [param('file', text()), param('seconds', goUint)],
  result: nullResult,
  traits: ['changesWorld'],
  examples: [],
  command: (context, [file, seconds]) =>
    performing(
      context, { type: 'writeProfile', profile: 'block', path: file, seconds: Number(seconds) },
    ),
  reply: (context, outcome, [, seconds]) => {
    const done = performed(context, outcome, Number(seconds))
    return done instanceof Waiting ? done : undefined
  },
})
