/**
 * How a method is declared: once, in a file of its own, with everything that dispatch,
 * documentation, the dashboard and tests need (design §2).
 *
 * There are three kinds. A `query` reads and cannot change anything. An `action` returns a command
 * and builds the reply from its outcome. A `subscription` is an action that requires a connection.
 * Types of parameters and results come from their codecs and are written once.
 */
import type { EthereumView } from '../app/ethereumView.ts'
import type { Codec } from '../codec/codec.ts'
import type { Outcome } from '../chain/outcome.ts'
import type { NodeCommand } from '../node/command.ts'
import type { Performed } from '../node/input.ts'
import type { Node, Wait } from '../node/node.ts'
import type { World } from '../node/world.ts'
import type { Settings } from '../settings/settings.ts'
import type { Side } from '../settings/side.ts'

/** A parameter without a default is required. */
export type Param<Value> = {
  readonly name: string
  readonly codec: Codec<Value>
  readonly fallback: { readonly value: Value } | undefined
  /** Whether null counts as missing, as for a pointer in Go. */
  readonly isPointer?: boolean
} & Described

/**
 * The role of a parameter, for code that compares, keeps or forwards calls without running them.
 */
export type ParamRole =
  /** A block, by height or tag. */
  | 'block'
  /** The block whose state is read; the latest if omitted. */
  | 'state'
  /** The newest block of a range. */
  | 'newestBlock'
  /** The block before or after which transactions of an account are searched. */
  | 'searchedBefore'
  | 'searchedAfter'
  /** An account for which one transaction is searched in all blocks. */
  | 'searchedAccount'
  /** A block or transaction, by hash. */
  | 'blockHash'
  | 'txHash'
  /** A log filter: a range of blocks, and sets of alternatives. */
  | 'filter'
  /** A filter of traces: a range of blocks, addresses, and how many traces to skip and return. */
  | 'traceFilter'
  /** A query over CometBFT's events. */
  | 'query'
  /** The number of blocks to mine, or an object that may have it as `blocks`. */
  | 'count'

/** Facts about a parameter's value beyond its type. */
export type Described = {
  readonly role?: ParamRole
  /** The value, as text, that has the same effect as omitting the parameter (CometBFT RPC). */
  readonly unset?: string
  /**
   * How CometBFT RPC writes these bytes in JSON: `base64`; `hex` with optional 0x; or `digits`, hex
   * without 0x.
   */
  readonly bytes?: 'base64' | 'hex' | 'digits'
}

/** Returns the parameter with the given role. */
export function inRole<Value>(role: ParamRole, declared: Param<Value>): Param<Value> {
  return { ...declared, role }
}

/** Declares a parameter. A third argument is its default and makes it optional. */
export function param<Value>(name: string, codec: Codec<Value>, ...fallback: [] | [Value]): Param<Value> {
  return { name, codec, fallback: fallback.length === 0 ? undefined : { value: fallback[0] } }
}

/** The caller, and how the call arrived. */
export type Caller = {
  readonly side: Side
  readonly transport: 'uri' | 'post' | 'ws'
  readonly connection: number | undefined
  /** The JSON text of the request's id. */
  readonly id: string
  readonly trusted: boolean
  /** The dialect of development controls that the path of the URL names. */
  readonly dialect?: 'anvil' | 'hardhat' | 'ganache' | undefined
  readonly seq: number
  readonly timeMs: bigint
  readonly atOnce?: boolean | undefined
}

/**
 * The context of a call. `woken` is set if the call has waited, and says why it was resumed. If
 * `view` is set, long executions leave the core through it. `other` is the other chain's part of the
 * result of a query on a fork, as JSON text (`OtherPart`).
 */
export type Context = {
  readonly world: World
  readonly node: Node
  readonly caller: Caller
  readonly woken: 'event' | 'timeout' | Performed | undefined
  readonly view?: SlicedView | undefined
  readonly other?: string | undefined
}

/** A view whose executions share a slice of gas (`longReads.ts`). */
export type SlicedView = EthereumView & {
  /**
   * Returns the result of `run`, which is plain data and the same each time. When the read has left the core and runs
   * again, it gets this result without the executions for it.
   */
  readonly together: <Value>(run: () => Value) => Value
}

/** A reply that has to wait; see `Owed` in `node/node.ts`. */
export class WaitingReply {
  readonly wait: Wait
  /** Undefined if the wait has no time limit. */
  readonly timeoutMs: bigint | undefined

  constructor(wait: Wait, timeoutMs: bigint | undefined) {
    this.wait = wait
    this.timeoutMs = timeoutMs
  }
}

/** Parameters by the types they decode to, in order. */
export type Params<Values extends readonly unknown[]> = {
  readonly [Index in keyof Values]: Param<Values[Index]>
}

type Declared<Values extends readonly unknown[], Result> = {
  /** The name on the wire, which is also the file's. */
  readonly name: string
  /** One sentence with units. */
  readonly summary: string
  /** Section of the reference, or the URL of the published specification. */
  readonly spec: string
  readonly params: readonly [...Params<Values>]
  readonly result: Codec<Result>
  /** Each example runs as a test on a fresh chain of the profile `local`. */
  readonly examples: readonly Example[]
  /** Keys, in the order of the parameters, if an object of these keys is accepted in place of a list. */
  readonly objectKeys?: readonly string[]
  readonly traits?: readonly Trait[]
  /**
   * Returns whether a response depends on the chain, the settings and these parameters alone from now
   * on, not on time or the caller except its dialect. Such responses are kept while the chain does not change
   * (`keptResults.ts`).
   */
  readonly isKept?: (params: Values, node: Node) => boolean
}

