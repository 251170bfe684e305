/** /cosmos.bank.v1beta1.Query */
import { concatBytes } from '../../../data/bytes.ts'
import {
  BankQueryParamsResponse,
  QueryBalanceRequest,
  QueryBalanceResponse,
  QueryDenomMetadataRequest,
  QueryDenomMetadataResponse,
  QuerySupplyOfRequest,
  QuerySupplyOfResponse,
} from '../../../codec/messages/cosmos.ts'
import { bool, message, nested, repeated, text } from '../../../codec/protobuf/message.ts'
import { isExpected } from '../../../errors.ts'
import { type Addressing, addressOf } from '../address.ts'
import type { Context } from '../context.ts'
import { getAccount } from '../modules/auth/accounts.ts'
import { getBalance, getSupply } from '../modules/bank/balances.ts'
import { type Coin, isDenom } from '../coins.ts'
import { bankParams, getMetadata, isEnabled, ownSendEnabled } from '../modules/bank/params.ts'
import { getSpendable, spendableOf } from '../modules/bank/spendable.ts'
import { sized } from '../storeKeys.ts'
import { addressed, coinField, coinMessage } from '../wire.ts'
import { ofPage, ofText, rawMessage } from './answer.ts'
import { listed, type Listed, type PageRequest, prefixPage, pageRequest, pageResponse, plainly } from './page.ts'
import { invalidArgument, notFound } from './status.ts'

type Method = (context: Context, data: Uint8Array) => Uint8Array

const ownerMessage = addressed(({ account }) =>
  message<{ address: Uint8Array; balance: Coin }>({
    1: ['address', account],
    2: ['balance', coinField],
  }),
)

type BalancesRequest = { address: string; page: PageRequest | undefined; resolvesDenom: boolean }
const balancesRequest = message<BalancesRequest>({
  1: ['address', text],
  2: ['page', nested(pageRequest)],
  3: ['resolvesDenom', bool],
})

type SendEnabledRequest = { denoms: readonly string[]; page: PageRequest | undefined }
const sendEnabledRequest = message<SendEnabledRequest>({
  1: ['denoms', repeated(text)],
  99: ['page', nested(pageRequest)],
})
const sendEnabledEntry = message<{ denom: string; enabled: boolean }>({
  1: ['denom', text],
  2: ['enabled', bool],
})
const sendEnabledAnswer = message<Listed>({
  1: ['items', repeated(rawMessage)],
  99: ['page', nested(pageResponse)],
})

/** The lists of balances name what refuses a request with both a key and an offset. */
const paginates = (text: string): Error => invalidArgument(`paginate: ${text}`)

const prefix = '/cosmos.bank.v1beta1.Query/'

export const bankQueries: Readonly<Record<string, Method>> = {
  [`${prefix}Balance`]: (context, data) => {
    const { address, denom } = QueryBalanceRequest.decode(data)
    checkDenom(denom)
    const amount = getBalance(context, holder(context, address), denom)
    return QueryBalanceResponse.encode({ balance: wire({ denom, amount }) })
  },
  [`${prefix}AllBalances`]: balancesOf,
  [`${prefix}SpendableBalances`]: (context, data) => {
    const { text: address, page } = ofText.decode(data)
    const owner = holder(context, address)
    const account = getAccount(context, owner)
    return coinsUnder(context, balancesAt(owner), {
      page,
      shown: (coin) => spendableOf(context, account, coin),
      refuses: paginates,
    })
  },
  [`${prefix}SpendableBalanceByDenom`]: (context, data) => {
    const { address, denom } = QueryBalanceRequest.decode(data)
    const owner = holder(context, address)
    checkDenom(denom)
    const amount = getSpendable(context, owner, denom)
    return QueryBalanceResponse.encode({ balance: wire({ denom, amount }) })
  },
  [`${prefix}SendEnabled`]: (context, data) => {
    const { denoms, page } = sendEnabledRequest.decode(data)
    const at = Uint8Array.of(4)
    if (denoms.length === 0)
      return sendEnabledAnswer.encode(
        prefixPage(context, { store: 'bank', prefix: at, page, isCollection: true }, ([key, value]) =>
          sendEnabledEntry.encode({ denom: new TextDecoder().decode(key), enabled: isEnabled(value) }),
        ),
      )
    // Only denominations with an entry are listed, in the requested order.
    const items = denoms.flatMap((denom) => {
      const enabled = ownSendEnabled(context, denom)
      return enabled === undefined ? [] : [sendEnabledEntry.encode({ denom, enabled })]
    })
    return sendEnabledAnswer.encode({ items, page: undefined })
  },
  [`${prefix}SupplyOf`]: (context, data) => {
    const { denom } = QuerySupplyOfRequest.decode(data)
    checkDenom(denom)
    return QuerySupplyOfResponse.encode({
      amount: wire({ denom, amount: getSupply(context, denom) }),
    })
  },
  [`${prefix}TotalSupply`]: (context, data) => coinsUnder(context, Uint8Array.of(0), ofPage.decode(data)),
  [`${prefix}DenomOwners`]: denomOwners,
  [`${prefix}DenomOwnersByQuery`]: denomOwners,
  [`${prefix}DenomMetadata`]: denomMetadata,
  [`${prefix}DenomMetadataByQueryString`]: denomMetadata,
  [`${prefix}DenomsMetadata`]: (context, data) => {
    const { page } = ofPage.decode(data)
    return listed.encode(prefixPage(context, { store: 'bank', prefix: Uint8Array.of(1), page }))
  },
  [`${prefix}Params`]: (context) => BankQueryParamsResponse.encode({ params: bankParams(context) }),
}

