/** Facts about a forked chain become accounts as x/auth stores them. */
import { cosmosAddressing } from '../../helpers/addressing.ts'
import test from 'ava'
import { learnFacts, newForkedState } from '../../../src/app/evmd/learn.ts'
import { accountStoreKey } from '../../../src/app/evmd/modules/auth/accounts.ts'
import { readForked } from '../../../src/app/forked.ts'
import type { AppState } from '../../../src/app/state.ts'
import { Any, BaseAccount } from '../../../src/codec/messages/cosmos.ts'
import { toBinaryString } from '../../../src/data/binaryString.ts'

test('an account without a known number gets one above all others that JavaScript can represent', (t) => {
  const forked = newForkedState(cosmosAddressing, 'atest', [])
  const numbers = Array.from({ length: 100 }, (_, index) => {
    const address = new Uint8Array(20).fill(index + 1)
    const fact = { type: 'account', address, wei: 1n, nonce: 0n, code: new Uint8Array(0) } as const
    learnFacts(cosmosAddressing, { forked } as unknown as AppState, [fact])
    const stored = readForked(forked, 'acc', toBinaryString(accountStoreKey(address))) ?? new Uint8Array(0)
    return BaseAccount.decode(Any.decode(stored).value).accountNumber
  })
  t.is(new Set(numbers).size, numbers.length)
  t.true(numbers.every((number) => number >= 1n << 50n && number <= BigInt(Number.MAX_SAFE_INTEGER)))
})
