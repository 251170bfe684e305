/**
 * Coins as ERC-20 tokens, including the wrapped native coin (cosmos/evm precompiles/erc20, werc20).
 */
import { getSupply } from '../modules/bank/balances.ts'
import { checkReceiver } from '../modules/bank/blocked.ts'
import { checkSendEnabled, getMetadata } from '../modules/bank/params.ts'
import { getSpendable } from '../modules/bank/spendable.ts'
import {
  type AllowanceOf,
  findTokenPair,
  getAllowance,
  setAllowance,
  type TokenPair,
} from '../modules/erc20/tokenPairs.ts'
import { TooFewSpendable } from '../modules/bank/send.ts'
import { getSpendablePrecise, sendPrecise, sendWei } from '../modules/precisebank/send.ts'
import { assert } from '../../../errors.ts'
import { bytesArgument, integerArgument } from './arguments.ts'
import { eventOf, type Frame, methodsOf, type MethodTable, reads, writes } from './precompile.ts'
import { Reverted } from './reverted.ts'

const emitTransfer = eventOf('Transfer(address,address,uint256)')
const emitApproval = eventOf('Approval(address,address,uint256)')
const emitDeposit = eventOf('Deposit(address,uint256)')
const emitWithdrawal = eventOf('Withdrawal(address,uint256)')

const tokenMethods = {
  'name()': reads('string', (frame) => [metadataOf(frame).name], 3_421n),
  'symbol()': reads('string', (frame) => [metadataOf(frame).symbol], 3_464n),
  'decimals()': reads('uint8', (frame) => [decimalsOf(frame)], 427n),
  'totalSupply()': reads('uint256', (frame) => [getSupply(frame.context, pairOf(frame).denom)], 2_480n),
  'balanceOf(address)': reads(
    'uint256',
    (frame, [account]) => [getSpendablePrecise(frame.context, bytesArgument(account), pairOf(frame).denom)],
    2_870n,
  ),
  'allowance(address,address)': reads(
    'uint256',
    ({ context, call }, [owner, spender]) => [
      getAllowance(context, {
        token: call.address,
        owner: bytesArgument(owner),
        spender: bytesArgument(spender),
      }),
    ],
    3_225n,
  ),
  'transfer(address,uint256)': writes(
    'bool',
    (frame, [to, amount]) => {
      const from = frame.call.caller
      transfer(frame, { from, to: bytesArgument(to), amount: integerArgument(amount) })
      return [true]
    },
    9_000n,
  ),
  'transferFrom(address,address,uint256)': writes(
    'bool',
    (frame, [from, to, amount]) => {
      const move = { from: bytesArgument(from), to: bytesArgument(to), amount: integerArgument(amount) }
      transferFrom(frame, move)
      return [true]
    },
    30_500n,
  ),
  'approve(address,uint256)': writes(
    'bool',
    (frame, [spender, amount]) => {
      approve(frame, bytesArgument(spender), integerArgument(amount))
      return [true]
    },
    8_100n,
  ),
}

const deposit = writes(
  '',
  (frame) => {
    const { caller, address, value } = frame.call
    if (value > 0n) sendWei(frame.context, { from: address, to: caller, wei: value }, frame.coin)
    emitDeposit(frame, { indexed: [caller], data: [value] })
    return []
  },
  23_878n,
)

const withdraw = writes(
  '',
  (frame, [asked]) => {
    const { caller } = frame.call
    const amount = integerArgument(asked)
    const balance = getSpendable(frame.context, caller, frame.coin.denom)
    if (balance * frame.coin.factor < amount) {
      const text = `account balance ${balance} is lower than withdraw balance ${amount}`
      throw new Reverted(text)
    }
    emitWithdrawal(frame, { indexed: [caller], data: [amount] })
    return []
  },
  9_207n,
)

/** A coin as a token. Its methods are not payable. */
export const erc20Precompile: MethodTable = {
  kind: 'methods',
  isMetered: false,
  refusesValue: true,
  methods: methodsOf(tokenMethods),
}

