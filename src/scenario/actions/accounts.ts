/** Actions on accounts and contracts. */
import { z } from 'zod'
import { bytesOfHex } from '../../codec/hex.ts'
import { count, hexBytes, hexData, wei, who } from '../shapes.ts'
import { describedAction } from './descriptor.ts'

export const accountActions = {
  setBalance: describedAction({
    schema: z.strictObject({ address: who, amount: wei }),
    keys: {
      setBalance: "Sets the balance of an account. Example: { address: '@alice', amount: '5 evm' }.",
      address: "Account by name or address. Example: '@alice'.",
      'setBalance.amount': "New balance. Example: '5 evm'.",
    },
    compile: ({ address, amount }) => ({ type: 'editAccount', who: address, change: { type: 'setBalance', amount } }),
  }),
  setNonce: describedAction({
    schema: z.strictObject({ address: who, nonce: count }),
    keys: {
      setNonce: "Sets the nonce of an account. Example: { address: '@alice', nonce: 7 }.",
      'setNonce.nonce': 'New nonce. Example: 7.',
    },
    compile: ({ address, nonce }) => ({
      type: 'editAccount',
      who: address,
      change: { type: 'setNonce', nonce: BigInt(nonce) },
    }),
  }),
  setCode: describedAction({
    schema: z.strictObject({ address: who, code: hexData }),
    keys: {
      setCode: "Sets the code of an account. Example: { address: '@bob', code: '0x60006000fd' }.",
      'setCode.code': "Runtime code as 0x hex. Example: '0x60006000fd'.",
    },
    compile: ({ address, code }) => ({
      type: 'editAccount',
      who: address,
      change: { type: 'setCode', code: bytesOfHex(code) },
    }),
  }),
  setStorage: describedAction({
    schema: z.strictObject({ address: who, slot: hexBytes(32), value: hexBytes(32) }),
    keys: {
      setStorage:
        'Sets a storage slot of a contract. ' +
        "Example: { address: '@demo', slot: '0x0000000000000000000000000000000000000000000000000000000000000000', " +
        "value: '0x0000000000000000000000000000000000000000000000000000000000000001' }.",
      slot: "Slot, 32 bytes of 0x hex. Example: '0x0000000000000000000000000000000000000000000000000000000000000000'.",
      'setStorage.value':
        "New value, 32 bytes of 0x hex. Example: '0x0000000000000000000000000000000000000000000000000000000000000001'.",
    },
    compile: ({ address, slot, value }) => ({
      type: 'editAccount',
      who: address,
      change: { type: 'setStorage', slot: bytesOfHex(slot), value: bytesOfHex(value) },
    }),
  }),
}
