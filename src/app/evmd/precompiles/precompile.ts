/** What a precompile is: a table of Solidity methods, or a function of bytes. */
import { keccak256 } from '../../../crypto/hash.ts'
import type { HostCall, HostJournal } from '../../../evm/types.ts'
import type { Context } from '../context.ts'
import { type AbiType, type AbiValue, abiTypes, encodeAbi } from './abi.ts'
import { selectorOf } from './selector.ts'

/**
 * One call of a precompile. The context meters what modules do in state, and balances that they
 * change reach the journal; `denom` is the EVM's coin.
 */
export type Frame = {
  readonly context: Context
  readonly call: HostCall
  readonly journal: HostJournal
  readonly denom: string
}

export type Run = (frame: Frame, args: readonly AbiValue[]) => readonly AbiValue[]

/** A method; `gas` is what it costs before it runs, where that is fixed. */
export type Method = {
  readonly inputs: readonly AbiType[]
  readonly outputs: readonly AbiType[]
  readonly isWrite: boolean
  readonly gas: bigint | undefined
  readonly run: Run
}

/**
 * A contract made of methods by selector. `isMetered`: gas is what the SDK charges for the store,
 * and for the calldata before that. `fallback` takes calls that name no method.
 */
export type MethodTable = {
  readonly kind: 'methods'
  readonly methods: () => ReadonlyMap<string, Method>
  readonly isMetered: boolean
  readonly fallback?: Method
  readonly refusesValue?: boolean
}

/** A contract that is a function of its input. Throws `Halted`, or reverts without a reason. */
export type PlainFunction = {
  readonly kind: 'plain'
  readonly gas: bigint
  readonly run: (input: Uint8Array) => Uint8Array
}

/** An address that is listed and that nothing stands behind. */
export type Missing = { readonly kind: 'missing' }

export type Precompile = MethodTable | PlainFunction | Missing

type Spelled = Omit<Method, 'inputs'>

/** Returns a method that only reads: its results by type and what it costs, where that is fixed. */
export function reads(outputs: string, run: Run, gas?: bigint): Spelled {
  return { outputs: abiTypes(outputs), isWrite: false, gas, run }
}

/** Returns a method that may change state. */
export function writes(outputs: string, run: Run, gas?: bigint): Spelled {
  return { outputs: abiTypes(outputs), isWrite: true, gas, run }
}

/**
 * Returns methods by their selectors, from a table by Solidity signature. Signatures are hashed
 * when they are first asked for: not many chains call every precompile, and none does at its start.
 */
export function methodsOf(table: Readonly<Record<string, Spelled>>): MethodTable['methods'] {
  let methods: ReadonlyMap<string, Method> | undefined
  return () => {
    methods ??= new Map(
      Object.entries(table).map(([signature, method]) => [
        selectorOf(signature),
        { ...method, inputs: typesIn(signature) },
      ]),
    )
    return methods
  }
}

function typesIn(signature: string): readonly AbiType[] {
  return abiTypes(signature.slice(signature.indexOf('(') + 1, -1))
}

function hashOf(signature: string): Uint8Array {
  return keccak256(new TextEncoder().encode(signature))
}

/** What a log holds beside its signature: values under their types, indexed ones as topics. */
export type Emitted = {
  readonly indexed: readonly AbiValue[]
  readonly data: readonly AbiValue[]
}

/**
 * Returns a function that logs an event. `signature` is Solidity's; the first values are the
 * indexed ones. A text as topic is its hash.
 */
export function eventOf(signature: string): (frame: Frame, values: Emitted) => void {
  const types = typesIn(signature)
  let topic: Uint8Array | undefined
  return ({ call, journal }, { indexed, data }) => {
    const topics = indexed.map((value, index) =>
      typeof value === 'string' ? hashOf(value) : encodeAbi(types.slice(index, index + 1), [value]),
    )
    topic ??= hashOf(signature)
    journal.log({
      address: call.address,
      topics: [topic, ...topics],
      data: encodeAbi(types.slice(indexed.length), data),
    })
  }
}
