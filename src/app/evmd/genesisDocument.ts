/** The genesis document of a local chain: funded accounts, validators and preinstalls. */
import { base64Of } from '../../codec/base64.ts'
import { sha256 } from '../../crypto/hash.ts'
import {
  cosmosAddressOfKey,
  cosmosPath,
  ethAddressOfKey,
  ethereumPath,
  keyPairFromSeed,
  privateKeyFromMnemonic,
} from '../../crypto/keys.ts'
import { createRandom } from '../../data/random.ts'
import type { Settings } from '../../settings/settings.ts'
import { validatorNameAt, validatorPowerAt } from '../../settings/validators.ts'
import { type AddressTexts, addressTexts, moduleAddress } from './address.ts'
import { preinstalls } from './preinstalls.ts'

type Wanted = Pick<Settings, 'chainId' | 'genesisTime' | 'mnemonic' | 'accounts' | 'balance' | 'validators'> &
  Partial<Pick<Settings, 'bech32Prefix' | 'validatorNames' | 'validatorPowers' | 'gasLimit' | 'baseFee'>>

/** The smallest unit of the EVM's coin. */
export const denom = 'atest'
const token = 10n ** 18n
const usualGasLimit = 30_000_000
const usualBaseFee = 1_000_000_000

/**
 * Returns a genesis document as JSON text. It contains the mnemonic's accounts on the Ethereum and
 * the Cosmos derivation path, and the preinstalled contracts. Each validator has a key derived from
 * the seed and a self-delegation of as many tokens as its power.
 */
export function genesisDocument(settings: Wanted, seed: Uint8Array): string {
  const holders = genesisHolders(settings)
  const validators = Array.from({ length: settings.validators }, (_, index) => validatorOf(seed, index, settings))
  return JSON.stringify({
    genesis_time: settings.genesisTime,
    chain_id: settings.chainId,
    initial_height: '1',
    consensus_params: consensusParams(settings),
    validators: validators.map(({ key, name, stake }) => ({
      pub_key: { type: 'tendermint/PubKeyEd25519', value: base64Of(key) },
      power: (stake / token).toString(),
      name,
    })),
    app_hash: '',
    app_state: appState(holders, validators, settings),
  })
}

/** `stake` is in the smallest unit. */
type Validator = {
  readonly name: string
  readonly key: Uint8Array
  readonly operator: Uint8Array
  readonly stake: bigint
}

function validatorOf(seed: Uint8Array, index: number, settings: Wanted): Validator {
  const operatorKey = createRandom(seed, sha256).bytes('operator', index, 32)
  return {
    name: validatorNameAt(settings, index),
    key: keyPairFromSeed(seed, 'validator', index).publicKey,
    operator: ethAddressOfKey(operatorKey),
    stake: validatorPowerAt(settings, index) * token,
  }
}

/**
 * Returns the developer addresses: first on the Ethereum derivation path, then on the Cosmos one.
 */
export function genesisHolders({ mnemonic, accounts }: Pick<Wanted, 'mnemonic' | 'accounts'>): readonly Uint8Array[] {
  const indexes = Array.from({ length: accounts }, (_, index) => index)
  const ethereum = indexes.map((index) => ethAddressOfKey(privateKeyFromMnemonic(mnemonic, ethereumPath(index))))
  const cosmos = indexes.map((index) => cosmosAddressOfKey(privateKeyFromMnemonic(mnemonic, cosmosPath(index))))
  return [...ethereum, ...cosmos]
}

function consensusParams({ gasLimit = usualGasLimit }: Wanted): object {
  return {
    block: { max_bytes: '22020096', max_gas: gasLimit.toString() },
    evidence: {
      max_age_num_blocks: '100000',
      max_age_duration: '172800000000000',
      max_bytes: '1048576',
    },
    validator: { pub_key_types: ['ed25519'] },
    version: { app: '0' },
    abci: { vote_extensions_enable_height: '0' },
  }
}

function appState(holders: readonly Uint8Array[], validators: readonly Validator[], settings: Wanted): object {
  const texts = addressTexts(settings.bech32Prefix ?? 'cosmos')
  const balance = BigInt(settings.balance) * token
  const accounts = [...holders, ...validators.map(({ operator }) => operator)]
  const bonded = validators.reduce((sum, { stake }) => sum + stake, 0n)
  const balances = [
    ...holders.map((address) => balanceOf(texts, address, balance)),
    ...validators.map(({ operator, stake }) => balanceOf(texts, operator, stake)),
    balanceOf(texts, moduleAddress('not_bonded_tokens_pool'), bonded),
  ]
  const supply = balance * BigInt(holders.length) + 2n * bonded
  return {
    auth: authState(texts, accounts),
    bank: {
      params: { send_enabled: [], default_send_enabled: true },
      balances,
      supply: [{ denom, amount: supply.toString() }],
      denom_metadata: [metadata],
      send_enabled: [],
    },
    evm: evmState(),
    feemarket: feemarketState(settings),
    mint: mintState,
    distribution: {
      params: { community_tax: '0.020000000000000000', withdraw_addr_enabled: true },
    },
    erc20: erc20State,
    gov: govState,
    genutil: { gen_txs: [] },
    staking: {
      validators: validators.map((each) => stakingValidator(texts, each)),
      delegations: validators.map((each) => delegation(texts, each)),
    },
  }
}

