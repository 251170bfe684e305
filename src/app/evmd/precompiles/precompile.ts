/** The types of precompile: a table of Solidity methods, or a function of bytes. */
import type { Addressing } from '../address.ts'
import { keccakOfText } from '../../../crypto/hash.ts'
import type { HostCall, HostJournal } from '../../../evm/types.ts'
import type { Context } from '../context.ts'
import type { EvmCoin } from '../../evmCoin.ts'
import { type AbiType, type AbiValue, abiTypes, encodeAbi } from './abi.ts'
import { selectorOfSignature } from './selector.ts'

/**
 * A call of a precompile. The context charges gas for modules' state access, and balance changes
 * reach the journal. `coin` is the EVM's.
 */
export type Frame = {
  readonly context: Context
  readonly call: HostCall
  readonly journal: HostJournal
  readonly coin: EvmCoin
}

export type Run = (frame: Frame, args: readonly AbiValue[]) => readonly AbiValue[]

/** A method; `gas` is its fixed base cost, if it has one. */
export type PrecompileMethod = {
  readonly inputs: readonly AbiType[]
  readonly outputs: readonly AbiType[]
  readonly isWrite: boolean
  readonly gas: bigint | undefined
  readonly run: Run
}

/**
 * A contract with methods by selector. If `isMetered`, gas is the SDK's charge for calldata and
 * store access. `fallback` handles calls that match no method.
 */
export type MethodTable = {
  readonly kind: 'methods'
  readonly methods: () => ReadonlyMap<string, PrecompileMethod>
  readonly isMetered: boolean
  readonly fallback?: PrecompileMethod
  readonly refusesValue?: boolean
}

/** A contract that is a function of its input. Throws `Halted`, or reverts without a reason. */
export type PlainFunction = {
  readonly kind: 'plain'
  readonly gas: bigint
  readonly run: (input: Uint8Array, at: Addressing) => Uint8Array
}

/** An address that is listed as a precompile but has no implementation. */
export type Missing = { readonly kind: 'missing' }

export type Precompile = MethodTable | PlainFunction | Missing

type Spelled = Omit<PrecompileMethod, 'inputs'>

/** Returns a read-only method with its output types and its fixed gas cost, if any. */
export function reads(outputs: string, run: Run, gas?: bigint): Spelled {
  return { outputs: abiTypes(outputs), isWrite: false, gas, run }
}

/** Returns a method that may change state, with its output types and its fixed gas cost, if any. */
export function writes(outputs: string, run: Run, gas?: bigint): Spelled {
  return { outputs: abiTypes(outputs), isWrite: true, gas, run }
}

/**
 * Returns methods by selector, from a table by Solidity signature. Signatures are hashed on first
 * use, because most chains call few precompiles.
 */
export function methodsOf(table: Readonly<Record<string, Spelled>>): MethodTable['methods'] {
  let methods: ReadonlyMap<string, PrecompileMethod> | undefined
  return () => {
    methods ??= new Map(
      Object.entries(table).map(([signature, method]) => [
        selectorOfSignature(signature),
        { ...method, inputs: typesIn(signature) },
      ]),
    )
    return methods
  }
}

function typesIn(signature: string): readonly AbiType[] {
  return abiTypes(signature.slice(signature.indexOf('(') + 1, -1))
}

/** The values of a log besides its signature, by type. Indexed values become topics. */
export type Emitted = {
  readonly indexed: readonly AbiValue[]
  readonly data: readonly AbiValue[]
}

/**
 * Returns a function that logs an event. `signature` is Solidity's; the indexed values come first.
 * A string topic is its hash.
 */
export function eventOf(signature: string): (frame: Frame, values: Emitted) => void {
  const types = typesIn(signature)
  let topic: Uint8Array | undefined
  return ({ call, journal }, { indexed, data }) => {
    const topics = indexed.map((value, index) =>
      typeof value === 'string' ? keccakOfText(value) : encodeAbi(types.slice(index, index + 1), [value]),
    )
    topic ??= keccakOfText(signature)
    journal.log({
      address: call.address,
      topics: [topic, ...topics],
      data: encodeAbi(types.slice(indexed.length), data),
    })
  }
}
