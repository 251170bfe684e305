/** /cosmos.evm.vm.v1.Query and /cosmos.evm.feemarket.v1.Query */
import {
  baseFeeResponse,
  blockGasResponse,
  byAddress,
  cosmosAccount,
  feemarketParamsResponse,
  minGasPriceResponse,
  vmAccount,
  vmBalance,
  vmBaseFeeResponse,
  vmCode,
  vmParamsResponse,
  vmStorage,
  vmStorageRequest,
} from '../../../codec/messages/cosmosEvm.ts'
import { bytesOfDigits, hexOf } from '../../../codec/hex.ts'
import { accountText } from '../address.ts'
import type { Context } from '../context.ts'
import { getAccount } from '../modules/auth/accounts.ts'
import { getBalance } from '../modules/bank/balances.ts'
import { getEvmAccount } from '../modules/evm/state.ts'
import { evmCoin } from '../evmCoin.ts'
import { weiOf } from '../modules/precisebank/fractions.ts'
import { emptyCodeHash, getCode, getCodeHash, getEvmParams, getSlot } from '../modules/evm/store.ts'
import { baseFeeOf, inWei } from '../modules/feemarket/baseFee.ts'
import { blockGas, getFeemarketParams, type Params, storedFeemarketParams } from '../modules/feemarket/params.ts'
import { invalidArgument } from './status.ts'

type Method = (context: Context, data: Uint8Array) => Uint8Array

const vm = '/cosmos.evm.vm.v1.Query/'
const feemarket = '/cosmos.evm.feemarket.v1.Query/'

export const evmQueries: Readonly<Record<string, Method>> = {
  [`${vm}Account`]: (context, data) => {
    const address = ethAddressOf(byAddress.decode(data).address)
    const account = getEvmAccount(context, address, evmCoin(context))
    return vmAccount.encode({
      balance: (account?.balance ?? 0n).toString(),
      codeHash: hexOf(account?.codeHash ?? emptyCodeHash),
      nonce: account?.nonce ?? 0n,
    })
  },
  [`${vm}CosmosAccount`]: (context, data) => {
    const address = ethAddressOf(byAddress.decode(data).address)
    const account = getAccount(context, address)
    return cosmosAccount.encode({
      cosmosAddress: accountText(context, address),
      sequence: account?.sequence ?? 0n,
      accountNumber: account?.number ?? 0n,
    })
  },
  [`${vm}Balance`]: (context, data) => {
    const address = stateAddressOf(byAddress.decode(data).address)
    const coin = evmCoin(context)
    const balance = weiOf(context, address, coin, getBalance(context, address, coin.denom))
    return vmBalance.encode({ balance: balance.toString() })
  },
  [`${vm}Storage`]: (context, data) => {
    const { address, key } = vmStorageRequest.decode(data)
    const slot = bytesOfDigits(key.replace(/^0x/i, '').padStart(64, '0')) ?? new Uint8Array(32)
    const value = getSlot(context, stateAddressOf(address), slot) ?? new Uint8Array(32)
    return vmStorage.encode({ value: hexOf(value) })
  },
  [`${vm}Code`]: (context, data) => {
    const address = stateAddressOf(byAddress.decode(data).address)
    return vmCode.encode({ code: getCode(context, getCodeHash(context, address)) })
  },
  [`${vm}Params`]: (context) => vmParamsResponse.encode({ params: getEvmParams(context) }),
  [`${vm}BaseFee`]: (context) => vmBaseFeeResponse.encode({ baseFee: baseFeeOf(context).toString() }),
  [`${vm}GlobalMinGasPrice`]: (context) =>
    minGasPriceResponse.encode({
      minGasPrice: inWei(context, getFeemarketParams(context).minGasPrice).toString(),
    }),
  [`${feemarket}Params`]: (context) => feemarketParamsResponse.encode({ params: storedFeemarketParams(context) }),
  [`${feemarket}BaseFee`]: (context) => baseFeeResponse.encode({ baseFee: shownBaseFee(getFeemarketParams(context)) }),
  [`${feemarket}BlockGas`]: (context) => blockGasResponse.encode({ gas: blockGas(context) }),
}

function shownBaseFee({ noBaseFee, baseFee }: Params): string {
  return noBaseFee ? '0' : baseFee.toString()
}

function ethAddressOf(text: string): Uint8Array {
  const bytes = hexAddressIn(text)
  if (bytes !== undefined) return bytes
  throw invalidArgument(`address '${text}' is not a valid ethereum hex address: invalid address`)
}

/**
 * Returns an address. As on the node, a malformed address is rejected with the error for the zero
 * address.
 */
function stateAddressOf(text: string): Uint8Array {
  const bytes = hexAddressIn(text)
  if (bytes !== undefined) return bytes
  throw invalidArgument('invalid zero address')
}

function hexAddressIn(text: string): Uint8Array | undefined {
  const isAddress = /^(0x)?[0-9a-fA-F]{40}$/i.test(text)
  return isAddress ? bytesOfDigits(text.replace(/^0x/i, '')) : undefined
}
