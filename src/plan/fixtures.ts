/** The contents of a chain before its first response: all names are resolved, all values drawn. */
export type Fixtures = {
  readonly accounts: readonly FixtureAccount[]
  /** Sent in order; a contract creation gets a block of its own. */
  readonly txs: readonly FixtureTx[]
  readonly history: FixtureHistory | undefined
}

/** `balance` is in the smallest unit; undefined keeps the genesis balance. */
export type FixtureAccount = {
  readonly name: string
  readonly label: string
  readonly address: Uint8Array
  readonly privateKey: Uint8Array
  readonly balance: bigint | undefined
}

/** `to` is undefined for a contract creation; the contract is created at `makes`. */
export type FixtureTx = {
  /** The transaction's name in reports. */
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

/** Blocks made before the chain serves requests, at equal distances; `block` counts from 0. */
export type FixtureHistory = {
  readonly blocks: number
  readonly overMs: bigint
  readonly txs: readonly (FixtureTx & { readonly block: number })[]
}

/** No fixtures. */
export const noFixtures: Fixtures = { accounts: [], txs: [], history: undefined }

/** Returns whether there is anything to build. */
export function hasFixtures({ accounts, txs, history }: Fixtures): boolean {
  return accounts.length > 0 || txs.length > 0 || history !== undefined
}
