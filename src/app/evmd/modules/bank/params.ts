/** Parameters and denominations of x/bank, in the store `bank`. */
import { BankParams, Metadata } from '../../../../codec/messages/cosmos.ts'
import { concatBytes } from '../../../../data/bytes.ts'
import type { Context } from '../../context.ts'
import { TxError } from '../../txError.ts'
import type { Coin } from '../../coins.ts'

const paramsKey = Uint8Array.of(5)
const metadataPrefix = 1
const sendEnabledPrefix = 4

/** Returns the parameters of x/bank. */
export function bankParams(context: Context): BankParams {
  return BankParams.decode(context.store('bank').get(paramsKey) ?? new Uint8Array(0))
}

/** Stores the parameters of x/bank. */
export function setBankParams(context: Context, params: BankParams): void {
  context.store('bank').set(paramsKey, BankParams.encode(params))
}

/** Sets whether a denomination may be sent, overriding the default. The value is a `BoolValue`, empty if false. */
export function setSendEnabled(context: Context, denom: string, enabled: boolean): void {
  context.store('bank').set(named(sendEnabledPrefix, denom), Uint8Array.from(enabled ? [8, 1] : []))
}

/** Removes a denomination's setting, so that the default applies. */
export function deleteSendEnabled(context: Context, denom: string): void {
  context.store('bank').delete(named(sendEnabledPrefix, denom))
}

/**
 * Throws the SDK's error if one of the coins must not be sent. `inBank` returns the denomination whose setting
 * counts.
 */
export function checkSendEnabled(
  context: Context,
  coins: readonly Coin[],
  inBank = (denom: string): string => denom,
): void {
  if (coins.length === 0) return
  const { defaultSendEnabled } = bankParams(context)
  for (const { denom } of coins) {
    if (ownSendEnabled(context, inBank(denom)) ?? defaultSendEnabled) continue
    throw new TxError(`${denom} transfers are currently disabled: send transactions are disabled`, {
      code: 5,
      codespace: 'bank',
    })
  }
}

/** Returns whether a denomination may be sent. */
export function isSendEnabled(context: Context, denom: string): boolean {
  const { defaultSendEnabled } = bankParams(context)
  return ownSendEnabled(context, denom) ?? defaultSendEnabled
}

/** Returns a denomination's own setting, or undefined if the default applies. */
export function ownSendEnabled(context: Context, denom: string): boolean | undefined {
  const store = context.store('bank')
  const key = named(sendEnabledPrefix, denom)
  return store.has(key) ? isEnabled(store.get(key) ?? new Uint8Array(0)) : undefined
}

/** Returns what a stored setting says: a `BoolValue`, or the single byte of chains kept by earlier versions. */
export function isEnabled(value: Uint8Array): boolean {
  return value.at(-1) === 1
}

/** Stores the metadata of a denomination. */
export function setMetadata(context: Context, metadata: Metadata): void {
  context.store('bank').set(named(metadataPrefix, metadata.base), Metadata.encode(metadata))
}

/** Returns the metadata of a denomination, or undefined. */
export function getMetadata(context: Context, denom: string): Metadata | undefined {
  const value = context.store('bank').get(named(metadataPrefix, denom))
  return value === undefined ? undefined : Metadata.decode(value)
}

function named(prefix: number, denom: string): Uint8Array {
  return concatBytes([Uint8Array.of(prefix), new TextEncoder().encode(denom)])
}
