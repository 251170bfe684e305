import { optional } from '../../codec/codec.ts'
import { param, query } from '../method.ts'
import { addressParam, goUint64, passwordParam } from './params.ts'
import { boolResult } from './results.ts'

export const personal_unlockAccount = query({
  name: 'personal_unlockAccount',
  summary: 'Answers false: keys are never locked.',
  spec: 'cosmos-evm-rpc.md §2.11',
  params: [addressParam, passwordParam, param('seconds', optional(goUint64), undefined)],
  result: boolResult,
  traits: ['changesWorld'],
  examples: [{ params: ['0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266', ''], result: false }],
  read: () => false,
})
