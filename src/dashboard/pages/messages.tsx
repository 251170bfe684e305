/** The Cosmos messages of a transaction, and the events of each. */
import type { ComponentChildren } from 'preact'
import { coinText } from '../core/coins.ts'
import type { CosmosEvent, FullTx } from '../core/shapes.ts'
import type { Coin } from '../core/tokenShapes.ts'
import { AddressLink, Empty, Fields, Folded } from '../parts/basics.tsx'
import { EventTable } from './cosmosEvents.tsx'

type Message = Readonly<Record<string, unknown>>

export function messagesOf(tx: FullTx): readonly Message[] {
  return tx.cosmos.result?.tx.body.messages ?? []
}

/** Returns `Send` for a message of type `/cosmos.bank.v1beta1.MsgSend`. */
function nameOf(message: Message | undefined): string {
  return (
    String(message?.['@type'] ?? '')
      .split('.')
      .at(-1) ?? ''
  ).replace(/^Msg/, '')
}

/** The messages with their members; the bytes of an Ethereum transaction stay folded. */
export function Messages({ tx }: { tx: FullTx }) {
  const messages = messagesOf(tx)
  if (messages.length === 0) return <Empty title="No decodable messages" />
  return (
    <>
      {messages.map((message, index) => (
        <div key={index} class="message">
          {tx.ethHash === null ? (
            <div class="card">
              <Fields pairs={[['Message', <strong>{nameOf(message)}</strong>], ...membersOf(message)]} />
            </div>
          ) : null}
          <Folded title={String(message['@type'])} value={message} />
        </div>
      ))}
    </>
  )
}

function membersOf(message: Message): readonly (readonly [string, ComponentChildren])[] {
  return Object.entries(message)
    .filter(([name]) => name !== '@type')
    .map(([name, value]) => [name.replaceAll('_', ' '), shown(value)])
}

function shown(value: unknown): ComponentChildren {
  if (typeof value === 'string') {
    return /^cosmos(?:valoper)?1[a-z\d]{38}$/.test(value) ? <AddressLink address={value} whole /> : value
  }
  const coins: readonly unknown[] = Array.isArray(value) ? value : [value]
  if (coins.length > 0 && coins.every(isCoin)) return coins.map((one) => coinText(one as Coin)).join(', ')
  return <span class="mono break">{JSON.stringify(value)}</span>
}

function isCoin(value: unknown): value is Coin {
  return typeof value === 'object' && value !== null && 'denom' in value && 'amount' in value
}

/** The events of a transaction, grouped by the message that emitted them. */
export function MessageEvents({ tx }: { tx: FullTx }) {
  return <GroupedEvents events={tx.cosmosEvents} messages={messagesOf(tx)} />
}

/** Events in groups: those of each message, then those of the checks before the first message. */
export function GroupedEvents({ events, messages }: { events: readonly CosmosEvent[]; messages: readonly Message[] }) {
  if (events.length === 0) return <Empty title="No events" />
  const groups = new Map<string, CosmosEvent[]>()
  for (const event of events) {
    const place = event.attributes.find(({ key }) => key === 'msg_index')?.value ?? ''
    groups.set(place, [...(groups.get(place) ?? []), event])
  }
  const own = [...groups].filter(([place]) => place !== '')
  return (
    <>
      {own.map(([place, list]) => (
        <EventGroup
          key={place}
          title={`Message ${Number(place) + 1}: ${nameOf(messages[Number(place)])}`}
          events={list}
        />
      ))}
      <EventGroup title="Fees and checks" events={groups.get('') ?? []} />
    </>
  )
}

function EventGroup({ title, events }: { title: string; events: readonly CosmosEvent[] }) {
  if (events.length === 0) return null
  return (
    <>
      <h2>{title}</h2>
      <EventTable label={title} events={events} empty={['No events']} leaves={['msg_index']} />
    </>
  )
}
