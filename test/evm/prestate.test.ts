import test from 'ava'
import { code, join } from '../helpers/bytecode.ts'
import { address, hex, toHex } from '../helpers/state.ts'
import { inner, outer, sender, show, sorted, stores, traced, worldOf, zeros } from '../helpers/traced.ts'

test('the prestate tracer shows what was looked at, as it was', (t) => {
  const world = worldOf([
    [outer, join(stores.subarray(0, 5), code(2, 'SLOAD', inner, 'BALANCE', address(0x99), 'EXTCODESIZE', 'STOP'))],
    [inner, hex('00')],
  ])
  const { value } = traced(world, { tracer: { name: 'prestateTracer' } })
  sorted(t, value)
  t.deepEqual(value, {
    [show(sender)]: { balance: '0xde0b6b3a7640000' },
    [show(outer)]: {
      balance: '0x9',
      code: `0x${toHex(world.codes.get(toHex(world.accounts.get(toHex(outer))?.codeHash ?? hex(''))) ?? hex(''))}`,
      nonce: 1,
      storage: { [`0x${zeros(1)}`]: `0x${zeros(3)}`, [`0x${zeros(2)}`]: `0x${zeros(0)}` },
    },
    [show(inner)]: { balance: '0x9', code: '0x00', nonce: 1 },
  })
  const bare = traced(world, {
    tracer: {
      name: 'prestateTracer',
      disableCode: true,
      disableStorage: true,
      includeEmpty: true,
    },
  }).value
  t.deepEqual(bare[show(outer)], { balance: '0x9', nonce: 1 })
  t.deepEqual(bare[show(address(0x99))], { balance: '0x0' })
})

test('the prestate tracer shows what became different', (t) => {
  const world = worldOf([[outer, join(stores, code('STOP'))]])
  const { value } = traced(world, {
    tracer: { name: 'prestateTracer', diffMode: true, disableCode: true },
    tx: { value: 1n },
  })
  sorted(t, value)
  t.deepEqual(value, {
    post: {
      [show(sender)]: { balance: '0xde0b6b3a763ffff', nonce: 1 },
      [show(outer)]: { balance: '0xa', storage: { [`0x${zeros(1)}`]: `0x${zeros(5)}` } },
    },
    pre: {
      [show(sender)]: { balance: '0xde0b6b3a7640000' },
      [show(outer)]: { balance: '0x9', nonce: 1, storage: { [`0x${zeros(1)}`]: `0x${zeros(3)}` } },
    },
  })
})
