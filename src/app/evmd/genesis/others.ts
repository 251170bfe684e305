/** x/gov, x/erc20, x/upgrade, and IBC's stores in a genesis document. */
import {
  always, bool, bytes, message, nested, repeated, text as textField, uint32, uint64,
} from '../../../codec/protobuf/message.ts'
import { bytesOfHex } from '../../../codec/hex.ts'
import type { Context } from '../context.ts'
import { moduleAccount } from '../modules/auth/accounts.ts'
import {
  enablePrecompile, setAllowance, setErc20Params, setTokenPair,
} from '../modules/erc20/tokenPairs.ts'
import { setConstitution, setGovParams } from '../modules/gov/params.ts'
import { bigEndian, storeKey } from '../storeKeys.ts'
import type { StoreName } from '../storeNames.ts'
import {
  coins, duration, flag, integer, integerOr, InvalidGenesis, isThere, list, section, type Section,
  text, texts,
} from './read.ts'

/** Loads x/gov; proposals that are under way are refused by name. */
export function loadGov(context: Context, gov: Section): void {
  refuseEntries(gov, ['deposits', 'votes', 'proposals'])
  context.store('gov').set(Uint8Array.of(3), bigEndian(integerOr(gov, 'starting_proposal_id', 1n)))
  const params = section(gov, 'params')
  const ratio = (name: string, otherwise: string): string => text(params, name) || otherwise
  setGovParams(context, {
    minDeposit: coins(params, 'min_deposit'),
    maxDepositPeriod: duration(params, 'max_deposit_period', '172800s'),
    votingPeriod: duration(params, 'voting_period', '172800s'),
    quorum: ratio('quorum', '0.334000000000000000'),
    threshold: ratio('threshold', '0.500000000000000000'),
    vetoThreshold: ratio('veto_threshold', '0.334000000000000000'),
    minInitialDepositRatio: ratio('min_initial_deposit_ratio', '0.000000000000000000'),
    proposalCancelRatio: ratio('proposal_cancel_ratio', '0.500000000000000000'),
    proposalCancelDest: text(params, 'proposal_cancel_dest'),
    expeditedVotingPeriod: duration(params, 'expedited_voting_period', '86400s'),
    expeditedThreshold: ratio('expedited_threshold', '0.667000000000000000'),
    expeditedMinDeposit: coins(params, 'expedited_min_deposit'),
    burnVoteQuorum: flag(params, 'burn_vote_quorum'),
    burnProposalDepositPrevote: flag(params, 'burn_proposal_deposit_prevote'),
    burnVoteVeto: isThere(params) ? flag(params, 'burn_vote_veto') : true,
    minDepositRatio: ratio('min_deposit_ratio', '0.010000000000000000'),
  })
  setConstitution(context, text(gov, 'constitution'))
  moduleAccount(context, 'gov')
}

/** Loads x/erc20. */
export function loadErc20(context: Context, erc20: Section): void {
  const params = section(erc20, 'params')
  setErc20Params(context, {
    isEnabled: flag(params, 'enable_erc20'), isOpen: flag(params, 'permissionless_registration'),
  })
  moduleAccount(context, 'erc20')
  for (const pair of list(erc20, 'token_pairs')) {
    setTokenPair(context, {
      erc20: text(pair, 'erc20_address'), denom: text(pair, 'denom'),
      enabled: flag(pair, 'enabled'), owner: ownerOf(pair),
    }, hexAddress(pair, 'erc20_address'))
  }
  for (const kind of ['native', 'dynamic'] as const) {
    for (const each of texts(erc20, `${kind}_precompiles`)) {
      enablePrecompile(context, kind, bytesOfHex(each, `${erc20.path}.${kind}_precompiles`))
    }
  }
  for (const each of list(erc20, 'allowances')) {
    setAllowance(context, {
      token: hexAddress(each, 'erc20_address'), owner: hexAddress(each, 'owner'),
      spender: hexAddress(each, 'spender'),
    }, integer(each, 'value'))
  }
}

const owners = ['OWNER_UNSPECIFIED', 'OWNER_MODULE', 'OWNER_EXTERNAL']

function ownerOf(pair: Section): number {
  const { contract_owner: owner } = pair.value
  if (typeof owner !== 'string') return Number(integer(pair, 'contract_owner'))
  const found = owners.indexOf(owner)
  if (found < 0) throw new InvalidGenesis(`${pair.path}.contract_owner`, owners.join(' or '))
  return found
}

function hexAddress(section: Section, name: string): Uint8Array {
  return bytesOfHex(text(section, name), `${section.path}.${name}`)
}

