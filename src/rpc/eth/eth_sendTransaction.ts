import { action, param } from '../method.ts'
import { sentHash } from './sentHash.ts'
import { bytesResult } from './results.ts'
import { sendAsNode } from './sendAsNode.ts'
import { txArgs } from '../../app/txArgs.ts'

export const eth_sendTransaction = action({
  name: 'eth_sendTransaction',
  summary: 'Signs a transaction with a key held by the node, submits it and returns its hash.',
  spec: 'cosmos-evm-rpc.md §2.7',
  params: [param('transaction', txArgs)],
  result: bytesResult,
  traits: ['usesAccounts', 'submits'],
  examples: [
    {
      params: [
        {
          from: '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266',
          to: '0x70997970c51812dc3a010c7d01b50e0d17dc79c8',
          value: '0x1',
          gas: '0x5208',
        },
      ],
      result: '…',
    },
  ],
  command: (context, [args]) => sendAsNode(context, args),
  reply: (context, outcome) => sentHash(context, outcome, ''),
})
