/** Loads IBC's stores from a genesis document. */
import {
  always,
  bool,
  bytes,
  message,
  nested,
  repeated,
  text as textField,
  uint32,
  uint64,
} from '../../../codec/protobuf/message.ts'
import type { Context } from '../context.ts'
import { bigEndian } from '../storeKeys.ts'
import type { StoreName } from '../storeNames.ts'
import { flag, integer, integerOr, list, section, type Section, text, texts } from './read.ts'
import { refuseEntries, UnreadGenesis } from './unread.ts'

const clientParams = message<{
  allowed: readonly string[]
}>({ 1: ['allowed', repeated(textField)] })
const connectionParams = message<{ maxTime: bigint }>({ 1: ['maxTime', uint64] })
const transferParams = message<{ send: boolean; receive: boolean }>({
  1: ['send', bool],
  2: ['receive', bool],
})

type Version = { identifier: string; features: readonly string[] }
type Counterparty = { clientId: string; connectionId: string; prefix: { key: Uint8Array } }
/** One end of a connection (ibc-go 03-connection). */
export type Connection = {
  clientId: string
  versions: readonly (Version | undefined)[]
  state: number
  counterparty: Counterparty
}

/** The fields of a connection. An identified connection has other field numbers. */
export const connectionFields = {
  1: ['clientId', textField],
  2: [
    'versions',
    repeated(
      nested(
        message<Version>({
          1: ['identifier', textField],
          2: ['features', repeated(textField)],
        }),
      ),
    ),
  ],
  3: ['state', uint32],
  4: [
    'counterparty',
    always(
      message<Counterparty>({
        1: ['clientId', textField],
        2: ['connectionId', textField],
        3: ['prefix', always(message<{ key: Uint8Array }>({ 1: ['key', bytes] }))],
      }),
    ),
  ],
} as const
export const connection = message<Connection>(connectionFields)

/** Loads IBC's parameters and counters. Throws `UnreadGenesis` for clients and channels. */
export function loadIbc(context: Context, ibc: Section, transfer: Section): void {
  const client = section(ibc, 'client_genesis')
  const connections = section(ibc, 'connection_genesis')
  const channel = section(ibc, 'channel_genesis')
  refuseEntries(client, ['clients', 'clients_consensus', 'clients_metadata'])
  refuseEntries(connections, ['client_connection_paths'])
  for (const each of list(connections, 'connections')) {
    // Every export has this one. The node, and the code below, store their own in its place.
    if (text(each, 'id') !== 'connection-localhost') throw new UnreadGenesis([each.path], 'IBC is not simulated')
  }
  refuseEntries(channel, ['channels', 'acknowledgements', 'commitments', 'receipts'])
  refuseEntries(transfer, ['denoms', 'total_escrowed'])
  const put = (store: StoreName, key: string, value: Uint8Array): void => {
    context.store(store).set(new TextEncoder().encode(key), value)
  }
  const allowed = texts(section(client, 'params'), 'allowed_clients')
  put('ibc', 'clientParams', clientParams.encode({ allowed: allowed.length > 0 ? allowed : ['*'] }))
  put('ibc', 'nextClientSequence', bigEndian(integer(client, 'next_client_sequence')))
  put('ibc', 'nextConnectionSequence', bigEndian(integer(connections, 'next_connection_sequence')))
  const maxTime = integerOr(section(connections, 'params'), 'max_expected_time_per_block', 30_000_000_000n)
  put('ibc', 'connectionParams', connectionParams.encode({ maxTime }))
  put('ibc', 'connections/connection-localhost', connection.encode(localhost))
  put('ibc', 'nextChannelSequence', bigEndian(integer(channel, 'next_channel_sequence')))
  put('transfer', '\u0001', new TextEncoder().encode(text(transfer, 'port_id') || 'transfer'))
  const params = section(transfer, 'params')
  put(
    'transfer',
    'params',
    transferParams.encode({
      send: flag(params, 'send_enabled'),
      receive: flag(params, 'receive_enabled'),
    }),
  )
}

/** Every chain has a connection to itself (ibc-go 09-localhost). */
const localhost: Connection = {
  clientId: '09-localhost',
  versions: [{ identifier: '1', features: ['ORDER_ORDERED', 'ORDER_UNORDERED'] }],
  state: 3,
  counterparty: {
    clientId: '09-localhost',
    connectionId: 'connection-localhost',
    prefix: { key: new TextEncoder().encode('ibc') },
  },
}
