/** What a chain holds before its first answer, with every name resolved and every value drawn. */
export type Fixtures = {
  readonly accounts: readonly FixtureAccount[]
  /** One after the other, each in a block of its own where it makes a contract. */
  readonly txs: readonly FixtureTx[]
  readonly history: FixtureHistory | undefined
}

/** `balance` is in the smallest unit; undefined leaves what the genesis gives. */
export type FixtureAccount = {
  readonly name: string
  readonly label: string
  readonly address: Uint8Array
  readonly privateKey: Uint8Array
  readonly balance: bigint | undefined
}

/** `to` is undefined where a contract is made, at `makes`. */
export type FixtureTx = {
  /** As reports name it. */
  readonly what: string
  readonly from: Uint8Array
  readonly privateKey: Uint8Array
  readonly to: Uint8Array | undefined
  readonly value: bigint
  readonly data: Uint8Array
  readonly gas: bigint | undefined
  readonly mayFail: boolean
  readonly makes: Uint8Array | undefined
}

/** Blocks before the chain serves, evenly apart; `block` counts from 0. */
export type FixtureHistory = {
  readonly blocks: number
  readonly overMs: bigint
  readonly txs: readonly (FixtureTx & { readonly block: number })[]
}

/** Returns no fixtures. */
export const noFixtures: Fixtures = { accounts: [], txs: [], history: undefined }
