import test from 'ava'
import { getAccount } from '../../../../../src/app/evmd/modules/auth/accounts.ts'
import { addPreinstall } from '../../../../../src/app/evmd/modules/evm/preinstalls.ts'
import { getCode, getCodeHash } from '../../../../../src/app/evmd/modules/evm/store.ts'
import { startChain } from '../../../../helpers/evmdChain.ts'
import { contextOf } from '../../../../helpers/precompiles.ts'

const address = `0x${'ab'.repeat(20)}`
const bytes = new Uint8Array(20).fill(0xab)

test('a contract is put in place with an account of its own', (t) => {
  const context = contextOf(startChain())
  addPreinstall(context, { name: 'x', address, code: '0x6001' })
  t.deepEqual([...getCode(context, getCodeHash(context, bytes))], [0x60, 1])
  t.is(getAccount(context, bytes)?.sequence, 0n)
})

const refusals = {
  'without code': ['', / has no code: invalid preinstall$/],
  'whose code is no hex': ['0xzz', / has empty code hash: invalid preinstall$/],
} as const

for (const [name, [code, message]] of Object.entries(refusals)) {
  test(`a contract ${name} is refused`, (t) => {
    const context = contextOf(startChain())
    t.throws(() => addPreinstall(context, { name: '', address, code }), { message })
    t.is(getAccount(context, bytes), undefined)
  })
}

test('a contract in the place of another is refused', (t) => {
  const context = contextOf(startChain())
  addPreinstall(context, { name: 'x', address, code: '0x6001' })
  const again = (code: string) => () => addPreinstall(context, { name: 'x', address, code })
  t.throws(again('0x6002'), { message: /already has a code hash with a different code hash/ })
  t.throws(again('0x6001'), { message: /already has an account in account keeper/ })
})
