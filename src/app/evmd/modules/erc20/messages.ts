/** Messages of x/erc20 (msg_server.go, types/msg.go). */
import { isExpected } from '../../../../errors.ts'
import { always, bool, message, repeated, text } from '../../../../codec/protobuf/message.ts'
import { accountText, type Addressing, addressOf, bech32AddressOf, govModule } from '../../address.ts'
import { emit, type Context, type Handler } from '../../context.ts'
import { handler, validated } from '../../tx/handler.ts'
import { goError, sdkError } from '../../txError.ts'
import { coinField, digits } from '../../wire.ts'
import type { Coin } from '../../coins.ts'
import { govError } from '../gov/proposals.ts'
import { convertCoin, convertErc20 } from './convert.ts'
import { erc20Error } from './contract.ts'
import { registerErc20 } from './register.ts'
import {
  erc20Params,
  findNamedPair,
  isErc20Enabled,
  isHexAddress,
  readAddress,
  setErc20Params,
  storePair,
} from './tokenPairs.ts'

type MsgConvertErc20 = { contract: string; amount: bigint; receiver: string; sender: string }
type MsgConvertCoin = { coin: Coin; receiver: string; sender: string }
type Params = { isEnabled: boolean; isOpen: boolean }

const msgConvertErc20 = message<MsgConvertErc20>({
  1: ['contract', text],
  2: ['amount', digits],
  3: ['receiver', text],
  4: ['sender', text],
})
const msgConvertCoin = message<MsgConvertCoin>({
  1: ['coin', coinField],
  2: ['receiver', text],
  3: ['sender', text],
})
const msgRegister = message<{ signer: string; contracts: readonly string[] }>({
  1: ['signer', text],
  2: ['contracts', repeated(text)],
})
const msgToggle = message<{ authority: string; token: string }>({
  1: ['authority', text],
  2: ['token', text],
})
const msgUpdate = message<{ authority: string; params: Params }>({
  1: ['authority', text],
  2: ['params', always(message<Params>({ 1: ['isEnabled', bool], 5: ['isOpen', bool] }))],
})

const prefix = '/cosmos.evm.erc20.v1.'

export const erc20Messages: Readonly<Record<string, Handler>> = {
  [`${prefix}MsgConvertERC20`]: validated(
    msgConvertErc20,
    checkConvertErc20,
    handler(
      msgConvertErc20,
      ({ sender }) => hexAddress(sender),
      (context, asked) => {
        const { contract, amount, receiver, sender } = asked
        const [from, to] = [hexAddress(sender), addressOf(context, receiver)]
        convertErc20(context, contract, { sender: from, receiver: to, amount, spelled: { sender, receiver } })
      },
    ),
  ),
  [`${prefix}MsgConvertCoin`]: validated(
    msgConvertCoin,
    checkConvertCoin,
    handler(
      msgConvertCoin,
      ({ sender }, at) => addressOf(at, sender),
      (context, asked) => {
        const {
          coin: { denom, amount },
          receiver,
          sender,
        } = asked
        convertCoin(context, denom, { sender: addressOf(context, sender), receiver: hexAddress(receiver), amount })
      },
    ),
  ),
  [`${prefix}MsgRegisterERC20`]: validated(
    msgRegister,
    ({ contracts }) => contracts.forEach(checkContract),
    handler(msgRegister, ({ signer }, at) => addressOf(at, signer), register),
  ),
  [`${prefix}MsgToggleConversion`]: handler(msgToggle, ({ authority }, at) => addressOf(at, authority), toggle),
  [`${prefix}MsgUpdateParams`]: handler(
    msgUpdate,
    ({ authority }, at) => addressOf(at, authority),
    (context, { authority, params }) => {
      checkAuthority(context, authority)
      setErc20Params(context, params)
    },
  ),
}

function hexAddress(spelled: string): Uint8Array {
  if (isHexAddress(spelled)) return readAddress(spelled)
  throw sdkError('invalidAddress', `invalid sender hex address ${spelled}`)
}

function checkConvertErc20({ contract, amount, receiver, sender }: MsgConvertErc20, at: Addressing): void {
  if (!isHexAddress(contract)) {
    throw sdkError('invalidAddress', `invalid contract hex address '${contract}'`)
  }
  if (amount <= 0n) throw sdkError('invalidCoins', 'cannot mint a non-positive amount')
  checkBech32(at, 'receiver', receiver)
  hexAddress(sender)
}

function checkConvertCoin({ coin: { denom, amount }, receiver, sender }: MsgConvertCoin, at: Addressing): void {
  if (denom === '') throw sdkError('invalidCoins', 'denom cannot be empty')
  if (amount <= 0n) throw sdkError('invalidCoins', 'cannot mint a non-positive amount')
  checkBech32(at, 'sender', sender)
  if (!isHexAddress(receiver)) throw sdkError('invalidAddress', `invalid receiver hex address ${receiver}`)
}

/** Throws for an address in hex too, which the node's other messages take. */
function checkBech32(at: Addressing, what: string, address: string): void {
  try {
    bech32AddressOf(at, address)
  } catch (error) {
    throw isExpected(error) ? goError(`invalid ${what} address: ${error.message}`) : error
  }
}

function checkContract(address: string): void {
  if (!isHexAddress(address)) {
    throw sdkError('invalidAddress', `invalid ERC20 contract address: ${address}`)
  }
}

function checkAuthority(at: Addressing, authority: string): void {
  const expected = accountText(at, govModule)
  if (authority === expected) return
  throw govError(
    13,
    `invalid authority; expected ${expected}, got ${authority}: expected gov account as ` +
      'only signer for proposal message',
  )
}

function register(context: Context, { signer, contracts }: { signer: string; contracts: readonly string[] }): void {
  const { isOpen } = erc20Params(context)
  if (!isOpen) checkAuthority(context, signer)
  if (!isErc20Enabled(context)) {
    throw erc20Error(2, 'registration is currently disabled by governance: erc20 module is disabled')
  }
  for (const contract of contracts) {
    const pair = registerErc20(context, hexAddress(contract))
    emit(context, 'register_erc20', { cosmos_coin: pair.denom, erc20_token: pair.erc20 })
  }
}

function toggle(context: Context, { authority, token }: { authority: string; token: string }): void {
  if (!isErc20Enabled(context)) {
    throw erc20Error(2, 'toggle conversion is currently disabled by governance: erc20 module is disabled')
  }
  checkAuthority(context, authority)
  const found = findNamedPair(context, token)
  if (found === undefined) {
    throw erc20Error(4, `token '${token}' not registered by id: token pair not found`)
  }
  const pair = { ...found, enabled: !found.enabled }
  storePair(context, pair)
  emit(context, 'toggle_token_conversion', { cosmos_coin: pair.denom, erc20_token: pair.erc20 })
}
