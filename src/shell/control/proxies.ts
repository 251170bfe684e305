/** Contracts whose calls run the code of another one. */
import { bytesOfHex, hexOf } from '../../codec/hex.ts'
import type { Instance } from '../ports.ts'

/** Slots that hold the address of the implementation, and of the beacon that names it (ERC-1967). */
const slots = {
  implementation: '0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc',
  beacon: '0xa3f0ad74e5423aebfd80d3ef4346578335a9a72aeaee59ff6cb3582b35133d50',
}

/** Selector of `implementation()`. */
const implementation = '0x5c60da1b'

/**
 * Code that is an address between fixed bytes: a minimal proxy (ERC-1167), and an account that has
 * delegated to a contract (EIP-7702), `ef0100 | address`.
 */
const fixedForms = [/^0x363d3d373d3d3d363d73([\da-f]{40})5af43d82803e903d91602b57fd5bf3$/, /^0xef0100([\da-f]{40})$/]

/**
 * Returns the address whose code a call to a contract runs for functions that the contract itself does
 * not have; undefined if it is no proxy of a known form. State of a fork counts once it has been fetched.
 */
export function implementationOf(instance: Instance, address: Uint8Array, code: Uint8Array): Uint8Array | undefined {
  if (code.length === 0) return undefined
  const text = hexOf(code)
  for (const form of fixedForms) {
    const found = form.exec(text)?.[1]
    if (found !== undefined) return bytesOfHex(`0x${found}`)
  }
  const word = (method: string, params: unknown) => {
    const told = instance.peek('eth', method, params)
    return 'result' in told ? addressIn(String(told.result)) : undefined
  }
  const slot = (key: string) => word('eth_getStorageAt', [hexOf(address), key, 'latest'])
  const direct = slot(slots.implementation)
  if (direct !== undefined) return direct
  const beacon = slot(slots.beacon)
  return beacon && word('eth_call', [{ to: hexOf(beacon), data: implementation }, 'latest'])
}

/** Returns the address in a word of 32 bytes; undefined for zero, and for what is no address. */
function addressIn(word: string): Uint8Array | undefined {
  const digits = /^0x0{24}([\da-f]{40})$/.exec(word)?.[1]
  return digits === undefined || /^0+$/.test(digits) ? undefined : bytesOfHex(`0x${digits}`)
}