/** Versions of evmd's modules (ADR-041). */
const moduleVersions: Readonly<Record<string, bigint>> = {
  '07-tendermint': 0n, auth: 5n, authz: 2n, bank: 4n, consensus: 1n, distribution: 3n, erc20: 1n,
  evidence: 1n, evm: 1n, feegrant: 2n, feemarket: 1n, genutil: 1n, gov: 5n, ibc: 8n, mint: 2n,
  precisebank: 1n, slashing: 4n, staking: 5n, transfer: 6n, upgrade: 2n, vesting: 1n,
}

/** Stores the versions of the modules, as a new chain begins with them. */
export function loadVersions(context: Context): void {
  for (const [name, version] of Object.entries(moduleVersions)) {
    const key = storeKey(2, new TextEncoder().encode(name))
    context.store('upgrade').set(key, bigEndian(version))
  }
}

const clientParams = message<{ allowed: readonly string[] }>({ 1: ['allowed', repeated(textField)] })
const connectionParams = message<{ maxTime: bigint }>({ 1: ['maxTime', uint64] })
const transferParams = message<{ send: boolean; receive: boolean }>({
  1: ['send', bool], 2: ['receive', bool],
})

type Version = { identifier: string; features: readonly string[] }
type Counterparty = { clientId: string; connectionId: string; prefix: { key: Uint8Array } }
type Connection = {
  clientId: string
  versions: readonly (Version | undefined)[]
  state: number
  counterparty: Counterparty
}
const connection = message<Connection>({
  1: ['clientId', textField],
  2: ['versions', repeated(nested(message<Version>({
    1: ['identifier', textField], 2: ['features', repeated(textField)],
  })))],
  3: ['state', uint32],
  4: ['counterparty', always(message<Counterparty>({
    1: ['clientId', textField], 2: ['connectionId', textField],
    3: ['prefix', always(message<{ key: Uint8Array }>({ 1: ['key', bytes] }))],
  }))],
})

/** Loads IBC's stores: parameters and counters. Clients and channels are refused by name. */
export function loadIbc(context: Context, ibc: Section, transfer: Section): void {
  const client = section(ibc, 'client_genesis')
  const connections = section(ibc, 'connection_genesis')
  const channel = section(ibc, 'channel_genesis')
  refuseEntries(client, ['clients', 'clients_consensus', 'clients_metadata'])
  refuseEntries(connections, ['connections', 'client_connection_paths'])
  refuseEntries(channel, ['channels', 'acknowledgements', 'commitments', 'receipts'])
  refuseEntries(transfer, ['denoms', 'total_escrowed'])
  const put = (store: StoreName, key: string, value: Uint8Array): void => {
    context.store(store).set(new TextEncoder().encode(key), value)
  }
  const allowed = texts(section(client, 'params'), 'allowed_clients')
  put('ibc', 'clientParams', clientParams.encode({ allowed: allowed.length > 0 ? allowed : ['*'] }))
  put('ibc', 'nextClientSequence', bigEndian(integer(client, 'next_client_sequence')))
  put('ibc', 'nextConnectionSequence', bigEndian(integer(connections, 'next_connection_sequence')))
  const maxTime = integerOr(section(connections, 'params'), 'max_expected_time_per_block', 30_000_000_000n)
  put('ibc', 'connectionParams', connectionParams.encode({ maxTime }))
  put('ibc', 'connections/connection-localhost', connection.encode(localhost))
  put('ibc', 'nextChannelSequence', bigEndian(integer(channel, 'next_channel_sequence')))
  put('transfer', '\u0001', new TextEncoder().encode(text(transfer, 'port_id') || 'transfer'))
  const params = section(transfer, 'params')
  put('transfer', 'params', transferParams.encode({
    send: flag(params, 'send_enabled'), receive: flag(params, 'receive_enabled'),
  }))
}

/** Every chain has a connection to itself (ibc-go 09-localhost). */
const localhost: Connection = {
  clientId: '09-localhost',
  versions: [{ identifier: '1', features: ['ORDER_ORDERED', 'ORDER_UNORDERED'] }],
  state: 3,
  counterparty: {
    clientId: '09-localhost', connectionId: 'connection-localhost',
    prefix: { key: new TextEncoder().encode('ibc') },
  },
}

/** Throws when a list that would change behaviour, and that is not loaded, has entries. */
function refuseEntries(from: Section, names: readonly string[]): void {
  for (const name of names) {
    if (list(from, name).length > 0) throw new InvalidGenesis(`${from.path}.${name}`, 'empty')
  }
}
