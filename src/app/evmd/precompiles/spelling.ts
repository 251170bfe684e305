/** Formatting and checks shared by the modules' precompiles (cosmos/evm precompiles/common). */
import { equalBytes } from '../../../data/bytes.ts'
import { type Coin, isDenom } from '../coins.ts'
import type { AbiValue } from './abi.ts'
import { bytesArgument, listArgument, integerArgument, textArgument } from './arguments.ts'
import type { Frame } from './precompile.ts'
import { Reverted } from './reverted.ts'
import { checksumAddress } from '../../../crypto/checksumAddress.ts'

type Argument = AbiValue | undefined

/** Returns an address argument. Throws `Reverted` if it is zero; `what` names it in the message. */
export function presentAddress(value: Argument, what: string): Uint8Array {
  const address = bytesArgument(value)
  const isZero = address.every((byte) => byte === 0)
  if (isZero) throw new Reverted(`invalid ${what} address: ${checksumAddress(address)}`)
  return address
}

/** Throws unless the caller is the account on whose behalf it acts. */
export function checkCaller({ call }: Frame, requester: Uint8Array): void {
  if (equalBytes(call.caller, requester)) return
  const caller = checksumAddress(call.caller)
  throw new Reverted(`msg.sender address ${caller} does not match the requester address ${checksumAddress(requester)}`)
}

/**
 * Throws if the caller is a contract. Only accounts may call, including those with EIP-7702
 * delegated code, and contracts that are being created, which have no code yet (StateDB GetCode).
 */
export function checkNoContract({ journal, call }: Frame): void {
  if (!journal.isContract(call.caller)) return
  const text = 'this method can only be called directly to the precompile, not from a smart contract'
  throw new Reverted(text)
}

/**
 * Returns the coins in an array of `(string,uint256)`, sorted by denomination. Throws `Reverted` with the text of
 * `refusal` if a coin has no denomination, which is looked for first, or an invalid one.
 */
export function sortedCoins(
  value: Argument,
  refusal: (denom: string, coins: readonly Coin[]) => string,
): readonly Coin[] {
  const coins = listArgument(value).map((each): Coin => {
    const [denom, amount] = listArgument(each)
    return { denom: textArgument(denom), amount: integerArgument(amount) }
  })
  const wrong = coins.find(({ denom }) => denom === '') ?? coins.find(({ denom }) => !isDenom(denom))
  if (wrong !== undefined) throw new Reverted(refusal(wrong.denom, coins))
  return coins.toSorted((a, b) => (a.denom < b.denom ? -1 : 1))
}

/** Returns coins as an array of `(string,uint256)`. */
export function coinsOut(coins: readonly Coin[]): AbiValue {
  return coins.map(({ denom, amount }) => [denom, amount])
}
