/** The validators of a genesis document: those it lists, and those its transactions make. */
import { readBech32 } from '../../../codec/bech32.ts'
import { ed25519Address } from '../../../crypto/ed25519.ts'
import { assert } from '../../../errors.ts'
import type { ValidatorUpdate } from '../../abci.ts'
import { feeCollector, moduleAddress } from '../address.ts'
import type { Context } from '../context.ts'
import { decimalOf } from '../decimal.ts'
import { getAccount, setAccount } from '../modules/auth/accounts.ts'
import { sendCoins } from '../modules/bank/send.ts'
import { bondedValidator, setValidator } from '../modules/staking/validators.ts'
import { publicKeyBytes, publicKeyOf } from './publicKey.ts'
import { integer, InvalidGenesis, list, section, type Section, text } from './read.ts'

/** Tokens of one unit of voting power: 10^18, as chains with 18 decimals have it. */
const powerReduction = 10n ** 18n

/** Loads x/staking's validators; returns them as the chain wants them. */
export function loadValidators(context: Context, staking: Section): readonly ValidatorUpdate[] {
  return list(staking, 'validators').map((each) => addValidator(context, {
    operator: operatorOf(each, 'operator_address'),
    key: section(each, 'consensus_pubkey'),
    tokens: integer(each, 'tokens'),
    body: each,
    rates: section(section(each, 'commission'), 'commission_rates'),
  }))
}

/**
 * Carries out the genesis transactions: each delegates what its validator has and pays its fee.
 * Returns the validators and the gas that they wanted.
 */
export function deliverGenesisTxs(
  context: Context, genutil: Section,
): { readonly validators: readonly ValidatorUpdate[]; readonly gasWanted: bigint } {
  let gasWanted = 0n
  const validators = list(genutil, 'gen_txs').map((tx) => {
    const auth = section(tx, 'auth_info')
    const fee = section(auth, 'fee')
    gasWanted += integer(fee, 'gas_limit')
    const [message] = list(section(tx, 'body'), 'messages')
    if (message === undefined) throw new InvalidGenesis(`${tx.path}.body.messages`, 'one message')
    if (text(message, '@type') !== '/cosmos.staking.v1beta1.MsgCreateValidator') {
      throw new InvalidGenesis(`${message.path}.@type`, 'MsgCreateValidator')
    }
    const operator = operatorOf(message, 'validator_address')
    payForGenesisTx(context, operator, { fee, signer: list(auth, 'signer_infos')[0] })
    return createValidator(context, operator, message)
  })
  return { validators, gasWanted }
}

function payForGenesisTx(
  context: Context, operator: Uint8Array, { fee, signer }: { fee: Section; signer: Section | undefined },
): void {
  const coins = list(fee, 'amount').map((coin) => (
    { denom: text(coin, 'denom'), amount: integer(coin, 'amount') }
  ))
  if (coins.length > 0) sendCoins(context, { from: operator, to: feeCollector, coins })
  const account = getAccount(context, operator)
  if (account === undefined) throw new InvalidGenesis(fee.path, 'paid by an account of the document')
  const publicKey = signer && publicKeyOf(section(signer, 'public_key'))
  setAccount(context, { ...account, publicKey, sequence: account.sequence + 1n })
}

function createValidator(context: Context, operator: Uint8Array, message: Section): ValidatorUpdate {
  const value = section(message, 'value')
  const coin = { denom: text(value, 'denom'), amount: integer(value, 'amount') }
  sendCoins(context, { from: operator, to: moduleAddress('bonded_tokens_pool'), coins: [coin] })
  return addValidator(context, {
    operator, key: section(message, 'pubkey'), tokens: coin.amount, body: message,
    rates: section(message, 'commission'),
  })
}

type NewValidator = {
  readonly operator: Uint8Array
  readonly key: Section
  readonly tokens: bigint
  readonly body: Section
  readonly rates: Section
}

function addValidator(context: Context, made: NewValidator): ValidatorUpdate {
  const bytes = publicKeyBytes(made.key)
  if (bytes.length !== 32) throw new InvalidGenesis(`${made.key.path}.key`, 'an ed25519 key of 32 bytes')
  const about = section(made.body, 'description')
  const rate = (name: string): string => (decimalOf(text(made.rates, name)) ?? 0n).toString()
  const value = bondedValidator({
    operator: made.operator, publicKey: publicKeyOf(made.key), tokens: made.tokens,
    description: {
      moniker: text(about, 'moniker'), identity: text(about, 'identity'),
      website: text(about, 'website'), securityContact: text(about, 'security_contact'),
      details: text(about, 'details'),
    },
    rates: {
      rate: rate('rate'), maxRate: rate('max_rate'), maxChangeRate: rate('max_change_rate'),
    },
    minSelfDelegation: integer(made.body, 'min_self_delegation'),
  })
  setValidator(context, value, { operator: made.operator, consensus: ed25519Address(bytes) })
  return { publicKey: { type: 'ed25519', bytes }, power: made.tokens / powerReduction }
}

function operatorOf(section: Section, name: string): Uint8Array {
  const { prefix, bytes } = readBech32(text(section, name))
  if (prefix !== 'cosmosvaloper') throw new InvalidGenesis(`${section.path}.${name}`, 'a cosmosvaloper address')
  assert(bytes.length === 20, 'an operator address has 20 bytes')
  return bytes
}
