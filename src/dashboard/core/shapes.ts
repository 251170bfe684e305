/** Responses of the control API, limited to the members that the pages use. */
export type Status = {
  readonly session: string
  readonly height: number
  readonly playback: string | null
  readonly blockTime: string | null
  readonly simulationMs: number
  readonly pace: string
  /** The Ethereum JSON-RPC hashes of the newest block and its parent. */
  readonly hash: string | null
  readonly parentHash: string | null
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
  readonly to: string | null
  readonly wei: string | null
  readonly gasUsed: number
  readonly gasWanted: number
  readonly ok: boolean
  readonly error: string
  readonly logs: number
  readonly creates: string | null
}

export type FullBlock = Block & {
  readonly list: readonly Tx[]
  readonly ethereum: unknown
  readonly comet: unknown
  readonly results: unknown
}

export type Arg = { readonly name: string; readonly type: string; readonly value: string }
export type Decoded = { readonly name: string; readonly signature: string; readonly args: readonly Arg[] }

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

export type FullTx = Tx & {
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

export type Fn = {
  readonly name: string
  readonly signature: string
  readonly inputs: readonly { readonly name: string; readonly type: string }[]
  readonly outputs: readonly { readonly name: string; readonly type: string }[]
  readonly reads: boolean
  readonly payable: boolean
}

export type Coin = { readonly denom: string; readonly amount: string }

export type AddressView = {
  readonly ethereum: string
  readonly cosmos: string
  readonly validator: string
  readonly label: string | null
  readonly hasKey: boolean
  readonly wei: string
  readonly nonce: number
  readonly exists: boolean
  readonly code: string
  readonly codeHash: string | null
  readonly coins: { readonly balances?: readonly Coin[] } | null
  readonly account: { readonly account?: Readonly<Record<string, unknown>> } | null
  readonly delegations: {
    readonly delegation_responses?: readonly {
      readonly delegation: { readonly validator_address: string }
      readonly balance: Coin
    }[]
  } | null
  readonly rewards: { readonly total?: readonly Coin[] } | null
  readonly contract: {
    readonly name: string
    readonly functions: readonly Fn[]
    readonly events: readonly string[]
  } | null
}

export type Token = {
  readonly symbol: string
  readonly name: string
  readonly decimals: number
  readonly totalSupply: string
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

export type Proposal = {
  readonly id: string
  readonly title: string
  readonly status: string
  readonly voting_end_time: string | null
  readonly tally: Readonly<Record<'yes_count' | 'no_count' | 'abstain_count' | 'no_with_veto_count', string>>
}

export type FullProposal = Proposal & {
  readonly summary: string
  readonly proposer: string
  readonly submit_time: string | null
  readonly deposit_end_time: string | null
  readonly messages: readonly Readonly<Record<string, unknown>>[]
  readonly votes: readonly {
    readonly voter: string
    readonly options: readonly { readonly option: string; readonly weight: string }[]
  }[]
  readonly deposits: readonly { readonly depositor: string; readonly amount: readonly Coin[] }[]
}

export type Validator = {
  readonly operator: string
  readonly moniker: string
  readonly status: string
  readonly jailed: boolean
  readonly tokens: string
  readonly commission: string
  readonly consensus: string | null
  readonly power: number
  readonly signed: string
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
