import { hasQuirk } from '../../settings/quirks.ts'
import { action, param } from '../method.ts'
import { submittedHash } from './broadcast.ts'
import { handlerCrashed } from './errors.ts'
import { passwordParam } from './params.ts'
import { bytesResult } from './results.ts'
import { sendAsNode } from './sendAsNode.ts'
import { txArgs } from './txArgs.ts'

export const personal_sendTransaction = action({
  name: 'personal_sendTransaction',
  summary: 'Signs a transaction with a key of the node, submits it and returns its hash.',
  spec: 'cosmos-evm-rpc.md §2.11',
  params: [param('transaction', txArgs), passwordParam],
  result: bytesResult,
  traits: ['changesWorld'],
  examples: [],
  command: (context, [args]) => {
    const isCrashing = args.to === undefined && hasQuirk(context.node.settings, 'handler-crashes')
    if (isCrashing) throw handlerCrashed()
    return sendAsNode(context, args)
  },
  reply: (_context, outcome) => submittedHash(outcome, ''),
})
