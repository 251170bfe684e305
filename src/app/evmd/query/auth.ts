/** /cosmos.auth.v1beta1.Query */
import {
  Any,
  AuthQueryParamsResponse,
  BaseAccount,
  QueryModuleAccountsResponse,
} from '../../../codec/messages/cosmos.ts'
import { bytes, int64, message, uint64 } from '../../../codec/protobuf/message.ts'
import { accountText, addressOf, modulePermissions, prefixOf } from '../address.ts'
import type { Context } from '../context.ts'
import { type Account, addressByNumber, anyOfAccount, getAccount, moduleAccount } from '../modules/auth/accounts.ts'
import { authParams } from '../modules/auth/params.ts'
import { itemResponse, type Methods, ofPage, ofText } from './answer.ts'
import { listed, prefixPage, plainly } from './page.ts'
import { invalidArgument, notFound, PlainQueryError } from './status.ts'

const service = '/cosmos.auth.v1beta1.Query/'
const ofBytes = message<{ bytes: Uint8Array }>({ 1: ['bytes', bytes] })
const ofId = message<{ old: bigint; id: bigint }>({ 1: ['old', int64], 2: ['id', uint64] })

export const authQueries: Methods = {
  [`${service}Account`]: (context, data) => {
    const { text: address } = ofText.decode(data)
    if (address === '') throw invalidArgument('Address cannot be empty')
    return itemResponse(Any.encode(anyOfAccount(context, accountAt(context, address))))
  },
  [`${service}AccountInfo`]: (context, data) => {
    const { text: address } = ofText.decode(data)
    if (address === '') throw invalidArgument('address cannot be empty')
    const { publicKey: pubKey, number: accountNumber, sequence } = accountAt(context, address)
    const key = pubKey && { pubKey }
    return itemResponse(BaseAccount.encode({ address, ...key, accountNumber, sequence }))
  },
  [`${service}AccountAddressByID`]: (context, data) => {
    const { old, id } = ofId.decode(data)
    if (old !== 0n) {
      throw invalidArgument("requesting with id isn't supported, try to request using account-id")
    }
    const found = addressByNumber(context, id)
    if (found === undefined) throw notFound(`account address not found with account number ${id}`)
    return ofText.encode({ text: accountText(context, found) })
  },
  [`${service}ModuleAccountByName`]: (context, data) => {
    const { text: name } = ofText.decode(data)
    if (name === '') throw invalidArgument('module name is empty')
    if (!Object.hasOwn(modulePermissions, name)) throw notFound(`account ${name} not found`)
    return itemResponse(Any.encode(anyOfAccount(context, moduleAccount(context, name))))
  },
  [`${service}AddressBytesToString`]: (context, data) => {
    const { bytes: address } = ofBytes.decode(data)
    if (address.length === 0) throw new PlainQueryError('empty address bytes is not allowed')
    return ofText.encode({ text: accountText(context, address) })
  },
  [`${service}AddressStringToBytes`]: (context, data) => {
    const { text: address } = ofText.decode(data)
    if (address.trim() === '') throw new PlainQueryError('empty address string is not allowed')
    return ofBytes.encode({ bytes: addressOf(context, address) })
  },
  [`${service}Accounts`]: (context, data) => {
    const { page } = ofPage.decode(data)
    const all = { store: 'acc', prefix: Uint8Array.of(1), page, isCollection: true, refuses: plainly } as const
    return listed.encode(
      prefixPage(context, all, ([key]) => {
        const account = getAccount(context, key)
        return account && Any.encode(anyOfAccount(context, account))
      }),
    )
  },
  [`${service}Params`]: (context) => AuthQueryParamsResponse.encode({ params: authParams(context) }),
  [`${service}ModuleAccounts`]: (context) => {
    const names = Object.keys(modulePermissions).toSorted()
    const accounts = names.map((name) => anyOfAccount(context, moduleAccount(context, name)))
    return QueryModuleAccountsResponse.encode({ accounts })
  },
  [`${service}Bech32Prefix`]: (context) => ofText.encode({ text: prefixOf(context, 'account') }),
}

function accountAt(context: Context, address: string): Account {
  const account = getAccount(context, addressOf(context, address))
  if (account === undefined) throw notFound(`account ${address} not found`)
  return account
}
