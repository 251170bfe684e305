import { keccak_256 } from '@noble/hashes/sha3.js'
import test from 'ava'
import { tracerOf } from '../../src/evm/trace.ts'
import { code, forward, join } from '../helpers/bytecode.ts'
import { address, toHex } from '../helpers/state.ts'
import { inner, outer, sender, show, sorted, stores, traced, worldOf, zeros } from '../helpers/traced.ts'

const name = 'erc7562Tracer'
const nothing = { reads: {}, transientReads: {}, transientWrites: {}, writes: {} }
const slot = (value: number): string => `0x${zeros(value)}`

test('an account abstraction trace counts slots and instructions by frame', (t) => {
  const own = join(
    code(1, 'SLOAD', 'POP', 1, 'SLOAD', 'POP', 7, 2, 'SSTORE', 2, 'SLOAD', 'POP'),
    code(8, 2, 'SSTORE', 9, 4, 'TSTORE', 4, 'TLOAD', 'POP'),
  )
  const { value } = traced(
    worldOf([
      [outer, join(own, forward(inner))],
      [inner, stores],
    ]),
    { tracer: { name } },
  )
  sorted(t, value)
  t.deepEqual(value.accessedSlots, {
    reads: { [slot(1)]: [slot(3)] },
    transientReads: { [slot(4)]: 1 },
    transientWrites: { [slot(4)]: 1 },
    writes: { [slot(2)]: 2 },
  })
  t.deepEqual(value.usedOpcodes, {
    '0x0': 1,
    '0x36': 2,
    '0x37': 1,
    '0x54': 3,
    '0x55': 2,
    '0x5c': 1,
    '0x5d': 1,
    '0xf1': 1,
  })
  const [called] = value.calls
  t.deepEqual(called.accessedSlots, { ...nothing, writes: { [slot(1)]: 1 } })
  t.deepEqual(called.usedOpcodes, { '0x52': 1, '0x54': 1, '0x55': 1, '0xf3': 1 })
  t.deepEqual(
    [value.type, value.from, value.to, value.gas, value.value, value.outOfGas, called.type],
    ['CALL', show(sender), show(outer), '0x30d40', '0x0', false, 'CALL'],
  )
  t.is(called.output, slot(5))
})

test('it tells whose code was looked at and how long code was, and lets ISZERO pass', (t) => {
  const absent = address(0x77)
  const looks = join(
    code(inner, 'EXTCODESIZE', 'ISZERO', 'POP', absent, 'EXTCODESIZE', 'POP'),
    code(inner, 'EXTCODEHASH', 'POP'),
    forward(inner, 'STATICCALL'),
    code('GAS', 'POP'),
  )
  const { value } = traced(
    worldOf([
      [outer, looks],
      [inner, code('STOP')],
    ]),
    { tracer: { name } },
  )
  t.deepEqual(value.extCodeAccessInfo, [absent, inner].map(show))
  t.deepEqual(value.contractSize, {
    [show(absent)]: { contractSize: 0, opcode: 0x3b },
    [show(inner)]: { contractSize: 1, opcode: 0x3b },
  })
  // Gas that goes into a call is nobody's business; gas that is looked at is.
  t.is(value.usedOpcodes['0x5a'], 1)
  t.is(value.calls[0].value, undefined)
})

test('it keeps what was hashed, once and sorted, at the top', (t) => {
  const hashes = code(
    2,
    'PUSH0',
    'MSTORE',
    32,
    'PUSH0',
    'KECCAK256',
    'POP',
    64,
    'PUSH0',
    'KECCAK256',
    'POP',
    32,
    'PUSH0',
    'KECCAK256',
    'PUSH0',
    'MSTORE',
    32,
    'PUSH0',
    'RETURN',
  )
  const { value } = traced(
    worldOf([
      [outer, forward(inner)],
      [inner, hashes],
    ]),
    { tracer: { name } },
  )
  t.deepEqual(value.keccak, [slot(2), `${slot(2)}${zeros(0)}`])
  t.is(value.calls[0].keccak, undefined)
  t.is(value.calls[0].output, `0x${toHex(keccak_256(Buffer.from(zeros(2), 'hex')))}`)
})

test('it marks inner frames that ran out of gas and drops what failed frames logged', (t) => {
  const logs = code('PUSH0', 'PUSH0', 'LOG0')
  const spends = code('PUSH0', 'PUSH0', 'PUSH0', 'PUSH0', 'PUSH0', inner, 500, 'CALL')
  const run = (withLog: boolean) =>
    traced(
      worldOf([
        [outer, join(logs, spends, logs)],
        [inner, join(logs, code(0xffff, 'MLOAD'))],
      ]),
      { tracer: { name, withLog } },
    ).value
  const [told, silent] = [run(true), run(false)]
  sorted(t, told)
  t.deepEqual([told.calls[0].outOfGas, told.calls[0].error], [true, 'out of gas'])
  const log = { address: show(outer), data: '0x', topics: [] }
  t.deepEqual(told.logs, [
    { ...log, position: '0x0' },
    { ...log, position: '0x1' },
  ])
  t.deepEqual([told.calls[0].logs, silent.logs], [undefined, undefined])
  const whole = traced(worldOf([[outer, code(0xff_ffff, 'MLOAD')]]), { tracer: { name } }).value
  t.deepEqual([whole.outOfGas, whole.error], [false, 'out of gas'])
})

test('a request says which instructions are not counted', (t) => {
  const counted = (config: Record<string, unknown>) =>
    traced(worldOf([[outer, stores]]), { tracer: tracerOf(name, config) }).value.usedOpcodes
  t.deepEqual(counted({}), { '0x52': 1, '0x54': 1, '0x55': 1, '0xf3': 1 })
  t.deepEqual(counted({ ignoredOpcodes: ['0x54', '0x155', '0x60'] }), { '0x5f': 2, '0x52': 1, '0xf3': 1 })
  t.throws(() => tracerOf(name, { ignoredOpcodes: ['54'] }), { message: /without 0x prefix/ })
})

test('it is part of a mux, and an account without code runs nothing', (t) => {
  const tracer = tracerOf('muxTracer', { erc7562Tracer: null, '4byteTracer': {} })
  const { value } = traced(worldOf([]), { tracer, tx: { to: inner } })
  t.deepEqual(value[name].usedOpcodes, {})
  t.deepEqual(value[name].accessedSlots, nothing)
  t.is(value[name].keccak, undefined)
})
