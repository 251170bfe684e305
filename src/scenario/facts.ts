/** Names and values that a running scenario has recorded, as plain data. */
import type { StateEdit } from '../app/application.ts'
import type { Scalar } from './expression.ts'
import type { NodeCommand } from '../node/command.ts'

/** `checkpoints` holds ids by name; `sustained` edits repeat with every block until they end. */
export type Facts = {
  readonly phase: string
  readonly checkpoints: Readonly<Record<string, string>>
  /** Addresses of contracts that steps have deployed, by name. */
  readonly accounts: Readonly<Record<string, string>>
  readonly txs: Readonly<Record<string, NamedTx>>
  readonly sustained: readonly Sustained[]
  /** Names of validators that joined, in order. */
  readonly joined: readonly string[]
  /** Values stored by `set`. */
  readonly noted: Readonly<Record<string, Scalar>>
  /** The response to each step's last call, as JSON text. */
  readonly answers: Readonly<Record<string, string>>
  /** Responses to calls of expectations, by key; undefined until the response arrives. */
  readonly late: Readonly<Record<string, RpcAnswer | undefined>>
  /**
   * Keys of the scenario's own requests: the first belongs to request -1, the second to -2, and so
   * on.
   */
  readonly asked: readonly string[]
  /** Broadcasts of steps that are not yet checked, by key. */
  readonly broadcasts?: Readonly<Record<string, Broadcast>>
}

/** A broadcast. `mayFail`: a rejection or a code other than 0 does not fail the step. */
export type Broadcast = {
  readonly step: string
  readonly mayFail: boolean
  readonly answer: RpcAnswer | undefined
}

/** The result or error of a call as JSON text. */
export type RpcAnswer = { readonly isError: boolean; readonly text: string }

/** A named transaction: its CometBFT and Ethereum hashes are lower-case hex without 0x. */
export type NamedTx = {
  readonly hash: string
  readonly ethHash: string | undefined
  readonly from: string
  readonly nonce: bigint
  /** The display name. */
  readonly label?: string
}

/** Edits of state that repeat until they end, and values that are restored then, by name. */
export type Sustained = {
  readonly edits: readonly StateEdit[]
  readonly values?: Readonly<Record<string, LastingValue>>
  readonly untilMs: bigint | undefined
  readonly untilHeight: bigint | undefined
}

/** The command that gives a value for a span, and the one that gives the value from before. */
export type LastingValue = { readonly during: NodeCommand; readonly after: NodeCommand }

export const noFacts: Facts = {
  phase: '',
  checkpoints: {},
  accounts: {},
  txs: {},
  sustained: [],
  joined: [],
  noted: {},
  answers: {},
  late: {},
  asked: [],
}
