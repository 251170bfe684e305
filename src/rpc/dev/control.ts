/**
 * Declares a development control: once per behavior, with all its names. One behavior can have
 * different answers by name (`peers.md` §2): null for Anvil, true for Hardhat.
 */
import type { Outcome } from '../../chain/outcome.ts'
import type { Codec } from '../../codec/codec.ts'
import type { Plain } from '../../codec/goJsonWrite.ts'
import type { NodeCommand } from '../../node/command.ts'
import { shaped } from '../eth/results.ts'
import { action, query, type Context, type Example, type Method, type Params, type Trait } from '../method.ts'

/** Names of a control, with the answer of each. */
export type ControlNames = { readonly [name: string]: Answer }

/** The answer under one name after the command was executed; `params` are those of the call. */
export type Answer = Plain | ((context: Context, outcome: Outcome, params: readonly unknown[]) => Plain)

type Control<Values extends readonly unknown[]> = {
  readonly names: ControlNames
  readonly summary: string
  readonly params: readonly [...Params<Values>]
  readonly examples?: readonly Sample[]
  readonly objectKeys?: readonly string[]
  /** Traits in addition to `changesWorld`, which every control has. */
  readonly traits?: readonly Trait[]
  readonly command: (context: Context, params: Values) => NodeCommand
}

/** The parameters of an example, or an example; its result is that of the name. */
type Sample = readonly unknown[] | (Pick<Example, 'before' | 'params'> & { readonly error?: string })

function exampleOf(sample: Sample, result: unknown): Example {
  if (!('params' in sample)) return { params: sample, result }
  const { error, ...call } = sample
  return error === undefined ? { ...call, result } : { ...call, error }
}

const spec = 'peers.md §2'

const anything: Codec<Plain> = shaped({})

/** Returns one method per name. Each example runs under every name. */
export function control<Values extends readonly unknown[]>(declared: Control<Values>): readonly Method[] {
  return Object.entries(declared.names).map(([name, answer]) =>
    action<Values, Plain>({
      name,
      summary: declared.summary,
      spec,
      params: declared.params,
      result: anything,
      traits: ['changesWorld', ...(declared.traits ?? [])],
      examples: (declared.examples ?? []).map((sample) =>
        exampleOf(sample, typeof answer === 'function' ? '…' : answer),
      ),
      ...(declared.objectKeys === undefined ? {} : { objectKeys: declared.objectKeys }),
      command: declared.command,
      reply: (context, outcome, params) => (typeof answer === 'function' ? answer(context, outcome, params) : answer),
    }),
  )
}

type Question<Values extends readonly unknown[]> = {
  readonly names: readonly string[]
  readonly summary: string
  readonly params: readonly [...Params<Values>]
  /** Absent for a question without parameters, which every name can ask. */
  readonly examples?: readonly Sample[]
  readonly read: (context: Context, params: Values) => Plain
}

/** Returns one method per name, none of which changes anything. */
export function question<Values extends readonly unknown[]>(declared: Question<Values>): readonly Method[] {
  return declared.names.map((name) =>
    query<Values, Plain>({
      name,
      summary: declared.summary,
      spec,
      params: declared.params,
      result: anything,
      examples: (declared.examples ?? [[]]).map((sample) => exampleOf(sample, '…')),
      read: declared.read,
    }),
  )
}

/** Returns the other chain's part of a result on a fork, or a value where there is none. */
export function otherOr<Part extends Plain>({ other }: Context, none: Part): Part {
  return other === undefined ? none : (JSON.parse(other) as Part)
}

/** Returns the names of one control for several prefixes, all with the same answer. */
export function under(prefixes: readonly string[], verb: string, answer: Answer): ControlNames {
  return Object.fromEntries(prefixes.map((prefix) => [`${prefix}_${verb}`, answer]))
}

/** Returns the names of a setter: Anvil's and Ganache's answer null, Hardhat's true. */
export function setter(verb: string): ControlNames {
  return { ...under(['anvil', 'ganache'], verb, null), ...under(['hardhat'], verb, true) }
}
