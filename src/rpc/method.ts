/**
 * How a method is declared: once, in a file of its own, with everything that dispatch, documents,
 * the dashboard and tests need (design §2).
 *
 * Three shapes. A `query` reads and is given no means to change. An `action` says which command it
 * asks for and shapes the reply from its outcome. A `subscription` is an action that only makes
 * sense on a connection. Types of parameters and results come from their codecs and are written
 * once.
 */
import type { EthereumView } from '../app/ethereumView.ts'
import type { Codec } from '../codec/codec.ts'
import type { Outcome } from '../chain/outcome.ts'
import type { NodeCommand } from '../node/command.ts'
import type { Performed } from '../node/input.ts'
import type { Node, Wait } from '../node/node.ts'
import type { World } from '../node/world.ts'
import type { Side } from '../settings/side.ts'

/** A parameter without a default is required. */
export type Param<Value> = {
  readonly name: string
  readonly codec: Codec<Value>
  readonly fallback: { readonly value: Value } | undefined
  /** Whether null means that it is missing, as for a pointer in Go. */
  readonly isPointer?: boolean
} & Described

/** What a parameter names, for code that compares, keeps or forwards calls without running them. */
export type ParamRole =
  /** A block by its height or tag. */
  | 'block'
  /** The block whose state is read; the latest when it is left out. */
  | 'state'
  /** The newest of several blocks. */
  | 'newestBlock'
  /** A block or transaction by its hash. */
  | 'hash'
  /** A log filter: a range of blocks, and sets of alternatives. */
  | 'filter'
  /** A query of CometBFT's events. */
  | 'query'
  /** How many blocks to mine. */
  | 'count'

/** What is known of a parameter's value beyond its type. */
export type Described = {
  readonly role?: ParamRole
  /** The value, as text, that means the same as leaving the parameter out (CometBFT RPC). */
  readonly unset?: string
  /**
   * How CometBFT RPC spells bytes in JSON: base64, or hex with or without 0x (`hex`), or the digits
   * alone (`digits`).
   */
  readonly bytes?: 'base64' | 'hex' | 'digits'
}

/** Returns a parameter with a role. */
export function inRole<Value>(role: ParamRole, declared: Param<Value>): Param<Value> {
  return { ...declared, role }
}

/** Declares a parameter; a third argument makes it optional and is its value when it is missing. */
export function param<Value>(name: string, codec: Codec<Value>, ...fallback: [] | [Value]): Param<Value> {
  return { name, codec, fallback: fallback.length === 0 ? undefined : { value: fallback[0] } }
}

/** Who calls, and how. */
export type Caller = {
  readonly side: Side
  readonly transport: 'uri' | 'post' | 'ws'
  readonly connection: number | undefined
  /** The JSON text of the request's id. */
  readonly id: string
  readonly trusted: boolean
  /** Named by the path of the URL: whose development controls are meant. */
  readonly dialect?: 'anvil' | 'hardhat' | 'ganache' | undefined
  readonly seq: number
  readonly timeMs: bigint
  readonly atOnce?: boolean | undefined
}

/**
 * `woken` is there when the call waited and is answered again: why it was woken. Through `view`, where
 * it is there, executions leave the core when they are long.
 */
export type Context = {
  readonly world: World
  readonly node: Node
  readonly caller: Caller
  readonly woken: 'event' | 'timeout' | Performed | undefined
  readonly view?: EthereumView
}

/** A reply that has to wait; see `Owed` in `node/node.ts`. */
export class Waiting {
  readonly wait: Wait
  /** Undefined where the wait is not given up. */
  readonly timeoutMs: bigint | undefined

  constructor(wait: Wait, timeoutMs: bigint | undefined) {
    this.wait = wait
    this.timeoutMs = timeoutMs
  }
}

/** Parameters by the values they decode to, in order. */
export type Params<Values extends readonly unknown[]> = {
  readonly [Index in keyof Values]: Param<Values[Index]>
}

type Declared<Values extends readonly unknown[], Result> = {
  /** The name on the wire, and of the file. */
  readonly name: string
  /** One sentence with units. */
  readonly summary: string
  /** Section of the reference, or the URL of the published specification. */
  readonly spec: string
  readonly params: readonly [...Params<Values>]
  readonly result: Codec<Result>
  /** Each is run as a test against a fresh chain of the profile `local`. */
  readonly examples: readonly Example[]
  readonly traits?: readonly Trait[]
}