/** A property that some methods have. */
export type Trait =
  /** Can be called over WebSocket only. */
  | 'websocketOnly'
  /** Exists only where the unsafe methods of CometBFT RPC are enabled. */
  | 'unsafe'
  /** Its responses may be cached: all of them, or those of calls with a height. */
  | 'cacheable'
  | 'cacheableAtHeight'
  /** For operators: refused to pages of untrusted origins. */
  | 'changesWorld'
  /**
   * Signs with an account of the node; pages of untrusted origins may call it only under a quirk.
   */
  | 'usesAccounts'
  /** Submits a transaction or evidence to the chain. */
  | 'submits'
  /** Mines blocks: as many as its parameter with the role `count` says, or one without it. */
  | 'mines'
  /** Its parameters may be passwords or keys, so recordings omit them. */
  | 'carriesSecrets'
  /** Reads the head unless a block is given; its response names the head's height. */
  | 'aboutHead'
  /**
   * If a block is given, its response names that block's height, which says nothing about the head.
   */
  | 'ofBlock'
  /** Its response names the heights of blocks that contain transactions. */
  | 'ofMinedTx'
  /** Has a result once a block contains the transaction; clients poll it until then. */
  | 'comesWithBlock'
  /** Its response shows the accounts that transactions of one block name. */
  | 'showsTxs'
  /** Without a height or a proof, its response names the height of the state that was read. */
  | 'namesStateHeight'
  /** Its response names heights that are not final yet. */
  | 'undecided'
  /** Its response changes when transactions enter the mempool. */
  | 'ofMempool'
  /** Two responses at one height may differ. */
  | 'varies'
  /** Its response never changes while the chain exists. */
  | 'constant'
  /** Starts pushing events over its connection. */
  | 'subscribes'
  /** Creates a filter, which clients poll by its id. */
  | 'makesFilter'
  /** Takes the id of a filter or subscription, which the node generated. */
  | 'byListenerId'
  /** Removes a filter or subscription. */
  | 'stopsListening'

/**
 * A call and its response, compared as JSON; values that depend on keys or hashes may be `'…'`. A
 * method that refuses the call has the text of its error instead of a result.
 */
export type Example = {
  /**
   * Calls made first: the method, then its parameters. In later calls and in `params`, `$1` is the
   * result of the first one, and `$1.hash` a member of it.
   */
  readonly before?: readonly (readonly [method: string, ...params: readonly unknown[]])[]
  /** Settings of the node, if it is not that of the profile. */
  readonly settings?: Partial<Settings>
  readonly params: readonly unknown[]
} & ({ readonly result: unknown } | { readonly error: string })

/** A method without its parameter and result types, for tables and dispatch. */
export type Method = {
  readonly kind: 'query' | 'action' | 'subscription'
  readonly name: string
  readonly summary: string
  readonly spec: string
  readonly params: readonly Param<unknown>[]
  readonly result: Codec<unknown>
  readonly examples: readonly Example[]
  readonly objectKeys?: readonly string[]
  readonly traits: readonly Trait[]
  readonly isKept?: (params: readonly unknown[], node: Node) => boolean
  readonly read: (context: Context, params: readonly unknown[]) => unknown
  readonly command: (context: Context, params: readonly unknown[]) => NodeCommand
  readonly reply: (context: Context, outcome: Outcome, params: readonly unknown[]) => unknown
}

/** Declares a method that reads. `read` may return `WaitingReply`. */
export function query<Values extends readonly unknown[], Result>(
  declared: Declared<Values, Result> & {
    readonly read: (context: Context, params: Values) => Result | WaitingReply
  },
): Method {
  return erase('query', declared, { read: declared.read })
}

/**
 * Declares a method that changes the chain or node, by its command and the reply built from the
 * outcome.
 */
export function action<Values extends readonly unknown[], Result>(
  declared: Declared<Values, Result> & Changing<Values, Result>,
): Method {
  return erase('action', declared, { command: declared.command, reply: declared.reply })
}

/** Declares a method that subscribes; WebSocket only. */
export function subscription<Values extends readonly unknown[], Result>(
  declared: Declared<Values, Result> & Changing<Values, Result>,
): Method {
  return erase('subscription', declared, { command: declared.command, reply: declared.reply })
}

type Changing<Values extends readonly unknown[], Result> = {
  readonly command: (context: Context, params: Values) => NodeCommand
  readonly reply: (context: Context, outcome: Outcome, params: Values) => Result | WaitingReply
}

/** The only place that drops types: a table holds methods of every type. */
function erase(kind: Method['kind'], declared: object, behaviour: object): Method {
  return {
    kind,
    traits: [],
    read: never,
    command: never,
    reply: never,
    ...declared,
    ...behaviour,
  } as unknown as Method
}

function never(): never {
  throw new TypeError('the kind of the method does not support this use')
}
