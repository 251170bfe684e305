/**
 * The contracts that the dashboard can decode. Their ABIs come from the scenario, from the folders
 * of `--artifacts`, and from the user.
 */
import { boundedCache } from '../../data/boundedCache.ts'
import { SimError } from '../../errors.ts'
import { hexOf } from '../../codec/hex.ts'
import {
  abiShape,
  contractOf,
  functionSignature,
  selectorOf,
  signatureOf,
  type ContractShape,
  type EventShape,
  type FunctionShape,
  type GivenAbi,
  bySelector,
  topicOf,
} from './abiShapes.ts'
import { precompileAt } from './precompileAbis.ts'

/** Events, keyed by `eventKey`. */
export type EventTable = ReadonlyMap<string, EventShape>
/** Functions or errors, keyed by selector. */
export type FunctionTable = ReadonlyMap<string, FunctionShape>

/** All known ABIs; later ones override earlier ones. */
export type KnownAbis = {
  readonly contracts: readonly ContractShape[]
  readonly events: EventTable
  readonly functions: FunctionTable
  readonly errors: FunctionTable
}

/** Returns the key of a log, made of its first topic and its number of topics. */
export function eventKey(topic: string, count: number): string {
  return `${topic}/${count}`
}

/** Events with the same signature can differ in the number of indexed arguments. */
function keyOfEvent(shape: EventShape): string {
  return eventKey(topicOf(shape), 1 + shape.args.filter(({ isIndexed }) => isIndexed).length)
}

/** Returns the given events as a map, keyed by `eventKey`. */
export function tableOf(shapes: readonly EventShape[]): EventTable {
  return new Map(shapes.map((shape) => [keyOfEvent(shape), shape]))
}

function known(contracts: readonly ContractShape[]): KnownAbis {
  return {
    contracts,
    events: tableOf(contracts.flatMap(({ events }) => events)),
    functions: bySelector(contracts.flatMap(({ functions }) => functions)),
    errors: bySelector(contracts.flatMap(({ errors }) => errors)),
  }
}

export type Abis = {
  /** Returns all known ABIs, without the common signatures. */
  readonly known: () => KnownAbis
  /**
   * Adds an ABI and returns the signatures that it declares. Forgets the oldest added ABIs when all
   * together exceed 16 Mi characters. Throws `EmptyAbi`.
   */
  readonly add: (given: GivenAbi) => AddedAbi
}

/** The maximum number of characters of all ABIs that users added. */
const addedMost = 16 * 2 ** 20

export type AddedAbi = Readonly<Record<'events' | 'functions' | 'errors', readonly string[]>>

/**
 * Returns the known ABIs. Each source maps paths to the texts of compiled contracts; ABIs added by
 * the user override them.
 */
export function createAbis(...sources: readonly (() => ReadonlyMap<string, string>)[]): Abis {
  /** The ABIs that users added, by their text. */
  const users = boundedCache<{ readonly shape: ContractShape; readonly size: number }>(addedMost, ({ size }) => size)
  let read: readonly ReadonlyMap<string, string>[] = []
  let all = known([])

  return {
    known: () => {
      const texts = sources.map((source) => source())
      if (texts.length !== read.length || texts.some((one, index) => one !== read[index])) {
        read = texts
        all = known([
          ...texts.flatMap((one) => [...one].flatMap(([path, text]) => contractsIn(path, text))),
          ...users.values().map(({ shape }) => shape),
        ])
      }
      return all
    },
    add: (given) => {
      const added = contractOf(given)
      const names = {
        events: added.events.map(signatureOf),
        functions: added.functions.map(functionSignature),
        errors: added.errors.map(functionSignature),
      }
      if (Object.values(names).every((list) => list.length === 0)) throw new EmptyAbi()
      const text = JSON.stringify(added)
      users.set(text, { shape: added, size: text.length })
      read = []
      return names
    },
  }
}

/** Only JSON files of a scenario contain ABIs. */
function contractsIn(path: string, text: string): readonly ContractShape[] {
  if (!path.endsWith('.json')) return []
  try {
    const parsed = abiShape.safeParse(JSON.parse(text))
    const name = path
      .split(/[\\/]/)
      .at(-1)
      ?.replace(/\.json$/, '')
    return parsed.success ? [contractOf(parsed.data, name)] : []
  } catch {
    return []
  }
}

/**
 * Returns the known contract whose functions match the code best, or undefined if none fits. The
 * code that dispatches calls contains every selector of the ABI as a constant.
 */
export function contractOfCode({ contracts }: KnownAbis, code: Uint8Array): ContractShape | undefined {
  const text = hexOf(code)
  const fitting = contracts.filter(
    ({ functions }) => functions.length > 0 && functions.every((one) => text.includes(constantOf(selectorOf(one)))),
  )
  return fitting.toSorted((a, b) => a.functions.length - b.functions.length).at(-1)
}

/**
 * Returns the bytes that compilers push for a selector, without leading zero bytes. Example:
 * 0x00ab12cd is `62 ab12cd`, PUSH3.
 */
function constantOf(selector: string): string {
  const digits = selector.slice(2).replace(/^(?:00)+/, '')
  const push = 0x5f + digits.length / 2
  return digits.length === 8 ? digits : `${push.toString(16)}${digits}`
}

/**
 * Returns the contract at an address. A precompile is found by its address, any other contract by
 * its code.
 */
export function contractAt(known: KnownAbis, address: Uint8Array, code: Uint8Array): ContractShape | undefined {
  return precompileAt(address) ?? (code.length === 0 ? undefined : contractOfCode(known, code))
}

const tables = new WeakMap<ContractShape, { readonly functions: FunctionTable; readonly events: EventTable }>()

/** Returns the functions of a contract by selector, and its events by `eventKey`. */
export function tablesOf(contract: ContractShape) {
  const before = tables.get(contract)
  if (before !== undefined) return before
  const made = {
    functions: bySelector(contract.functions),
    events: tableOf(contract.events),
  }
  tables.set(contract, made)
  return made
}

/** Thrown for an ABI that declares nothing. */
export class EmptyAbi extends SimError {
  constructor() {
    super('EMPTY_ABI', 'the ABI declares no events, functions or errors', {
      hint: 'Give the ABI of a contract, or the file that solc, Hardhat or Foundry wrote for it.',
    })
  }
}
