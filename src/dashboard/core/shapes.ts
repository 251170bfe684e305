/** Responses of the control API, limited to the members that the pages use. */
import type { Coin, Token } from './tokenShapes.ts'
import type { Arg, Decoded } from './traceShapes.ts'

export type Status = {
  readonly session: string
  readonly height: number
  readonly playback: string | null
  readonly blockTime: string | null
  readonly simulationMs: number
  readonly pace: string
  /** The Ethereum JSON-RPC hash of the newest block. */
  readonly hash: string | null
  /** Whether the newest block of the update before is gone; null in the first update of a connection. */
  readonly isRewritten: boolean | null
  readonly blocks: { readonly mode: string; readonly intervalMs: number; readonly lazy: boolean }
  readonly evmChainId: number
  readonly chainId: string
  readonly seed: string
  readonly mining: readonly { readonly asked: number; readonly mined: number }[]
  readonly profile: string
  readonly waiting: number
  readonly faults: number
  readonly connections: number
  readonly calls: number
  readonly scenario: { readonly name: string; readonly state: string; readonly step: number; readonly steps: number }
  readonly coin: {
    readonly symbol: string
    readonly decimals: number
    readonly base: string
    /** In wei per unit of gas. */
    readonly gasPrice: string
  } | null
  readonly instanceId: string
  readonly problems: readonly { readonly source: string; readonly text: string }[]
  readonly fleet: { readonly name: string; readonly members: number } | null
}

export type FullStatus = Status & {
  readonly version: string
  readonly urls: Readonly<Record<string, string | undefined>>
}

export type Block = {
  readonly height: number
  readonly time: string
  readonly timeMs: number
  readonly hash: string
  readonly appHash: string
  readonly proposer: string
  readonly transactions: number
  readonly gasUsed: number
  readonly gasLimit: number
  readonly baseFee: string | null
  readonly sizeBytes: number
  readonly evidence: number
}

export type Tx = {
  readonly number?: number
  readonly height: number
  readonly index: number
  readonly hash: string
  readonly ethHash: string | null
  readonly kind: string
  readonly from: string | null
  /** The name of the called function or of the first message, `transfer` or `deploy`. */
  readonly action: string
  readonly to: string | null
  readonly wei: string | null
  /** The coins that the first message of a Cosmos transaction names. */
  readonly coins: readonly Coin[]
  readonly gasUsed: number
  readonly gasWanted: number
  readonly ok: boolean
  readonly error: string
  readonly logs: number
  readonly creates: string | null
}

export type BlockVote = {
  readonly consensus: string
  readonly power: number
  readonly vote: 'signed' | 'nil' | 'absent'
  readonly moniker?: string
  readonly operator?: string
}

export type FullBlock = Block & {
  /** Whether the chain has no block below it: it begins here, was forked here, or pruned the others. */
  readonly isFirst: boolean
  readonly proposedBy: { readonly moniker: string; readonly operator: string } | null
  readonly signatures: readonly BlockVote[]
  readonly events: readonly CosmosEvent[]
  readonly list: readonly Tx[]
  readonly ethereum: unknown
  readonly comet: unknown
  readonly results: unknown
}

export type Log = {
  readonly index: number
  readonly address: string
  readonly decoded: { readonly event: string; readonly args: readonly Arg[] } | null
  readonly topics: readonly string[]
  readonly data: string
}
export type ChainLog = Log & { readonly height: number; readonly transaction: string }

export type CosmosEvent = {
  readonly type: string
  readonly attributes: readonly { readonly key: string; readonly value: string }[]
}

export type ChainEvent = CosmosEvent & {
  readonly height: number
  readonly transaction: string | null
  readonly index: number
}

/** A page of a list whose entries are numbered: cursors of the older and the newer page. */
export type NumberedRows<Row> = {
  readonly rows: readonly Row[]
  readonly next: number | null
  readonly newer: number | null
}

/** A change of coins, or of stake with a validator. */
export type ModuleChange = {
  readonly address: string
  readonly denom: string
  readonly validator: string | null
  readonly amount: string
}

export type FullTx = Tx & {
  /** The name that the scenario gives the transaction. */
  readonly label: string | null
  readonly moduleChanges: readonly ModuleChange[]
  readonly time: string
  readonly latest: number
  readonly nonce: number | null
  readonly input: string | null
  readonly call: Decoded | null
  readonly failure: Decoded | null
  readonly raw: string
  readonly ethereumRaw: string | null
  /** The messages as code for CosmJS. */
  readonly cosmjs: string | null
  readonly decodedLogs: readonly Log[]
  readonly cosmosEvents: readonly CosmosEvent[]
  readonly ethereum: unknown
  readonly receipt: unknown
  readonly comet: unknown
  readonly cosmos: {
    readonly result?: {
      readonly tx: {
        readonly body: { readonly messages: readonly Readonly<Record<string, unknown>>[]; readonly memo: string }
      }
    }
  }
}

export type Account = {
  readonly name: string
  readonly ethereum: string
  readonly cosmos: string
  readonly wei: string
  readonly nonce: number
}

export type ContractRow = {
  readonly ethereum: string
  readonly cosmos: string
  readonly label: string | null
  readonly name: string | null
  readonly size: number
  readonly wei: string
  readonly slots: number
  readonly token: Token | null
}

export type Waiting = {
  readonly hash: string
  readonly ethHash: string | null
  readonly kind: string
  readonly sender: string | null
  readonly nonce: number | null
  readonly gasWanted: number
  readonly feeCap: string | null
  readonly state: string
  readonly waitedMs: number
  readonly reason: string
}

export type WaitingTx = Waiting & {
  readonly sizeBytes: number
  readonly sinceHeight: number
  readonly raw: string
  readonly to: string | null
  readonly wei: string | null
  readonly input: string | null
  readonly call: Decoded | null
}

export type Checkpoint = {
  readonly id: string
  readonly height: number
  readonly time: string
  readonly waiting: number
}

export type Exchange = {
  readonly seq: number
  readonly timeMs: number
  readonly side: string
  readonly transport: string
  readonly tookMs: number | null
  readonly status: number | null
  readonly method: string
  readonly outcome: string
  readonly faults: readonly string[]
}

export type RequestStats = {
  readonly seconds: readonly {
    readonly at: number
    readonly count: number
    readonly errors: number
    readonly p50Ms: number | null
    readonly p95Ms: number | null
    readonly p99Ms: number | null
  }[]
  readonly methods: readonly {
    readonly method: string
    readonly side: string
    readonly count: number
    readonly errors: number
    readonly perSecond: number
    readonly p50Ms: number
    readonly p95Ms: number
    readonly p99Ms: number
    readonly agoMs: number
  }[]
}
