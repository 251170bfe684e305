/**
 * What modules work on: one draft, a gas meter over its stores, the events so far, and the block.
 * It is made for each transaction, block hook and query.
 */
import type { Engine } from '../../evm/engine.ts'
import type { AbciAttribute, AbciEvent } from '../abci.ts'
import { infiniteGasMeter } from '../gasMeter.ts'
import { meteredStore } from '../meteredStore.ts'
import type { BlockContext } from '../state.ts'
import type { Draft, GasMeter, Store } from '../store.ts'
import type { StoreName } from './storeNames.ts'

export type Mode = 'check' | 'recheck' | 'deliver' | 'simulate' | 'query' | 'genesis'

/** What never changes while an application lives. `evmChainId` is the one of EIP-155. */
export type Fixed = {
  readonly engine: Engine
  readonly evmChainId: bigint
  readonly usesEvmMempool: boolean
  /** Wei per gas that the EVM mempool asks for above the base fee. */
  readonly minTip: bigint
  /** Quirk `empty-first-checks`. */
  readonly checksNothingFirst: boolean
  /** Quirk `coinbase-ascii`. */
  readonly coinbaseIsText: boolean
  /** Quirk `failed-delegations-dropped`. */
  readonly dropsFailedDelegations: boolean
  /** Quirk `overrides-hide-precompiles`. */
  readonly overridesHidePrecompiles: boolean
  /** Quirk `legacy-proposals-panic`. */
  readonly panicsOnLegacyProposals: boolean
  /** Quirk `fee-left-out-of-simulation`. */
  readonly simulatesWithoutFee: boolean
  /** Quirk `last-fee-required`. */
  readonly requiresLastFee: boolean
  /** Returns what a message of a type does; undefined for types that no module handles. */
  readonly route: (typeUrl: string) => Handler | undefined
}

/** Counters of the block in the making that die with it (the SDK's transient stores). */
export type BlockCounters = {
  gasWanted: bigint
  gasUsed: bigint
  ethTxs: number
  logs: number
  readonly bloom: Uint8Array
  /** Bugs that came to light: where, and what was thrown. */
  readonly incidents: string[]
}

export type Context = {
  readonly fixed: Fixed
  readonly draft: Draft
  readonly block: BlockContext
  readonly counters: BlockCounters
  readonly mode: Mode
  readonly gas: GasMeter
  readonly events: AbciEvent[]
  /** A store that costs gas; `draft.raw` is the one that does not. */
  readonly store: (name: StoreName) => Store
}

/** Returns fresh counters. */
export function newCounters(): BlockCounters {
  return {
    gasWanted: 0n,
    gasUsed: 0n,
    ethTxs: 0,
    logs: 0,
    bloom: new Uint8Array(256),
    incidents: [],
  }
}

/**
 * Returns a context without events whose stores cost no gas: nobody reads what block hooks and
 * queries use. A transaction puts its meter over them (`withGas`).
 */
export function newContext(
  { fixed, draft, block, mode }: Pick<Context, 'fixed' | 'draft' | 'block' | 'mode'>,
  counters: BlockCounters = newCounters(),
): Context {
  return {
    fixed,
    draft,
    block,
    mode,
    counters,
    events: [],
    gas: infiniteGasMeter(),
    store: draft.raw,
  }
}

/** Returns the context with another gas meter; events go to the same list. */
export function withGas(context: Context, gas: GasMeter): Context {
  return { ...context, gas, store: (name) => meteredStore(context.draft.raw(name), gas) }
}

/** Returns the context with stores that cost no gas; the meter stays. */
export function withFreeStores(context: Context): Context {
  return { ...context, store: context.draft.raw }
}

/** Appends an event with its attributes in order. */
export function emit(
  context: Pick<Context, 'events'>,
  type: string,
  attributes: Readonly<Record<string, string>>,
): void {
  const list: AbciEvent['attributes'][number][] = []
  for (const key in attributes) list.push({ key, value: attributes[key] ?? '', index: true })
  context.events.push({ type, attributes: list })
}

/**
 * Appends an attribute to each event from a place on. In place: `emit` has made their lists, and
 * nobody else has seen them before the transaction or hook is over.
 */
export function addAttribute(events: readonly AbciEvent[], from: number, attribute: AbciAttribute): void {
  for (const { attributes } of events.slice(from)) (attributes as AbciAttribute[]).push(attribute)
}

/** `run` returns the protobuf of the response, whose type is the message's with `Response`. */
export type Handler = {
  /** Throws what is wrong with the message in itself, before anything else is looked at. */
  readonly validate?: (value: Uint8Array) => void
  readonly signers: (value: Uint8Array) => readonly Uint8Array[]
  readonly run: (context: Context, value: Uint8Array) => Uint8Array
}
