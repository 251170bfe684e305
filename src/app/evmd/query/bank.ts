/** /cosmos.bank.v1beta1.Query */
import { concatBytes } from '../../../data/bytes.ts'
import {
  BankQueryParamsResponse, QueryBalanceRequest, QueryBalanceResponse, QueryDenomMetadataRequest,
  QueryDenomMetadataResponse, QuerySupplyOfRequest, QuerySupplyOfResponse,
} from '../../../codec/protobuf/cosmos.ts'
import { message } from '../../../codec/protobuf/message.ts'
import { addressOf } from '../address.ts'
import type { Context } from '../context.ts'
import { getBalance, getSupply } from '../modules/bank/balances.ts'
import { type Coin, isDenom } from '../modules/bank/coins.ts'
import { bankParams, getMetadata } from '../modules/bank/params.ts'
import { TxError } from '../txError.ts'
import { sized } from '../storeKeys.ts'
import { accountField, coinField, coinMessage } from '../wire.ts'
import { ofPage, ofText } from './answer.ts'
import { listed, type PageRequest, pageOf } from './page.ts'
import { invalidArgument, notFound } from './status.ts'

type Method = (context: Context, data: Uint8Array) => Uint8Array

const ownerMessage = message<{ address: Uint8Array; balance: Coin }>({
  1: ['address', accountField], 2: ['balance', coinField],
})

const prefix = '/cosmos.bank.v1beta1.Query/'

export const bankQueries: Readonly<Record<string, Method>> = {
  [`${prefix}Balance`]: (context, data) => {
    const { address, denom } = QueryBalanceRequest.decode(data)
    checkDenom(denom)
    const amount = getBalance(context, holder(address), denom)
    return QueryBalanceResponse.encode({ balance: wire({ denom, amount }) }).finish()
  },
  [`${prefix}AllBalances`]: balancesOf,
  // Vesting aside, all that an account has may be spent.
  [`${prefix}SpendableBalances`]: balancesOf,
  [`${prefix}SupplyOf`]: (context, data) => {
    const { denom } = QuerySupplyOfRequest.decode(data)
    checkDenom(denom)
    return QuerySupplyOfResponse.encode({
      amount: wire({ denom, amount: getSupply(context, denom) }),
    }).finish()
  },
  [`${prefix}TotalSupply`]: (context, data) => (
    coinsUnder(context, Uint8Array.of(0), ofPage.decode(data).page)
  ),
  [`${prefix}DenomOwners`]: (context, data) => {
    const { text: denom, page } = ofText.decode(data)
    checkDenom(denom)
    const at = concatBytes([Uint8Array.of(3), new TextEncoder().encode(denom), Uint8Array.of(0)])
    return listed.encode(pageOf(context, { store: 'bank', prefix: at, page }, ([key]) => {
      const address = key.slice(1)
      const balance = { denom, amount: getBalance(context, address, denom) }
      return ownerMessage.encode({ address, balance })
    }))
  },
  [`${prefix}DenomMetadata`]: (context, data) => {
    const { denom } = QueryDenomMetadataRequest.decode(data)
    checkDenom(denom)
    const metadata = getMetadata(context, denom)
    if (metadata === undefined) throw notFound(`client metadata for denom ${denom}`)
    return QueryDenomMetadataResponse.encode({ metadata }).finish()
  },
  [`${prefix}DenomsMetadata`]: (context, data) => {
    const { page } = ofPage.decode(data)
    return listed.encode(pageOf(context, { store: 'bank', prefix: Uint8Array.of(1), page }))
  },
  [`${prefix}Params`]: (context) => (
    BankQueryParamsResponse.encode({ params: bankParams(context) }).finish()
  ),
}

function wire({ denom, amount }: Coin): { denom: string; amount: string } {
  return { denom, amount: amount.toString() }
}

function balancesOf(context: Context, data: Uint8Array): Uint8Array {
  const { text: address, page } = ofText.decode(data)
  return coinsUnder(context, concatBytes([Uint8Array.of(2), sized(holder(address))]), page)
}

/** Answers a page of entries whose keys end in a denomination and whose values are amounts. */
function coinsUnder(
  context: Context, at: Uint8Array, page: PageRequest | undefined,
): Uint8Array {
  return listed.encode(pageOf(context, { store: 'bank', prefix: at, page }, ([key, value]) => (
    coinMessage.encode({
      denom: new TextDecoder().decode(key), amount: BigInt(new TextDecoder().decode(value)),
    })
  )))
}

function checkDenom(denom: string): void {
  if (!isDenom(denom)) throw invalidArgument(`invalid denom: ${denom}`)
}

function holder(address: string): Uint8Array {
  try {
    return addressOf(address)
  } catch (error) {
    const text = error instanceof TxError && address === ''
      ? 'empty address string is not allowed'
      : error instanceof Error ? error.message : String(error)
    throw invalidArgument(`invalid address: ${text}`)
  }
}
