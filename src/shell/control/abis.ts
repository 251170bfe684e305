/**
 * The events of contracts that the dashboard can name: by the ABIs of the scenario and of the user.
 */
import { z } from 'zod'
import { SimError } from '../../errors.ts'
import { hexOf } from '../../codec/hex.ts'
import { keccak256 } from '../../crypto/hash.ts'

/** `type` is spelled as in a signature: tuples are lists in parentheses. */
export type EventArg = { readonly name: string; readonly type: string; readonly isIndexed: boolean }
export type EventShape = { readonly event: string; readonly args: readonly EventArg[] }

/** Events by `keyOfEvent`. */
export type EventTable = ReadonlyMap<string, EventShape>

type Input = {
  readonly name: string; readonly type: string; readonly indexed: boolean
  readonly components: readonly Input[]
}

const input: z.ZodType<Input> = z.object({
  name: z.string().default(''), type: z.string(), indexed: z.boolean().default(false),
  components: z.lazy(() => z.array(input)).default([]),
})

const entry = z.looseObject({
  type: z.string(), name: z.string().default(''), inputs: z.array(input).default([]),
  anonymous: z.boolean().default(false),
})

const abi = z.array(entry)
const artifact = z.looseObject({ abi })

/** What a user gives: an ABI, or what a compiler wrote that has one. */
export const abiShape = z.union([abi, artifact], {
  error: 'expected an ABI: a list of entries with type, name and inputs, or an object with abi',
})

type Given = z.infer<typeof abiShape>

/** Returns the events of an ABI; anonymous ones cannot be told by their topics. */
function eventsOf(given: Given): readonly EventShape[] {
  const entries = Array.isArray(given) ? given : given.abi
  return entries.filter(({ type, anonymous }) => type === 'event' && !anonymous)
    .map(({ name, inputs }) => ({ event: name, args: inputs.map(argOf) }))
}

function argOf(given: Input): EventArg {
  return { name: given.name, type: spelled(given), isIndexed: given.indexed }
}

function spelled({ type, components }: Input): string {
  if (!type.startsWith('tuple')) return type
  return `(${components.map(spelled).join(',')})${type.slice('tuple'.length)}`
}

/** Returns the signature of an event, whose hash is its first topic. */
export function signatureOf({ event, args }: EventShape): string {
  return `${event}(${args.map(({ type }) => type).join(',')})`
}

/** Returns the key of an event: two of one signature differ in how many arguments are indexed. */
function keyOfEvent(shape: EventShape): string {
  const topic = hexOf(keccak256(new TextEncoder().encode(signatureOf(shape))))
  return keyOf(topic, 1 + shape.args.filter(({ isIndexed }) => isIndexed).length)
}

/** Returns the key of a log by its first topic and how many it has. */
export function keyOf(topic: string, count: number): string {
  return `${topic}/${count}`
}

/** Returns the events of a list by their keys. */
export function tableOf(shapes: readonly EventShape[]): EventTable {
  return new Map(shapes.map((shape) => [keyOfEvent(shape), shape]))
}

export type Abis = {
  /** Every event that is known beside the usual ones. */
  readonly events: () => EventTable
  /** Adds the events of an ABI and returns their signatures. Throws `NoEvents`. */
  readonly add: (given: Given) => readonly string[]
}

/** Returns the events of the user, over those in the texts of a scenario's compiled contracts. */
export function createAbis(artifacts: () => ReadonlyMap<string, string>): Abis {
  let users: EventTable = new Map()
  let found: EventTable = new Map()
  let read: ReadonlyMap<string, string> | undefined
  return {
    events: () => {
      const texts = artifacts()
      if (texts !== read) found = tableOf(
        [...texts].flatMap(([path, text]) => eventsIn(path, text))
      )
      read = texts
      return new Map([...found, ...users])
    },
    add: (given) => {
      const events = eventsOf(given)
      if (events.length === 0) throw new NoEvents()
      users = new Map([...users, ...tableOf(events)])
      return events.map(signatureOf)
    },
  }
}

/** Other files of a scenario have no ABI. */
function eventsIn(path: string, text: string): readonly EventShape[] {
  if (!path.endsWith('.json')) return []
  try {
    const parsed = abiShape.safeParse(JSON.parse(text))
    return parsed.success ? eventsOf(parsed.data) : []
  } catch {
    return []
  }
}

/** An ABI that names no log. */
export class NoEvents extends SimError {
  constructor() {
    super(
      'NO_EVENTS', 'the ABI has no events', { hint: 'Give that of a contract that emits some.' },
    )
  }
}