/** What is true of some methods and not of others. */
export type Trait =
  /** May be called over WebSocket only. */
  | 'websocketOnly'
  /** Exists only where unsafe methods of CometBFT RPC are turned on. */
  | 'unsafe'
  /** Its answers may be cached: all of them, or those that name a height. */
  | 'cacheable'
  | 'cacheableAtHeight'
  /** For operators: pages of untrusted origins may not call it. */
  | 'changesWorld'
  /** Signs with an account of the node: so may pages of untrusted origins only under a quirk. */
  | 'usesAccounts'
  /** Hands a transaction or evidence to the chain. */
  | 'submits'
  /** Mines blocks: as many as its parameter of that role says, one without it. */
  | 'mines'
  /** Its parameters may be passwords and keys: recordings leave them out. */
  | 'carriesSecrets'
  /** Unless a block is asked for, it is about the head, whose height its answer names. */
  | 'aboutHead'
  /** Asked for a block, it names that block's height, which says nothing of the head. */
  | 'ofBlock'
  /** Its answer names the heights of blocks that hold transactions. */
  | 'ofMinedTx'
  /** It has an answer once a block holds the transaction: until then clients ask again. */
  | 'comesWithBlock'
  /** Its answer shows whom the transactions of a block of one height name. */
  | 'showsTxs'
  /** Without a height or a proof, its answer names the height of the state it was read from. */
  | 'namesStateHeight'
  /** Heights in its answer are still being decided. */
  | 'undecided'
  /** Its answer changes when transactions come to the mempool. */
  | 'ofMempool'
  /** Two answers at one height may differ. */
  | 'varies'
  /** Its answer is the same as long as the chain lives. */
  | 'constant'
  /** Begins to push events over its connection. */
  | 'subscribes'
  /** Makes a filter, which is polled by its id. */
  | 'makesFilter'
  /** Names a filter or subscription by an id that the node has made up. */
  | 'byListenerId'
  /** Ends a filter or subscription. */
  | 'stopsListening'

/** `result` is compared as JSON; leaves that depend on keys or hashes may be `'…'`. */
export type Example = { readonly params: readonly unknown[]; readonly result: unknown }

/** A method with its types forgotten: what tables and dispatch hold. */
export type Method = {
  readonly kind: 'query' | 'action' | 'subscription'
  readonly name: string
  readonly summary: string
  readonly spec: string
  readonly params: readonly Param<unknown>[]
  readonly result: Codec<unknown>
  readonly examples: readonly Example[]
  readonly traits: readonly Trait[]
  readonly read: (context: Context, params: readonly unknown[]) => unknown
  readonly command: (context: Context, params: readonly unknown[]) => NodeCommand
  readonly reply: (context: Context, outcome: Outcome, params: readonly unknown[]) => unknown
}

/** Declares a method that reads. `read` may return `Waiting`. */
export function query<Values extends readonly unknown[], Result>(
  declared: Declared<Values, Result> & {
    readonly read: (context: Context, params: Values) => Result | Waiting
  },
): Method {
  return erase('query', declared, { read: declared.read })
}

/** Declares a method that changes: the command it asks for and the reply its outcome makes. */
export function action<Values extends readonly unknown[], Result>(
  declared: Declared<Values, Result> & Changing<Values, Result>,
): Method {
  return erase('action', declared, { command: declared.command, reply: declared.reply })
}

/** Declares a method that listens; WebSocket only. */
export function subscription<Values extends readonly unknown[], Result>(
  declared: Declared<Values, Result> & Changing<Values, Result>,
): Method {
  return erase('subscription', declared, { command: declared.command, reply: declared.reply })
}

type Changing<Values extends readonly unknown[], Result> = {
  readonly command: (context: Context, params: Values) => NodeCommand
  readonly reply: (context: Context, outcome: Outcome, params: Values) => Result | Waiting
}

/** The one place where types are forgotten: a table holds methods of every type. */
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
  throw new TypeError('a method was used against its kind')
}
