import { query } from '../method.ts'
import { addressParam } from './params.ts'
import { boolResult } from './results.ts'

export const personal_lockAccount = query({
  name: 'personal_lockAccount',
  summary: 'Answers false: keys are never locked.',
  spec: 'cosmos-evm-rpc.md §2.11',
  params: [addressParam],
  result: boolResult,
  traits: ['changesWorld'],
  examples: [{ params: ['0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266'], result: false }],
  read: () => false,
})
