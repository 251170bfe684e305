/** Decodes logs with known ABIs and the common signatures; unknown logs stay undecoded. */
import { abiTypes, decodeAbi, type AbiType } from '../../app/evmd/precompiles/abi.ts'
import { hexOf } from '../../codec/hex.ts'
import type { EthereumLog } from '../../chain/block.ts'
import { eventKey, tableOf, tablesOf, type EventTable } from './abis.ts'
import type { EventShape } from './abiShapes.ts'
import { commonEvents } from './commonAbis.ts'
import { precompileAt } from './precompileAbis.ts'
import { valueText, type DecodedArg } from './decodeCall.ts'

export type DecodedLog = { readonly event: string; readonly args: readonly DecodedArg[] }

/** The common events by `eventKey`. */
export const commonTable: EventTable = tableOf(commonEvents)

type Log = Pick<EthereumLog, 'topics' | 'data'> & { readonly address?: Uint8Array }

/** Returns the event of a log with its arguments, or undefined if the event is unknown. */
export function decodeLog(log: Log, known: EventTable): DecodedLog | undefined {
  const [first] = log.topics
  if (first === undefined) return undefined
  const key = eventKey(hexOf(first), log.topics.length)
  const precompile = precompileAt(log.address)
  const own = precompile === undefined ? undefined : tablesOf(precompile).events.get(key)
  const found = own ?? known.get(key) ?? commonTable.get(key)
  try {
    return found === undefined ? undefined : decoded(log, found)
  } catch {
    return undefined
  }
}

function decoded({ topics, data }: Log, { event, args }: EventShape): DecodedLog {
  const plain = abiTypes(
    args
      .filter(({ isIndexed }) => !isIndexed)
      .map(({ type }) => type)
      .join(','),
  )
  const values = data.length === 0 && plain.length === 0 ? [] : decodeAbi(plain, data)
  let [topic, place] = [1, 0]
  return {
    event,
    args: args.map(({ name, type, isIndexed }) => {
      const value = isIndexed ? topicText(type, topics[topic++]) : valueText(values[place++])
      return { name, type, value }
    }),
  }
}

const isWord = ({ kind }: AbiType) => !['string', 'bytes', 'tuple', 'array'].includes(kind)

/**
 * Returns the text of an indexed argument. For a string, bytes, tuple or array, the topic holds
 * only a hash.
 */
function topicText(spelled: string, topic: Uint8Array = new Uint8Array(32)): string {
  const [type] = abiTypes(spelled)
  return type !== undefined && isWord(type) ? valueText(decodeAbi([type], topic)[0]) : hexOf(topic)
}
