/** /cosmos.bank.v1beta1.Query */
import {
  BankQueryParamsResponse, QueryAllBalancesRequest, QueryAllBalancesResponse, QueryBalanceRequest,
  QueryBalanceResponse, QueryDenomMetadataRequest, QueryDenomMetadataResponse,
  QueryDenomsMetadataResponse, QuerySpendableBalancesRequest, QuerySpendableBalancesResponse,
  QuerySupplyOfRequest, QuerySupplyOfResponse, QueryTotalSupplyResponse,
} from '../../../codec/protobuf/cosmos.ts'
import { addressOf } from '../address.ts'
import type { Context } from '../context.ts'
import { allBalances, getBalance, getSupply, totalSupply } from '../modules/bank/balances.ts'
import { type Coin, isDenom } from '../modules/bank/coins.ts'
import { allMetadata, bankParams, getMetadata } from '../modules/bank/params.ts'
import { TxError } from '../txError.ts'
import { invalidArgument, notFound } from './status.ts'

type Method = (context: Context, data: Uint8Array) => Uint8Array

const prefix = '/cosmos.bank.v1beta1.Query/'

export const bankQueries: Readonly<Record<string, Method>> = {
  [`${prefix}Balance`]: (context, data) => {
    const { address, denom } = QueryBalanceRequest.decode(data)
    checkDenom(denom)
    const amount = getBalance(context, holder(address), denom)
    return QueryBalanceResponse.encode({ balance: wire({ denom, amount }) }).finish()
  },
  [`${prefix}AllBalances`]: (context, data) => {
    const balances = allBalances(context, holder(QueryAllBalancesRequest.decode(data).address))
    return QueryAllBalancesResponse.encode({
      balances: balances.map(wire), pagination: pageOf(balances.length),
    }).finish()
  },
  [`${prefix}SpendableBalances`]: (context, data) => {
    const balances = allBalances(context, holder(QuerySpendableBalancesRequest.decode(data).address))
    return QuerySpendableBalancesResponse.encode({
      balances: balances.map(wire), pagination: pageOf(balances.length),
    }).finish()
  },
  [`${prefix}SupplyOf`]: (context, data) => {
    const { denom } = QuerySupplyOfRequest.decode(data)
    checkDenom(denom)
    return QuerySupplyOfResponse.encode({
      amount: wire({ denom, amount: getSupply(context, denom) }),
    }).finish()
  },
  [`${prefix}TotalSupply`]: (context) => {
    const supply = totalSupply(context)
    return QueryTotalSupplyResponse.encode({
      supply: supply.map(wire), pagination: pageOf(supply.length),
    }).finish()
  },
  [`${prefix}DenomMetadata`]: (context, data) => {
    const { denom } = QueryDenomMetadataRequest.decode(data)
    checkDenom(denom)
    const metadata = getMetadata(context, denom)
    if (metadata === undefined) throw notFound(`client metadata for denom ${denom}`)
    return QueryDenomMetadataResponse.encode({ metadata }).finish()
  },
  [`${prefix}DenomsMetadata`]: (context) => {
    const metadatas = [...allMetadata(context)]
    return QueryDenomsMetadataResponse.encode({
      metadatas, pagination: pageOf(metadatas.length),
    }).finish()
  },
  [`${prefix}Params`]: (context) => (
    BankQueryParamsResponse.encode({ params: bankParams(context) }).finish()
  ),
}

function wire({ denom, amount }: Coin): { denom: string; amount: string } {
  return { denom, amount: amount.toString() }
}

function pageOf(length: number): { nextKey: Uint8Array; total: bigint } {
  return { nextKey: new Uint8Array(0), total: BigInt(length) }
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
