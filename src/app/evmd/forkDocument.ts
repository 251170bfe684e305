/** The genesis document of a chain that goes on from another one, whose state it leaves out. */
import { membersOf, type Members } from '../../data/members.ts'
import { accountText, moduleAddress } from './address.ts'

/**
 * Where another chain is gone on from. `hash` is in hex, `time` of the next block as a genesis document
 * has it; `maxGas` is -1 for no limit.
 */
export type ForkPoint = {
  readonly height: bigint
  readonly hash: string
  readonly time: string
  readonly baseFee: bigint
  readonly maxGas: bigint
}

/** Holds for the whole chain what nobody was asked about yet: transfers burn and mint (x/vm). */
const restAmount = 10n ** 48n

/**
 * Returns a genesis document whose first block stands on another chain's. Accounts and preinstalls are
 * the other chain's, so that those of `document`, one of `genesisDocument` without accounts, go.
 */
export function forkDocument(document: string, { height, hash, time, baseFee, maxGas }: ForkPoint): string {
  const root = membersOf(JSON.parse(document))
  const state = membersOf(root['app_state'])
  const [bank, evm, feemarket] = [membersOf(state['bank']), membersOf(state['evm']), membersOf(state['feemarket'])]
  const consensus = membersOf(root['consensus_params'])
  return JSON.stringify({
    ...root,
    genesis_time: time,
    initial_height: String(height + 1n),
    fork: { height: String(height), hash },
    consensus_params: { ...consensus, block: { ...membersOf(consensus['block']), max_gas: String(maxGas) } },
    app_state: {
      ...state,
      bank: withRest(bank),
      evm: { ...evm, preinstalls: [] },
      feemarket: { ...feemarket, params: { ...membersOf(feemarket['params']), base_fee: `${baseFee}.${'0'.repeat(18)}` } },
    },
  })
}

function withRest(bank: Members): Members {
  const [supply = {}] = listOf(bank['supply'])
  const { denom, amount } = supply
  const rest = { address: accountText(moduleAddress('fork')), coins: [{ denom, amount: String(restAmount) }] }
  return {
    ...bank,
    balances: [...listOf(bank['balances']), rest],
    supply: [{ denom, amount: String(BigInt(String(amount)) + restAmount) }],
  }
}

function listOf(value: unknown): readonly Members[] {
  return Array.isArray(value) ? value.map(membersOf) : []
}
