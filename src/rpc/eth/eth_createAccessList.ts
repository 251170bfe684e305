import { param, query } from '../method.ts'
import { createAccessList } from './accessLists.ts'
import { rawOverrides } from './overrides.ts'
import { stateParam } from './params.ts'
import { objectResult } from './results.ts'
import { txArgs } from '../../app/txArgs.ts'

export const eth_createAccessList = query({
  name: 'eth_createAccessList',
  summary: 'Returns an access list of the addresses and slots that a call touches, and the gas used with that list.',
  spec: 'cosmos-evm-rpc.md §2.5',
  params: [param('transaction', txArgs), stateParam, param('overrides', rawOverrides, undefined)],
  result: objectResult,
  examples: [
    {
      params: [
        {
          from: '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266',
          to: '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266',
          gas: '0x5208',
        },
        'latest',
      ],
      result: { accessList: [], gasUsed: '0x5208' },
    },
  ],
  read: (context, [args, at, given]) => createAccessList(context, args, { at, given }),
})