/** The EVM's coin as a token. Deposits are returned immediately; withdrawals only emit a log. */
export const werc20Precompile: MethodTable = {
  kind: 'methods',
  isMetered: false,
  methods: methodsOf({ ...tokenMethods, 'deposit()': deposit, 'withdraw(uint256)': withdraw }),
  fallback: { ...deposit, inputs: [] },
}

function pairOf({ context, call }: Frame): TokenPair {
  const pair = findTokenPair(context, call.address)
  assert(pair !== undefined, 'an address that answers as a token has a pair')
  return pair
}

/**
 * Returns a coin's metadata. If there is none, the node looks for the trace of an IBC coin, which
 * does not exist on this chain.
 */
function metadataOf(frame: Frame) {
  const metadata = getMetadata(frame.context, pairOf(frame).denom)
  if (metadata === undefined) throw new Reverted('execution reverted')
  return metadata
}

function decimalsOf(frame: Frame): bigint {
  const { base, display, denomUnits } = metadataOf(frame)
  const shown = base.startsWith('ibc/') ? display.slice(display.lastIndexOf('/') + 1) : display
  const unit = denomUnits.findLast(({ denom }) => denom === shown)
  if (unit === undefined || unit.exponent > 255) throw new Reverted('execution reverted')
  return BigInt(unit.exponent)
}

type Move = { readonly from: Uint8Array; readonly to: Uint8Array; readonly amount: bigint }

function transfer(frame: Frame, { from, to, amount }: Move): void {
  const { context, coin } = frame
  const { denom } = pairOf(frame)
  if (amount === 0n) throw new Reverted(`coin 0${denom} amount is not positive`)
  const coins = [{ denom, amount }]
  try {
    checkSendEnabled(context, coins, (each) => (each === coin.extendedDenom ? coin.denom : each))
    checkReceiver(context, to)
    sendPrecise(context, { from, to, coins })
  } catch (error) {
    if (error instanceof TooFewSpendable) throw new Reverted('ERC20: transfer amount exceeds balance')
    throw error
  }
  emitTransfer(frame, { indexed: [from, to], data: [amount] })
}

/** Runs transferFrom. As on the node (v0.5.0), its Approval event always reports 0. */
function transferFrom(frame: Frame, move: Move): void {
  const { from, amount } = move
  const spender = frame.call.caller
  const { denom } = pairOf(frame)
  if (amount === 0n) throw new Reverted(`coin 0${denom} amount is not positive`)
  const allowance = allowanceOf(frame, from, spender)
  const left = getAllowance(frame.context, allowance) - amount
  if (left < 0n) throw new Reverted('ERC20: insufficient allowance')
  changeAllowance(frame, allowance, left)
  transfer(frame, move)
  emitApproval(frame, { indexed: [from, spender], data: [0n] })
}

function approve(frame: Frame, spender: Uint8Array, amount: bigint): void {
  const owner = frame.call.caller
  const allowance = allowanceOf(frame, owner, spender)
  if (amount > 0n || getAllowance(frame.context, allowance) > 0n) {
    changeAllowance(frame, allowance, amount)
  }
  emitApproval(frame, { indexed: [owner, spender], data: [amount] })
}

function allowanceOf({ call }: Frame, owner: Uint8Array, spender: Uint8Array): AllowanceOf {
  return { token: call.address, owner, spender }
}

function changeAllowance(frame: Frame, allowance: AllowanceOf, amount: bigint): void {
  const { erc20, enabled } = pairOf(frame)
  if (!enabled) {
    const text = `token pair for address '${erc20}' is disabled: erc20 token pair is disabled`
    throw new Reverted(text)
  }
  for (const name of ['owner', 'spender'] as const) {
    const isEmpty = allowance[name].every((byte) => byte === 0)
    if (isEmpty) throw new Reverted(`${name} address is empty: invalid address`)
  }
  setAllowance(frame.context, allowance, amount)
}
