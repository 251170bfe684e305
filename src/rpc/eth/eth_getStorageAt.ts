import { text } from '../../codec/codec.ts'
import { param, query } from '../method.ts'
import { aboveHead } from './errors.ts'
import { stateViewOf, stateOfRef } from './lookup.ts'
import { addressParam, isFixedIn, stateParam } from './params.ts'
import { bytesResult } from './results.ts'
import { storageKey } from './storageKey.ts'

export const eth_getStorageAt = query({
  name: 'eth_getStorageAt',
  summary: 'Returns the 32-byte word at a storage slot of a contract.',
  spec: 'cosmos-evm-rpc.md §2.4',
  params: [addressParam, param('slot', text()), stateParam],
  result: bytesResult,
  examples: [
    {
      params: ['0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266', '0x0', 'latest'],
      result: '0x0000000000000000000000000000000000000000000000000000000000000000',
    },
  ],
  isKept: ([, , at], { chain }) => isFixedIn(chain, at),
  read: (context, [owner, slot, at]) =>
    stateViewOf(context).slot(stateOfRef(context, at, aboveHead.query), owner, storageKey(slot)),
})
