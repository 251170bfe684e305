import test from 'ava'
import { MsgSend } from 'cosmjs-types/cosmos/bank/v1beta1/tx'
import { MsgDelegate, MsgUndelegate } from 'cosmjs-types/cosmos/staking/v1beta1/tx'
import {
  MsgCreatePeriodicVestingAccount,
  MsgCreatePermanentLockedAccount,
  MsgCreateVestingAccount,
} from 'cosmjs-types/cosmos/vesting/v1beta1/tx'
import { QueryAccountRequest, QueryAccountResponse } from 'cosmjs-types/cosmos/auth/v1beta1/query'
import { ContinuousVestingAccount } from 'cosmjs-types/cosmos/vesting/v1beta1/vesting'
import { any, type MessageChain, person, startMessages } from '../../../helpers/messageChain.ts'
import { operatorsOf } from '../../../helpers/randomMessages.ts'

const alice = person(0)
const holder = person(40)
const coins = (amount: bigint) => [{ denom: 'atest', amount: amount.toString() }]
const token = 10n ** 18n
const ends = { fromAddress: alice.address, toAddress: holder.address }

const pay = (amount: bigint) =>
  any(MsgSend, { fromAddress: alice.address, toAddress: holder.address, amount: coins(amount) })
const spend = (chain: MessageChain, amount: bigint) =>
  chain.send(
    holder,
    any(MsgSend, {
      fromAddress: holder.address,
      toAddress: alice.address,
      amount: coins(amount),
    }),
  )

/** A holder with 100 locked tokens and one free one for fees. */
function start(message: ReturnType<typeof any>): MessageChain {
  const chain = startMessages()
  const made = chain.send(alice, message)
  if (made.code !== 0) throw new Error(made.log)
  chain.send(alice, pay(token))
  return chain
}

test('coins of a continuous vesting account become free evenly', (t) => {
  const begun = startMessages()
  const chain = start(
    any(MsgCreateVestingAccount, { ...ends, amount: coins(100n * token), endTime: begun.time + 1001n }),
  )
  t.regex(
    spend(chain, 50n * token).log,
    /spendable balance \d+atest is smaller than 50000000000000000000atest: insufficient funds$/,
  )
  chain.jump(500)
  t.is(spend(chain, 49n * token).code, 0)
  t.not(spend(chain, 20n * token).code, 0)
  chain.jump(600)
  t.is(spend(chain, 51n * token).code, 0)
})

test('coins of a delayed vesting account become free at its end', (t) => {
  const begun = startMessages()
  const chain = start(
    any(MsgCreateVestingAccount, {
      ...ends,
      amount: coins(100n * token),
      endTime: begun.time + 1000n,
      delayed: true,
    }),
  )
  chain.jump(900)
  t.not(spend(chain, 2n * token).code, 0)
  chain.jump(200)
  t.is(spend(chain, 100n * token).code, 0)
})

test('coins of a periodic vesting account become free period by period', (t) => {
  const begun = startMessages()
  const chain = start(
    any(MsgCreatePeriodicVestingAccount, {
      ...ends,
      startTime: begun.time,
      vestingPeriods: [
        { length: 100n, amount: coins(10n * token) },
        { length: 100n, amount: coins(90n * token) },
      ],
    }),
  )
  t.not(spend(chain, 2n * token).code, 0)
  chain.jump(120)
  t.is(spend(chain, 10n * token).code, 0)
  t.not(spend(chain, 2n * token).code, 0)
  chain.jump(100)
  t.is(spend(chain, 90n * token).code, 0)
})

test('a schedule that ended before it began locks its coins until the second of its start is over', (t) => {
  const chain = startMessages()
  const again = (run: () => { code: number }) => {
    chain.time -= 1n
    return run().code
  }
  t.is(chain.send(alice, any(MsgCreateVestingAccount, { ...ends, amount: coins(100n * token), endTime: 1n })).code, 0)
  t.is(
    again(() => chain.send(alice, pay(token))),
    0,
  )
  t.is(
    again(() => spend(chain, 2n * token)),
    5,
  )
  t.is(spend(chain, 2n * token).code, 0)
})

test('locked coins can be delegated, and stay locked when they come back', (t) => {
  const chain = start(any(MsgCreatePermanentLockedAccount, { ...ends, amount: coins(100n * token) }))
  const stake = {
    delegatorAddress: holder.address,
    validatorAddress: operatorsOf(chain)[0] ?? '',
    amount: coins(80n * token)[0],
  }
  t.is(chain.send(holder, any(MsgDelegate, stake)).code, 0)
  t.not(spend(chain, token).code, 0)
  t.is(chain.send(holder, any(MsgUndelegate, stake)).code, 0)
  chain.jump(22 * 86_400)
  t.not(spend(chain, 2n * token).code, 0)
  t.is(chain.send(alice, pay(2n * token)).code, 0)
  t.is(spend(chain, 2n * token).code, 0)
})

test('the account is stored and answered as the SDK spells it', (t) => {
  const begun = startMessages()
  const chain = start(any(MsgCreateVestingAccount, { ...ends, amount: coins(7n), endTime: begun.time + 50n }))
  const data = QueryAccountRequest.encode({ address: holder.address }).finish()
  const { account } = QueryAccountResponse.decode(chain.query('/cosmos.auth.v1beta1.Query/Account', data))
  t.is(account?.typeUrl, '/cosmos.vesting.v1beta1.ContinuousVestingAccount')
  const { startTime, baseVestingAccount } = ContinuousVestingAccount.decode(account?.value ?? new Uint8Array(0))
  t.is(startTime, begun.time + 1n)
  t.is(baseVestingAccount?.endTime, begun.time + 50n)
  t.deepEqual(baseVestingAccount?.originalVesting, coins(7n))
  t.is(baseVestingAccount?.baseAccount?.address, holder.address)
})

test('an account that is there cannot be made a vesting account', (t) => {
  const chain = startMessages()
  const { code, log } = chain.send(
    alice,
    any(MsgCreateVestingAccount, {
      fromAddress: alice.address,
      toAddress: person(1).address,
      amount: coins(1n),
      endTime: 9n ** 12n,
    }),
  )
  t.is(code, 18)
  t.regex(log, /account cosmos1\w+ already exists: invalid request$/)
})
