/** The genesis document of a forked chain, which omits the other chain's state. */
import { membersOf, type Members, membersOfEach } from '../../data/members.ts'
import { type AddressTexts, moduleAddress } from './address.ts'

/**
 * The point at which another chain is forked. `hash` is in hex, `time` is the next block's time in
 * genesis format; `maxGas` is -1 for no limit. `parts` are those of the block id, with a hash in hex, and
 * `supply` is that of the EVM's coin; undefined if the other chain does not tell them.
 */
export type ForkPoint = {
  readonly height: bigint
  readonly hash: string
  readonly parts: { readonly total: number; readonly hash: string } | undefined
  readonly time: string
  readonly baseFee: bigint
  readonly maxGas: bigint
  readonly supply: bigint | undefined
}

/** Accounts that are funded on the new chain only, each with `amount` in the smallest unit. */
export type Holders = {
  readonly addressTexts: AddressTexts
  readonly addresses: readonly Uint8Array[]
  readonly amount: bigint
}

/** The supply of a chain that does not tell it, in the smallest unit: inflation and rewards follow from it. */
const assumedSupply = 10n ** 27n

/**
 * Returns a genesis document whose first block follows another chain's block. Accounts and
 * preinstalls come from the other chain, so those of `document` are dropped. `document` comes from
 * `genesisDocument`, without accounts.
 */
export function forkDocument(
  document: string,
  { height, hash, parts, time, baseFee, maxGas, supply = assumedSupply }: ForkPoint,
  holders: Holders,
): string {
  const root = membersOf(JSON.parse(document))
  const state = membersOf(root['app_state'])
  const [bank, evm, feemarket] = [membersOf(state['bank']), membersOf(state['evm']), membersOf(state['feemarket'])]
  const consensus = membersOf(root['consensus_params'])
  return JSON.stringify({
    ...root,
    genesis_time: time,
    initial_height: String(height + 1n),
    fork: { height: String(height), hash, parts },
    consensus_params: {
      ...consensus,
      block: { ...membersOf(consensus['block']), max_gas: String(maxGas) },
    },
    app_state: {
      ...state,
      auth: withAccounts(membersOf(state['auth']), holders),
      bank: withBalances(bank, holders, supply),
      evm: { ...evm, preinstalls: [] },
      feemarket: {
        ...feemarket,
        params: { ...membersOf(feemarket['params']), base_fee: `${baseFee}.${'0'.repeat(18)}` },
      },
    },
  })
}

/**
 * Returns the genesis of x/bank. The `fork` module account holds the other chain's supply on behalf of the
 * balances there, because a supply is the sum of all balances.
 */
function withBalances(bank: Members, { addressTexts, addresses, amount: each }: Holders, supply: bigint): Members {
  const [own = {}] = membersOfEach(bank['supply'])
  const { denom, amount } = own
  const balanceOf = (address: Uint8Array, balance: bigint) => ({
    address: addressTexts.account(address),
    coins: [{ denom, amount: String(balance) }],
  })
  const held = addresses.map((address) => balanceOf(address, each))
  const total = BigInt(String(amount)) + supply + each * BigInt(addresses.length)
  return {
    ...bank,
    balances: [...membersOfEach(bank['balances']), ...held, balanceOf(moduleAddress('fork'), supply)],
    supply: [{ denom, amount: String(total) }],
  }
}

function withAccounts(auth: Members, { addressTexts, addresses }: Holders): Members {
  const known = membersOfEach(auth['accounts'])
  const own = addresses.map((address, index) => ({
    '@type': '/cosmos.auth.v1beta1.BaseAccount',
    address: addressTexts.account(address),
    pub_key: null,
    account_number: String(known.length + index),
    sequence: '0',
  }))
  return { ...auth, accounts: [...known, ...own] }
}
