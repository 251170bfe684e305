/** What a running scenario has named and noted, as plain data. */
import type { StateEdit } from '../app/application.ts'
import type { Scalar } from './expression.ts'
import type { NodeCommand } from '../node/command.ts'

/** `checkpoints` are ids by name; `sustained` is repeated with every block until it ends. */
export type Facts = {
  readonly phase: string
  readonly checkpoints: Readonly<Record<string, string>>
  /** Addresses of contracts that steps have made, by name. */
  readonly accounts: Readonly<Record<string, string>>
  readonly txs: Readonly<Record<string, NamedTx>>
  readonly sustained: readonly Sustained[]
  /** Names of validators that joined, in order. */
  readonly joined: readonly string[]
  /** What `set` has noted. */
  readonly noted: Readonly<Record<string, Scalar>>
  /** What the last call of each step was answered, as JSON text. */
  readonly answers: Readonly<Record<string, string>>
  /** The same of expectations whose answers come later, by what was asked. */
  readonly late: Readonly<Record<string, RpcAnswer | undefined>>
  /** Whose answer the reply to request -1, -2 and so on is. */
  readonly asked: readonly string[]
  /** Transactions that steps have broadcast and not yet judged, by what was asked. */
  readonly broadcasts?: Readonly<Record<string, Broadcast>>
}

/** `mayFail`: a refusal, or a code other than 0, does not fail the step. */
export type Broadcast = {
  readonly step: string
  readonly mayFail: boolean
  readonly answer: RpcAnswer | undefined
}

/** Result or error of a call as JSON text. */
export type RpcAnswer = { readonly isError: boolean; readonly text: string }

/** Hashes of both sides in lower-case hex without 0x. */
export type NamedTx = {
  readonly hash: string
  readonly ethHash: string | undefined
  readonly from: string
  readonly nonce: bigint
  /** What a scenario calls it for people. */
  readonly label?: string
}

/** Edits of state that last; `after` are commands for its end. */
export type Sustained = {
  readonly edits: readonly StateEdit[]
  readonly after: readonly NodeCommand[]
  readonly untilMs: bigint | undefined
  readonly untilHeight: bigint | undefined
}

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