function authState({ account }: AddressTexts, addresses: readonly Uint8Array[]): object {
  return {
    params: {
      max_memo_characters: '256',
      tx_sig_limit: '7',
      tx_size_cost_per_byte: '10',
      sig_verify_cost_ed25519: '590',
      sig_verify_cost_secp256k1: '1000',
    },
    accounts: addresses.map((address, index) => ({
      '@type': '/cosmos.auth.v1beta1.BaseAccount',
      address: account(address),
      pub_key: null,
      account_number: index.toString(),
      sequence: '0',
    })),
  }
}

function balanceOf({ account }: AddressTexts, address: Uint8Array, amount: bigint): object {
  return { address: account(address), coins: [{ denom, amount: amount.toString() }] }
}

const metadata = {
  description: 'The native token of a simulated chain.',
  denom_units: [
    { denom, exponent: 0, aliases: ['attotest'] },
    { denom: 'test', exponent: 18, aliases: [] },
  ],
  base: denom,
  display: 'test',
  name: 'Test Token',
  symbol: 'TEST',
  uri: '',
  uri_hash: '',
}

/** The precompiles P-256, bech32, staking, distribution, ics20, bank, gov and slashing. */
const staticPrecompiles = ['100', '400', '800', '801', '802', '804', '805', '806'].map(
  (digits) => `0x${digits.padStart(40, '0')}`,
)

const wrappedCoin = '0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE'

/** The native coin also has an ERC-20 contract, as on the example chain. */
const erc20State = {
  params: { enable_erc20: true, permissionless_registration: true },
  token_pairs: [{ erc20_address: wrappedCoin, denom, enabled: true, contract_owner: 1 }],
  native_precompiles: [wrappedCoin],
}

function evmState(): object {
  const open = { access_type: 'ACCESS_TYPE_PERMISSIONLESS', access_control_list: [] }
  return {
    accounts: [],
    params: {
      evm_denom: denom,
      extra_eips: [],
      evm_channels: [],
      access_control: { create: open, call: open },
      active_static_precompiles: staticPrecompiles,
      history_serve_window: '8192',
      extended_denom_options: { extended_denom: denom },
    },
    preinstalls,
  }
}

function feemarketState({ baseFee = usualBaseFee }: Wanted): object {
  return {
    params: {
      no_base_fee: false,
      base_fee_change_denominator: 8,
      elasticity_multiplier: 2,
      enable_height: '0',
      base_fee: `${baseFee}.000000000000000000`,
      min_gas_price: '0.000000000000000000',
      min_gas_multiplier: '0.500000000000000000',
    },
    block_gas: '0',
  }
}

/** Omitted members keep the SDK's defaults: two days each for deposits and voting. */
const govState = {
  params: {
    min_deposit: [{ denom, amount: '10000000' }],
    expedited_min_deposit: [{ denom, amount: '50000000' }],
    burn_vote_veto: true,
  },
}

const mintState = {
  minter: { inflation: '0.130000000000000000', annual_provisions: '0.000000000000000000' },
  params: {
    mint_denom: denom,
    inflation_rate_change: '0.130000000000000000',
    inflation_max: '0.200000000000000000',
    inflation_min: '0.070000000000000000',
    goal_bonded: '0.670000000000000000',
    blocks_per_year: '6311520',
  },
}

function stakingValidator(texts: AddressTexts, { name, key, operator, stake }: Validator): object {
  return {
    operator_address: texts.operator(operator),
    consensus_pubkey: { '@type': '/cosmos.crypto.ed25519.PubKey', key: base64Of(key) },
    jailed: false,
    status: 'BOND_STATUS_UNBONDED',
    tokens: stake.toString(),
    delegator_shares: `${stake}.000000000000000000`,
    description: { moniker: name, identity: '', website: '', security_contact: '', details: '' },
    unbonding_height: '0',
    unbonding_time: '1970-01-01T00:00:00Z',
    commission: {
      commission_rates: {
        rate: '0.100000000000000000',
        max_rate: '0.200000000000000000',
        max_change_rate: '0.010000000000000000',
      },
      update_time: '1970-01-01T00:00:00Z',
    },
    min_self_delegation: '1',
  }
}

function delegation(texts: AddressTexts, { operator, stake }: Validator): object {
  return {
    delegator_address: texts.account(operator),
    validator_address: texts.operator(operator),
    shares: `${stake}.000000000000000000`,
  }
}
