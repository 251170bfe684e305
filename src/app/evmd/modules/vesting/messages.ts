/**
 * Messages that create vesting accounts, whose coins are locked for a time (x/auth/vesting
 * msg_server.go).
 */
import { always, bool, int64, type Message, message, repeated, text } from '../../../../codec/protobuf/message.ts'
import { type Addressing, addressOf, namedAddress } from '../../address.ts'
import type { Context, Handler } from '../../context.ts'
import { handler } from '../../tx/handler.ts'
import { sdkError } from '../../txError.ts'
import { coinField } from '../../wire.ts'
import { getAccount, newAccount, setAccount } from '../auth/accounts.ts'
import { isBlocked } from '../bank/blocked.ts'
import { addCoinSets } from '../../coinSets.ts'
import { areValid, type Coin, coinsText } from '../../coins.ts'
import { checkSendEnabled } from '../bank/params.ts'
import { sendCoins } from '../bank/send.ts'
import { type Period, periodMessage, type Vesting } from '../auth/vesting.ts'

type Ends = { from: string; to: string }
type MsgCreate = Ends & { amount: readonly Coin[]; end: bigint; delayed: boolean }
type MsgLock = Ends & { amount: readonly Coin[] }
type MsgPeriodic = Ends & { start: bigint; periods: readonly Period[] }

const msgCreate = message<MsgCreate>({
  1: ['from', text],
  2: ['to', text],
  3: ['amount', repeated(coinField)],
  4: ['end', int64],
  5: ['delayed', bool],
})
const msgLock = message<MsgLock>({
  1: ['from', text],
  2: ['to', text],
  3: ['amount', repeated(coinField)],
})
const msgPeriodic = message<MsgPeriodic>({
  1: ['from', text],
  2: ['to', text],
  3: ['start', int64],
  4: ['periods', repeated(always(periodMessage))],
})

const prefix = '/cosmos.vesting.v1beta1.'

function byFrom<Value extends Ends>(codec: Message<Value>, run: (context: Context, asked: Value) => void): Handler {
  return handler(codec, ({ from }, at) => addressOf(at, from), run)
}

export const vestingMessages: Readonly<Record<string, Handler>> = {
  [`${prefix}MsgCreateVestingAccount`]: byFrom(msgCreate, (context, asked) => {
    const ends = endsOf(context, asked)
    checkAmount(asked.amount)
    if (asked.end <= 0n) throw sdkError('invalidRequest', 'invalid end time')
    const now = context.block.timeSeconds
    const kind = asked.delayed ? 'delayed' : 'continuous'
    const start = asked.delayed ? 0n : now
    createVestingAccount(context, ends, { ...unused, kind, original: asked.amount, start, end: asked.end })
  }),
  [`${prefix}MsgCreatePermanentLockedAccount`]: byFrom(msgLock, (context, asked) => {
    const ends = endsOf(context, asked)
    checkAmount(asked.amount)
    createVestingAccount(context, ends, { ...unused, kind: 'permanent', original: asked.amount })
  }),
  [`${prefix}MsgCreatePeriodicVestingAccount`]: byFrom(msgPeriodic, (context, asked) => {
    const ends = endsOf(context, asked)
    createVestingAccount(context, ends, periodicOf(asked))
  }),
}

const unused: Omit<Vesting, 'kind' | 'original'> = {
  delegatedFree: [],
  delegatedVesting: [],
  start: 0n,
  end: 0n,
  periods: [],
}

type Parties = { readonly from: Uint8Array; readonly to: Uint8Array; readonly toText: string }

function endsOf(at: Addressing, { from, to }: Ends): Parties {
  return { from: namedAddress(at, "'from'", from), to: namedAddress(at, "'to'", to), toText: to }
}

function checkAmount(amount: readonly Coin[]): void {
  if (amount.length === 0 || !areValid(amount)) throw sdkError('invalidCoins', coinsText(amount))
}

function periodicOf({ start, periods }: MsgPeriodic): Vesting {
  if (start < 1n) {
    throw sdkError('invalidRequest', `invalid start time of ${start}, length must be greater than 0`)
  }
  let original: readonly Coin[] = []
  let end = start
  periods.forEach(({ length, amount }, index) => {
    if (length < 1n) {
      throw sdkError(
        'invalidRequest',
        `invalid period length of ${length} in period ${index}, length must be greater than 0`,
      )
    }
    checkAmount(amount)
    original = addCoinSets(original, amount)
    end += length
  })
  return { ...unused, kind: 'periodic', original, start, end, periods }
}

/** Creates a vesting account and funds it. Throws the SDK's errors. */
function createVestingAccount(context: Context, { from, to, toText }: Parties, vesting: Vesting): void {
  const isPeriodic = vesting.kind === 'periodic'
  if (!isPeriodic) checkSendEnabled(context, vesting.original)
  if (isBlocked(to)) throw sdkError('unauthorized', `${toText} is not allowed to receive funds`)
  if (getAccount(context, to) !== undefined) {
    throw sdkError('invalidRequest', `account ${toText} already exists`)
  }
  if (isPeriodic) checkSendEnabled(context, vesting.original)
  const account = newAccount(context, to)
  if (isPeriodic && vesting.start >= vesting.end) {
    throw sdkError('invalidRequest', 'vesting start-time cannot be before end-time')
  }
  setAccount(context, { ...account, vesting })
  sendCoins(context, { from, to, coins: vesting.original })
}
