/** Impersonated accounts, which can send transactions without a signature (`unsigned.ts`). */
import { plainHexOf } from '../../codec/hex.ts'
import type { StateEdit } from '../application.ts'
import type { AppState } from '../state.ts'

/** Returns whether an account may send without a signature. */
export function isImpersonated({ impersonated }: AppState, address: Uint8Array): boolean {
  return impersonated.isAll || impersonated.addresses.has(plainHexOf(address))
}

/** Returns the state after the edits that switch impersonation on or off. */
export function withImpersonation(state: AppState, edits: readonly StateEdit[]): AppState {
  let { isAll, addresses } = state.impersonated
  for (const edit of edits) {
    if (edit.type !== 'setImpersonated') continue
    if (edit.address === undefined) {
      isAll = edit.isOn
      continue
    }
    const next = new Set(addresses)
    if (edit.isOn) next.add(plainHexOf(edit.address))
    else next.delete(plainHexOf(edit.address))
    addresses = next
  }
  return { ...state, impersonated: { isAll, addresses } }
}
