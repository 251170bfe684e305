import test from 'ava'
import { MsgTransfer } from 'cosmjs-types/ibc/applications/transfer/v1/tx'
import { any, person, startMessages } from '../../../../helpers/messageChain.ts'

const alice = person(0)
const good = {
  sourcePort: 'transfer',
  sourceChannel: 'channel-0',
  token: { denom: 'atest', amount: '5' },
  sender: alice.address,
  receiver: 'osmo1x',
  timeoutTimestamp: 1n,
}
const open = (state: Record<string, object | undefined>) => {
  state['transfer'] = { params: { send_enabled: true, receive_enabled: true } }
}

const refused = test.macro((t, change: object, name: string, log: RegExp) => {
  const chain = startMessages({ edit: open })
  const tx = chain.signed(alice, [any(MsgTransfer, { ...good, ...change })])
  const [result] = chain.block([tx]).txResults
  t.is(`${result?.codespace} ${result?.code}`, name, result?.log)
  t.regex(result?.log ?? '', log)
})

test(
  'a transfer finds no channel, and no client of that name',
  refused,
  {},
  'clientv2 35',
  /: send packet failed for source id: channel-0: counterparty not found for client: channel-0/,
)
test(
  'a transfer without a time-out is refused',
  refused,
  { timeoutTimestamp: 0n },
  'channelv2 8',
  /: timeout must not be 0: invalid packet timeout$/,
)
test(
  'a transfer from no port is refused',
  refused,
  { sourcePort: '' },
  'host 2',
  /^invalid source port ID : identifier cannot be blank: invalid identifier$/,
)
test(
  'a transfer through no channel is refused',
  refused,
  { sourceChannel: 'a/b' },
  'host 2',
  /^invalid source channel ID a\/b: identifier a\/b cannot contain separator '\/'/,
)
test(
  'a transfer of nothing is refused',
  refused,
  { token: { denom: 'atest', amount: '0' } },
  'ibc 6',
  /^0atest: invalid coins$/,
)
test(
  'a transfer to nobody is refused',
  refused,
  { receiver: ' ' },
  'ibc 5',
  /^missing recipient address: invalid address$/,
)

test('where transfers are off, that is what is said', (t) => {
  const chain = startMessages()
  const { code, codespace } = chain.send(alice, any(MsgTransfer, good))
  t.deepEqual([codespace, code], ['transfer', 7])
})
