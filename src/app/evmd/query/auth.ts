/** /cosmos.auth.v1beta1.Query */
import {
  Any, AuthQueryParamsResponse, QueryAccountRequest, QueryAccountResponse,
  QueryModuleAccountsResponse,
} from '../../../codec/protobuf/cosmos.ts'
import { message, text } from '../../../codec/protobuf/message.ts'
import { addressOf, modulePermissions } from '../address.ts'
import type { Context } from '../context.ts'
import { anyOfAccount, getAccount, moduleAccount } from '../modules/auth/accounts.ts'
import { authParams } from '../modules/auth/params.ts'
import { sdkError, TxError } from '../txError.ts'
import { ofPage } from './answer.ts'
import { listed, pageOf } from './page.ts'
import { invalidArgument, notFound } from './status.ts'

// A text that is no address is an unknown request here, where elsewhere it is an argument.
function knownAddress(text: string): Uint8Array {
  try {
    return addressOf(text)
  } catch (error) {
    if (error instanceof TxError) throw sdkError('unknownRequest', error.message)
    throw error
  }
}

type Method = (context: Context, data: Uint8Array) => Uint8Array

const bech32Prefix = message<{ prefix: string }>({ 1: ['prefix', text] })

export const authQueries: Readonly<Record<string, Method>> = {
  '/cosmos.auth.v1beta1.Query/Account': (context, data) => {
    const { address } = QueryAccountRequest.decode(data)
    if (address === '') throw invalidArgument('Address cannot be empty')
    const account = getAccount(context, knownAddress(address))
    if (account === undefined) {
      throw notFound(`account ${address} not found`)
    }
    return QueryAccountResponse.encode({ account: anyOfAccount(account) }).finish()
  },
  '/cosmos.auth.v1beta1.Query/Accounts': (context, data) => {
    const { page } = ofPage.decode(data)
    const all = { store: 'acc', prefix: Uint8Array.of(1), page } as const
    return listed.encode(pageOf(context, all, ([key]) => {
      const account = getAccount(context, key)
      return account && Any.encode(anyOfAccount(account)).finish()
    }))
  },
  '/cosmos.auth.v1beta1.Query/Params': (context) => (
    AuthQueryParamsResponse.encode({ params: authParams(context) }).finish()
  ),
  '/cosmos.auth.v1beta1.Query/ModuleAccounts': (context) => {
    const names = Object.keys(modulePermissions).toSorted()
    const accounts = names.map((name) => anyOfAccount(moduleAccount(context, name)))
    return QueryModuleAccountsResponse.encode({ accounts }).finish()
  },
  '/cosmos.auth.v1beta1.Query/Bech32Prefix': () => bech32Prefix.encode({ prefix: 'cosmos' }),
}
