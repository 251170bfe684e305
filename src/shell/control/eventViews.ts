/** Cosmos events of the chain, newest first, in pages: of transactions and of blocks. */
import type { AbciEvent } from '../../app/abci.ts'
import type { BlockRecord } from '../../chain/block.ts'
import { upperHexOf } from '../../codec/comet.ts'
import { pageOfBlocks } from './blockPages.ts'
import type { NumberPage } from './numberPages.ts'
import type { Instance } from '../ports.ts'

export type EventQuery = NumberPage & {
  /** The type of the events; '' for all types. */
  readonly type: string
  /** Text that the value of an attribute contains; '' for all events. */
  readonly value: string
}

/** Returns the events of whole blocks, by height, until there are at least `limit`. */
export function eventsView({ simulation }: Instance, { type, value, ...page }: EventQuery) {
  const isWanted = (event: AbciEvent) =>
    (type === '' || event.type === type) &&
    (value === '' || event.attributes.some((attribute) => attribute.value.includes(value)))
  return pageOfBlocks(simulation().node.chain.history, page, {
    groups: undefined,
    rowsOf: (record) => eventsOf(record).filter(isWanted).map(shown).toReversed(),
  })
}

type Placed = AbciEvent & { readonly height: number; readonly transaction: string | null; readonly index: number }

/** Returns the events of a block in order: first those of its transactions, then its own. */
function eventsOf(record: BlockRecord): readonly Placed[] {
  const height = Number(record.block.header.height)
  const { txResults, events } = record.results
  const ofTxs = txResults.flatMap((result, at) => {
    const transaction = upperHexOf(record.txs[at]?.hash ?? new Uint8Array(0))
    return result.events.map((event) => ({ ...event, height, transaction }))
  })
  return [...ofTxs, ...events.map((event) => ({ ...event, height, transaction: null }))].map((event, index) => ({
    ...event,
    index,
  }))
}

/** Returns an event with the members that the dashboard shows. */
function shown({ height, transaction, index, type, attributes }: Placed) {
  return { height, transaction, index, ...eventView({ type, attributes }) }
}

/** Returns the type and attributes of an event. */
export function eventView({ type, attributes }: AbciEvent) {
  return { type, attributes: attributes.map(({ key, value }) => ({ key, value })) }
}
