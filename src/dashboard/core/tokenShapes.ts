/** Responses of the control API about coins and tokens. */
export type Coin = { readonly denom: string; readonly amount: string }

export type Token = {
  readonly kind: 'ERC-20' | 'ERC-721' | 'ERC-1155'
  readonly symbol: string
  readonly name: string
  readonly decimals: number
  readonly totalSupply: string
}

export type TokenRow = Token & {
  readonly address: string
  readonly label: string | null
  readonly denom: string | null
}

export type Pair = { readonly erc20: string; readonly denom: string; readonly enabled: boolean }

export type Denom = Omit<Token, 'kind'> & {
  readonly kind: 'denom'
  readonly denom: string
  readonly description: string
  readonly pair: Pair | null
}

/** A token contract, or a denom, whose `address` is null. */
export type FullToken =
  | (Token & { readonly address: string; readonly denom: string | null; readonly pair: Pair | null })
  | (Denom & { readonly address: null })

export type Transfer = {
  readonly height: number
  readonly index: string
  readonly transaction: string
  readonly from: string
  readonly to: string
  readonly id: string | null
  readonly value: string
}
