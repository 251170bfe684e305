import test from 'ava'
import { startMessages } from '../../../helpers/messageChain.ts'

test('whether a denomination may be sent is stored as the protobuf message of the SDK', (t) => {
  const chain = startMessages({
    edit: (state) => {
      const { bank } = state as Record<string, Record<string, unknown>>
      Object.assign(bank ?? {}, {
        send_enabled: [
          { denom: 'aaa', enabled: true },
          { denom: 'bbb', enabled: false },
        ],
      })
    },
  })
  t.deepEqual(
    [...chain.store('bank', 4)].map(([key, value]) => [Buffer.from(key.slice(1)).toString(), [...value]]),
    [
      ['aaa', [8, 1]],
      ['bbb', []],
    ],
  )
})