function denomOwners(context: Context, data: Uint8Array): Uint8Array {
  const { text: denom, page } = ofText.decode(data)
  checkDenom(denom)
  const at = concatBytes([Uint8Array.of(3), new TextEncoder().encode(denom), Uint8Array.of(0)])
  const all = { store: 'bank', prefix: at, page, isCollection: true, refuses: plainly } as const
  return listed.encode(
    prefixPage(context, all, ([key]) => {
      const address = key.slice(1)
      const balance = { denom, amount: getBalance(context, address, denom) }
      return ownerMessage(context).encode({ address, balance })
    }),
  )
}

function denomMetadata(context: Context, data: Uint8Array): Uint8Array {
  const { denom } = QueryDenomMetadataRequest.decode(data)
  checkDenom(denom)
  const metadata = getMetadata(context, denom)
  if (metadata === undefined) throw notFound(`client metadata for denom ${denom}`)
  return QueryDenomMetadataResponse.encode({ metadata })
}

function wire({ denom, amount }: Coin): { denom: string; amount: string } {
  return { denom, amount: amount.toString() }
}

function balancesOf(context: Context, data: Uint8Array): Uint8Array {
  const { address, page, resolvesDenom } = balancesRequest.decode(data)
  const shownDenom = (denom: string) => displayOf(context, denom) ?? denom
  return coinsUnder(context, balancesAt(holder(context, address)), {
    page,
    refuses: paginates,
    ...(resolvesDenom ? { shownDenom } : {}),
  })
}

/** Returns the display unit from a coin's metadata. */
function displayOf(context: Context, denom: string): string | undefined {
  const metadata = getMetadata(context, denom)
  return metadata === undefined || metadata.display === '' ? undefined : metadata.display
}

function balancesAt(owner: Uint8Array): Uint8Array {
  return concatBytes([Uint8Array.of(2), sized(owner)])
}

/** Returns a page of entries whose keys end in a denomination and whose values are amounts. */
function coinsUnder(
  context: Context,
  at: Uint8Array,
  { page, shown = ({ amount }) => amount, shownDenom = (denom) => denom, ...refusal }: Shown,
): Uint8Array {
  const all = { store: 'bank', prefix: at, page, isCollection: true, ...refusal } as const
  return listed.encode(
    prefixPage(context, all, ([key, value]) => {
      const denom = new TextDecoder().decode(key)
      const amount = BigInt(new TextDecoder().decode(value))
      return coinMessage.encode({ denom: shownDenom(denom), amount: shown({ denom, amount }) })
    }),
  )
}

type Shown = {
  readonly page: PageRequest | undefined
  readonly refuses?: (text: string) => Error
  readonly shown?: (coin: Coin) => bigint
  readonly shownDenom?: (denom: string) => string
}

function checkDenom(denom: string): void {
  if (!isDenom(denom)) throw invalidArgument(`invalid denom: ${denom}`)
}

function holder(at: Addressing, address: string): Uint8Array {
  try {
    return addressOf(at, address)
  } catch (error) {
    if (!isExpected(error)) throw error
    throw invalidArgument(`invalid address: ${error.message}`)
  }
}
