/**
 * The context in which modules run: a draft, a gas meter over its stores, the events so far, and
 * the block. Each transaction, block hook and query has its own.
 */
import type { Engine } from '../../evm/engine.ts'
import type { AbciAttribute, AbciEvent } from '../abci.ts'
import { infiniteGasMeter } from '../gasMeter.ts'
import { meteredStore } from '../meteredStore.ts'
import type { BlockContext } from '../state.ts'
import type { Draft, GasMeter, Store } from '../store.ts'
import type { Addressing, AddressTexts } from './address.ts'
import { emptyBloom } from './modules/evm/bloom.ts'
import type { StoreName } from './storeNames.ts'

export type Mode = 'check' | 'recheck' | 'deliver' | 'simulate' | 'query' | 'genesis'

/** The constants of an application. `evmChainId` is the EIP-155 chain ID. */
export type Fixed = {
  readonly engine: Engine
  readonly evmChainId: bigint
  readonly addressTexts: AddressTexts
  readonly usesEvmMempool: boolean
  /** Minimum tip above the base fee that the EVM mempool requires, in wei per gas. */
  readonly minTip: bigint
  /** Contracts may exceed the sizes of EIP-170 and EIP-3860. */
  readonly hasUnlimitedCode: boolean
  /** Quirk `empty-first-checks`. */
  readonly checksNothingFirst: boolean
  /** Quirk `coinbase-ascii`. */
  readonly coinbaseIsText: boolean
  /** Quirk `coinbase-cold`. */
  readonly coinbaseIsCold: boolean
  /** Quirk `failed-delegations-dropped`. */
  readonly dropsFailedDelegations: boolean
  /** Quirk `funded-constructor-cannot-end`. */
  readonly keepsFundedAccounts: boolean
  /** Quirk `trace-nonce-kept`. */
  readonly tracesKeepNonce: boolean
  /** Quirk `overrides-hide-precompiles`. */
  readonly overridesHidePrecompiles: boolean
  /** Quirk `legacy-proposals-panic`. */
  readonly panicsOnLegacyProposals: boolean
  /** Quirk `fee-left-out-of-simulation`. */
  readonly simulatesWithoutFee: boolean
  /** Quirk `last-fee-required`. */
  readonly requiresLastFee: boolean
  /** Returns the handler of a message type; undefined if no module handles it. */
  readonly route: (typeUrl: string) => Handler | undefined
}

/** Counters of the block being executed, discarded after it (the SDK's transient stores). */
export type BlockCounters = {
  gasWanted: bigint
  gasUsed: bigint
  ethTxs: number
  logs: number
  bloom: Uint8Array
  /** Bugs found during execution: where each occurred and what was thrown. */
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
  /** Returns a metered store. `draft.raw` returns one without gas. */
  readonly store: (name: StoreName) => Store
}

/** Returns fresh counters. */
export function newCounters(): BlockCounters {
  return {
    gasWanted: 0n,
    gasUsed: 0n,
    ethTxs: 0,
    logs: 0,
    bloom: emptyBloom,
    incidents: [],
  }
}

/**
 * Returns a context without events whose stores charge no gas, because the gas of block hooks and
 * queries is never read. A transaction adds its meter with `withGas`.
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

/** Returns the context with another gas meter. Events are appended to the same list. */
export function withGas(context: Context, gas: GasMeter): Context {
  return { ...context, gas, store: (name) => meteredStore(context.draft.raw(name), gas) }
}

/** Returns the context with stores that charge no gas. The meter stays. */
export function withFreeStores(context: Context): Context {
  return { ...context, store: context.draft.raw }
}

/** Returns whether the mempool checks a transaction, which runs no message and shows no events. */
export function isChecking({ mode }: Pick<Context, 'mode'>): boolean {
  return mode === 'check' || mode === 'recheck'
}

/** Appends an event with its attributes in order. */
export function emit(
  context: Pick<Context, 'events' | 'mode'>,
  type: string,
  attributes: Readonly<Record<string, string>>,
): void {
  if (isChecking(context)) return
  const list: AbciEvent['attributes'][number][] = []
  for (const key in attributes) list.push({ key, value: attributes[key] ?? '', index: true })
  context.events.push({ type, attributes: list })
}

/**
 * Appends an attribute to each event from index `from` on. It mutates the lists, which is safe
 * because they were created by `emit` and are not read before the transaction or hook ends.
 */
export function addAttribute(events: readonly AbciEvent[], from: number, attribute: AbciAttribute): void {
  for (const { attributes } of events.slice(from)) (attributes as AbciAttribute[]).push(attribute)
}

/**
 * `run` returns the protobuf of the response; its type is the message's name with `Response` added.
 */
export type Handler = {
  /** Validates the message without state, before any other check. Throws if it is invalid. */
  readonly validate?: (value: Uint8Array, at: Addressing) => void
  readonly signers: (value: Uint8Array, at: Addressing) => readonly Uint8Array[]
  readonly run: (context: Context, value: Uint8Array) => Uint8Array
}
