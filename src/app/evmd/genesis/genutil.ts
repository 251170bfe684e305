/** Executes the genesis transactions of a genesis document. Each creates a validator. */
import type { ValidatorUpdate } from '../../abci.ts'
import { feeCollector } from '../address.ts'
import { blockTime } from '../blockTime.ts'
import type { Context } from '../context.ts'
import { getAccount, setAccount } from '../modules/auth/accounts.ts'
import { sendCoins } from '../modules/bank/send.ts'
import { createValidator } from '../modules/staking/createValidator.ts'
import { updateValidatorSet } from '../modules/staking/validatorSet.ts'
import { publicKeyBytes, publicKeyOf } from './publicKey.ts'
import { address, coins, integer, InvalidGenesis, list, section, type Section, text } from './read.ts'
import { descriptionOf, ratesOf } from './staking.ts'

/**
 * Executes the genesis transactions. Each delegates its validator's stake and pays its fee. Returns
 * the validator updates and the total gas wanted.
 */
export function deliverGenesisTxs(
  context: Context,
  genutil: Section,
): { readonly validators: readonly ValidatorUpdate[]; readonly gasWanted: bigint } {
  const txs = list(genutil, 'gen_txs')
  let gasWanted = 0n
  for (const tx of txs) {
    const auth = section(tx, 'auth_info')
    const fee = section(auth, 'fee')
    gasWanted += integer(fee, 'gas_limit')
    const [message] = list(section(tx, 'body'), 'messages')
    if (message === undefined) throw new InvalidGenesis(`${tx.path}.body.messages`, 'one message')
    if (text(message, '@type') !== '/cosmos.staking.v1beta1.MsgCreateValidator') {
      throw new InvalidGenesis(`${message.path}.@type`, 'MsgCreateValidator')
    }
    const operator = address(context, message, 'validator_address', 'operator')
    payForTx(context, operator, { fee, signer: list(auth, 'signer_infos')[0] })
    create(context, operator, message)
  }
  return { validators: txs.length === 0 ? [] : updateValidatorSet(context), gasWanted }
}

function payForTx(
  context: Context,
  operator: Uint8Array,
  { fee, signer }: { fee: Section; signer: Section | undefined },
): void {
  const amount = coins(fee, 'amount')
  if (amount.length > 0) sendCoins(context, { from: operator, to: feeCollector, coins: amount })
  const account = getAccount(context, operator)
  if (account === undefined) {
    throw new InvalidGenesis(fee.path, 'paid by an account of the document')
  }
  const publicKey = signer && publicKeyOf(section(signer, 'public_key'))
  setAccount(context, { ...account, publicKey, sequence: account.sequence + 1n })
}

function create(context: Context, operator: Uint8Array, message: Section): void {
  const value = section(message, 'value')
  const key = section(message, 'pubkey')
  if (publicKeyBytes(key).length !== 32) {
    throw new InvalidGenesis(`${key.path}.key`, 'an ed25519 key of 32 bytes')
  }
  createValidator(context, {
    operator,
    publicKey: publicKeyOf(key),
    description: descriptionOf(section(message, 'description')),
    commission: { rates: ratesOf(section(message, 'commission')), updateTime: blockTime(context) },
    minSelfDelegation: integer(message, 'min_self_delegation'),
    value: { denom: text(value, 'denom'), amount: integer(value, 'amount') },
  })
}
