import test from 'ava'
import { startMessages } from '../../../helpers/messageChain.ts'

test('nothing is minted without inflation, but its transfer has events', (t) => {
  const chain = startMessages({
    edit: ({ mint }) => {
      const none = { inflation_max: '0.000000000000000000', inflation_min: '0.000000000000000000' }
      Object.assign(mint?.['params'] ?? {}, none)
    },
  })
  const { events } = chain.block()
  const first = events.slice(0, 5).map(({ type, attributes }) => `${type} ${attributes.map(({ key }) => key)}`)
  t.deepEqual(first, [
    'coin_spent spender,amount,mode',
    'coin_received receiver,amount,mode',
    'transfer recipient,sender,amount,mode',
    'message sender,mode',
    'mint bonded_ratio,inflation,annual_provisions,amount,mode',
  ])
  t.is(events[0]?.attributes[1]?.value, '')
})
