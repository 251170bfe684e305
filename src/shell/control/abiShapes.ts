/**
 * Reads ABIs as users and compilers write them, and declares the shapes that the dashboard keeps.
 */
import { hexOf } from '../../codec/hex.ts'
import { keccakOfText } from '../../crypto/hash.ts'
import { z } from 'zod'
import { abiTypeText } from '../../codec/abiType.ts'
import { selectorOfSignature } from '../../app/evmd/precompiles/selector.ts'

/** `type` is spelled as in a signature: a tuple is a list in parentheses. */
export type EventArg = { readonly name: string; readonly type: string; readonly isIndexed: boolean }
export type EventShape = { readonly event: string; readonly args: readonly EventArg[] }
export type Arg = { readonly name: string; readonly type: string }
/** A function or a custom error; `outputs` is empty for errors. */
export type FunctionShape = {
  readonly name: string
  readonly inputs: readonly Arg[]
  readonly outputs: readonly Arg[]
  /** Whether the function only reads (`view` or `pure`). */
  readonly reads: boolean
  readonly payable: boolean
}
/** Everything that one ABI declares; `name` is the contract's name, if the file states it. */
export type ContractShape = {
  readonly name: string
  readonly events: readonly EventShape[]
  readonly functions: readonly FunctionShape[]
  readonly errors: readonly FunctionShape[]
}

type Input = {
  readonly name: string
  readonly type: string
  readonly indexed: boolean
  readonly components: readonly Input[]
}

const input: z.ZodType<Input> = z.object({
  name: z.string().default(''),
  type: z.string(),
  indexed: z.boolean().default(false),
  components: z.lazy(() => z.array(input)).default([]),
})

const entry = z.looseObject({
  type: z.string(),
  name: z.string().default(''),
  inputs: z.array(input).default([]),
  outputs: z.array(input).default([]),
  stateMutability: z.string().default('nonpayable'),
  anonymous: z.boolean().default(false),
})

const abi = z.array(entry)
const artifact = z.looseObject({ abi, contractName: z.string().default('') })

/** An ABI, or compiler output that contains one, as a user provides it. */
export const abiShape = z.union([abi, artifact], {
  error: 'expected an ABI: a list of entries with type, name and inputs, or an object with abi',
})

export type GivenAbi = z.infer<typeof abiShape>

/**
 * Returns the declarations of an ABI. Anonymous events are left out, because no topic identifies
 * them.
 */
export function contractOf(given: GivenAbi, name = ''): ContractShape {
  const entries = Array.isArray(given) ? given : given.abi
  const ofType = (type: string) => entries.filter((one) => one.type === type)
  return {
    name: (Array.isArray(given) ? '' : given.contractName) || name,
    events: ofType('event')
      .filter(({ anonymous }) => !anonymous)
      .map((one) => ({
        event: one.name,
        args: one.inputs.map((each) => ({ ...argOf(each), isIndexed: each.indexed })),
      })),
    functions: ofType('function').map(functionOf),
    errors: ofType('error').map(functionOf),
  }
}

function functionOf({ name, inputs, outputs, stateMutability }: z.infer<typeof entry>): FunctionShape {
  return {
    name,
    inputs: inputs.map(argOf),
    outputs: outputs.map(argOf),
    reads: stateMutability === 'view' || stateMutability === 'pure',
    payable: stateMutability === 'payable',
  }
}

function argOf(given: Input): Arg {
  return { name: given.name, type: abiTypeText(given) }
}

/** Returns the signature of an event. */
export function signatureOf({ event, args }: EventShape): string {
  return `${event}(${args.map(({ type }) => type).join(',')})`
}

/** Returns the first topic of an event's logs, in hex. */
export function topicOf(event: EventShape): string {
  return hexOf(keccakOfText(signatureOf(event)))
}

/** Returns the signature of a function or custom error. */
export function functionSignature({ name, inputs }: Pick<FunctionShape, 'name' | 'inputs'>): string {
  return `${name}(${inputs.map(({ type }) => type).join(',')})`
}

/** Returns the first four bytes of the hash of a function's signature, as 0x-prefixed hex. */
export function selectorOf(shape: Pick<FunctionShape, 'name' | 'inputs'>): string {
  return selectorOfSignature(functionSignature(shape))
}

/** Returns functions or errors by their selectors. */
export function bySelector(shapes: readonly FunctionShape[]): ReadonlyMap<string, FunctionShape> {
  return new Map(shapes.map((one) => [selectorOf(one), one]))
}

/**
 * Returns the function declared by a line such as
 * `transfer(address to, uint256 value) returns (bool)`.
 */
export function readSignature(line: string): FunctionShape {
  const [, name = '', inputs = '', view, outputs = ''] =
    /^(\w+)\((.*?)\)( view)?(?: returns \((.*)\))?$/.exec(line) ?? []
  const args = (list: string) =>
    list === ''
      ? []
      : list.split(', ').map((text): Arg => {
          const [type = '', ...rest] = text.split(' ')
          return { type, name: rest.at(-1) ?? '' }
        })
  return { name, inputs: args(inputs), outputs: args(outputs), reads: view !== undefined, payable: false }
}

/** Returns the event declared by a line such as `Transfer(address indexed from, uint256 value)`. */
export function readEvent(line: string): EventShape {
  const open = line.indexOf('(')
  const list = line.slice(open + 1, -1)
  return {
    event: line.slice(0, open),
    args: list.split(', ').map((text): EventArg => {
      const words = text.split(' ')
      return { type: words[0] ?? '', name: words.at(-1) ?? '', isIndexed: words.includes('indexed') }
    }),
  }
}
