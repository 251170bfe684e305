/** An operator's state edits, kept above the trees until the next block folds them in. */
import { mapDelete, mapSet } from '../../data/persistentMap.ts'
import { keccak256 } from '../../crypto/hash.ts'
import { maxUint64 } from '../../codec/goIntegers.ts'
import type { Edited, StateEdit } from '../application.ts'
import { createDraft } from '../draft.ts'
import type { AppState } from '../state.ts'
import { consensusParams, setConsensusParams } from './consensus.ts'
import { editConsensus } from './editConsensus.ts'
import { type Context, type Fixed, newContext } from './context.ts'
import { one } from './decimal.ts'
import { withEvmBlock } from './evmBlock.ts'
import { withImpersonation } from './impersonation.ts'
import { createAccount, getAccount, setAccount } from './modules/auth/accounts.ts'
import { editCoins, getBalance } from './modules/bank/balances.ts'
import { evmCoin } from './evmCoin.ts'
import { weiOf } from './modules/precisebank/fractions.ts'
import { setWei } from './modules/precisebank/send.ts'
import { setCode, setCodeHash, setSlot } from './modules/evm/store.ts'
import { updateValidatorSet } from './modules/staking/validatorSet.ts'
import { getFeemarketParams, setBlockGas, setFeemarketParams } from './modules/feemarket/params.ts'
import { SimError } from '../../errors.ts'

/**
 * Returns the state with the edits, which replace entries of the check state under the same keys.
 * Validator changes take effect as if made at the end of the last block.
 */
export function editState(fixed: Fixed, state: AppState, edits: readonly StateEdit[]): Edited {
  const draft = createDraft(state)
  const block = state.transient.header
  const context = newContext({ fixed, draft, block, mode: 'query' })
  for (const edit of edits) if (isStored(edit)) writeEdit(context, edit)
  const isOfValidators = edits.some(({ type }) => type === 'setPower' || type === 'setJailed')
  const validatorUpdates = isOfValidators ? updateValidatorSet(context) : []
  let overlay = state.edits
  let { check } = state
  for (const [at, value] of draft.overlaid()) {
    overlay = mapSet(overlay, at, value)
    check = mapDelete(check, at)
  }
  const beside = withEvmBlock(withImpersonation(state, edits), edits)
  return { state: { ...beside, edits: overlay, check }, validatorUpdates }
}

/** An edit of values kept outside the stores. */
type Beside = Extract<StateEdit, { type: 'setImpersonated' | 'setCoinbase' | 'setPrevRandao' }>

function isStored(edit: StateEdit): edit is Exclude<StateEdit, Beside> {
  return !['setImpersonated', 'setCoinbase', 'setPrevRandao'].includes(edit.type)
}

/** Writes an edit of values in the stores. Throws `NonceTooLarge` and `BalanceTooLarge`. */
export function writeEdit(context: Context, edit: Exclude<StateEdit, Beside>): void {
  switch (edit.type) {
    case 'setBalance':
    case 'addBalance':
      return editBalance(context, edit)
    case 'setNonce': {
      if (edit.nonce > maxUint64) throw new NonceTooLarge(edit.nonce)
      const account = accountAt(context, edit.address)
      return setAccount(context, { ...account, sequence: edit.nonce })
    }
    case 'setCode': {
      accountAt(context, edit.address)
      const hash = keccak256(edit.code)
      setCode(context, hash, edit.code)
      return setCodeHash(context, edit.address, hash)
    }
    case 'setStorage':
      return setSlot(context, edit.address, { key: edit.slot, value: edit.value })
    case 'setBaseFee': {
      const params = getFeemarketParams(context)
      // A block at its gas target keeps the base fee, so the next block has exactly this value.
      const { maxGas } = consensusParams(context).block
      if (maxGas > 0n) setBlockGas(context, maxGas / params.elasticity)
      return setFeemarketParams(context, { ...params, baseFee: (edit.baseFee * one) / evmCoin(context).factor })
    }
    case 'setConsensusParams': {
      return setConsensusParams(context, { ...consensusParams(context), ...edit.params })
    }
    case 'setPower':
    case 'setJailed':
    case 'planUpgrade':
      return editConsensus(context, edit)
  }
}

type BalanceEdit = Extract<StateEdit, { type: 'setBalance' | 'addBalance' }>

/**
 * Sets or increases a balance and adjusts the supply, which stays the sum of all balances. Throws
 * `BalanceTooLarge` for a balance that the EVM cannot hold.
 */
function editBalance(context: Context, edit: BalanceEdit): void {
  const { address } = edit
  const coin = evmCoin(context)
  const { denom = coin.extendedDenom } = edit
  const isWei = denom === coin.extendedDenom
  const held = getBalance(context, address, isWei ? coin.denom : denom)
  const before = isWei ? weiOf(context, address, coin, held) : held
  const amount = edit.type === 'addBalance' ? before + edit.amount : edit.amount
  if (amount >= 1n << 256n) throw new BalanceTooLarge(before, edit.amount)
  accountAt(context, address)
  if (isWei) setWei(context, address, coin, amount)
  else editCoins(context, address, { denom, amount })
}

function accountAt(context: Context, address: Uint8Array) {
  return getAccount(context, address) ?? createAccount(context, address)
}

/** A balance has at most 256 bits, in the EVM and in the SDK. */
class BalanceTooLarge extends SimError {
  constructor(before: bigint, amount: bigint) {
    super('BALANCE_TOO_LARGE', `expected a balance below 2^256, received ${amount} beside a balance of ${before}`, {
      hint: 'Set the balance to a smaller amount.',
    })
  }
}

/** A nonce has at most 64 bits, in the EVM and in the SDK. */
class NonceTooLarge extends SimError {
  constructor(nonce: bigint) {
    super('NONCE_TOO_LARGE', `expected a nonce below 2^64, received ${nonce}`)
  }
}
