import test from 'ava'
import type { EvmTracer } from '../../src/evm/types.ts'
import { code, forward, join } from '../helpers/bytecode.ts'
import { testEngine } from '../helpers/engine.ts'
import { watchingMemory } from '../helpers/memories.ts'
import { address, baseEnv, hex, readOf, toHex, txOf, word } from '../helpers/state.ts'
import { inner, outer, sender, show, sorted, stores, traced, worldOf, zeros } from '../helpers/traced.ts'

test('struct logs show each instruction before it runs', (t) => {
  const { value } = traced(worldOf([[outer, stores]]), { tracer: { name: 'structLogs' } })
  sorted(t, value)
  t.deepEqual([value.failed, value.gas, value.returnValue], [false, 26_122, `0x${zeros(5)}`])
  const logs: Record<string, unknown>[] = value.structLogs
  t.deepEqual(
    logs.map(({ op, pc, gasCost }) => [op, pc, gasCost]),
    [
      ['PUSH1', 0, 3],
      ['PUSH1', 2, 3],
      ['SSTORE', 4, 5_000],
      ['PUSH1', 5, 3],
      ['SLOAD', 7, 100],
      ['PUSH0', 8, 2],
      ['MSTORE', 9, 6],
      ['PUSH1', 10, 3],
      ['PUSH0', 12, 2],
      ['RETURN', 13, 0],
    ].map((row) => row),
  )
  t.deepEqual(logs[2], {
    depth: 1,
    gas: 178_994,
    gasCost: 5_000,
    op: 'SSTORE',
    pc: 4,
    stack: ['0x5', '0x1'],
    storage: { [zeros(1)]: zeros(5) },
  })
  t.deepEqual(logs.filter(({ storage }) => storage !== undefined).length, 2)
})

test('a trace that is too long ends with an error, and the next one is whole', (t) => {
  const trace = (bytesMost: number) =>
    traced(worldOf([[outer, stores]]), { tracer: { name: 'structLogs' }, options: { bytesMost } }).json
  const { length } = trace(2 ** 20)
  t.throws(() => trace(length - 1), {
    code: 'TRACE_TOO_LONG',
    message: /^the trace is too long, .*: set the option limit/,
  })
  t.is(trace(length).length, length)
})

test('struct logs leave out and add what is asked', (t) => {
  const world = worldOf([
    [outer, join(forward(inner), stores)],
    [inner, stores],
  ])
  const { value } = traced(world, {
    tracer: {
      name: 'structLogs',
      disableStack: true,
      disableStorage: true,
      enableMemory: true,
      enableReturnData: true,
    },
  })
  sorted(t, value)
  const logs: Record<string, unknown>[] = value.structLogs
  t.true(logs.every(({ stack, storage }) => stack === undefined && storage === undefined))
  t.deepEqual(logs.at(-1)?.['memory'], [zeros(5)])
  t.is(logs.at(-1)?.['returnData'], `0x${zeros(5)}`)
  t.deepEqual([...new Set(logs.map(({ depth }) => depth))], [1, 2])
})

test('struct logs end when they have passed the limit in bytes', (t) => {
  const count = (limit: bigint): number =>
    traced(worldOf([[outer, stores]]), { tracer: { name: 'structLogs', limit } }).value.structLogs.length
  t.deepEqual([count(3n), count(70n), count(0n)], [1, 2, 10])
})

test('struct logs name what stopped a frame before its instruction ran', (t) => {
  const last = (bytes: Uint8Array) =>
    traced(worldOf([[outer, bytes]]), { tracer: { name: 'structLogs' } }).value.structLogs.at(-1)
  t.is(last(code(1, 'ADD')).error, 'stack underflow (1 <=> 2)')
  t.is(last(code(0xff_ffff, 'MLOAD')).error, 'out of gas')
  t.is(last(code(5, 'JUMP')).error, undefined)
})

test('struct logs show the refund of all open frames', (t) => {
  const clears = code('PUSH0', 1, 'SSTORE')
  const { value } = traced(
    worldOf([
      [outer, join(clears, forward(inner), code('STOP'))],
      [inner, clears],
    ]),
    { tracer: { name: 'structLogs' } },
  )
  t.is(value.structLogs.at(-1).refund, 9_600)
})

test('a million steps come in pieces and memory stays flat', (t) => {
  // PUSH3 count, then a loop of 8 instructions that counts down.
  const loop = join(code(0x01e848, 'JUMPDEST'), hex('6001900380600457'))
  const world = worldOf([[outer, loop]])
  let [bytes, pieces, largest] = [0, 0, 0]
  const env = { ...baseEnv, relax: { fees: true } }
  const write = (piece: Uint8Array) => {
    bytes += piece.length
    pieces += 1
    largest = Math.max(largest, piece.length)
  }
  const job = { env, tx: txOf({ gasLimit: 100_000_000n }), read: readOf(world) }
  const memories = watchingMemory(() => {
    const tracer = { name: 'structLogs', disableStack: true } as const
    const { result, json } = testEngine().trace(job, tracer, { write })
    t.deepEqual([result.status, json], ['success', ''])
  })
  const most = Math.max(...memories.map(({ buffer }) => buffer.byteLength))
  t.true(most < 32 << 20, `${most} bytes of memory`)
  t.true(bytes > 50_000_000 && pieces > 500 && largest < 100_000, `${bytes} bytes in ${pieces} pieces`)
})

const nested = [
  [outer, join(forward(inner), forward(inner, 'DELEGATECALL'), forward(4, 'STATICCALL'), code(inner, 'SELFDESTRUCT'))],
  [
    inner,
    join(
      code('PUSH0', 'PUSH0', 'LOG0'),
      code(0x08c379a0, 'PUSH0', 'MSTORE', 1, 'PUSH0', 'SSTORE', 32, 'PUSH0', 'REVERT'),
    ),
  ],
] as const

test('the call tracer shows the tree of frames', (t) => {
  const { value, result } = traced(worldOf(nested), {
    tracer: { name: 'callTracer' },
    tx: { data: hex('01020304'), value: 2n },
  })
  sorted(t, value)
  t.is(value.gasUsed, `0x${result.gasUsed.toString(16)}`)
  t.deepEqual(
    [value.from, value.to, value.type, value.gas, value.value, value.input],
    [show(sender), show(outer), 'CALL', '0x30d40', '0x2', '0x01020304'],
  )
  const calls: Record<string, unknown>[] = value.calls
  t.deepEqual(
    calls.map(({ type, from, to, value: wei, error }) => [type, from, to, wei, error]),
    [
      ['CALL', show(outer), show(inner), '0x0', 'execution reverted'],
      ['DELEGATECALL', show(outer), show(inner), '0x2', 'execution reverted'],
      ['STATICCALL', show(outer), show(address(4)), undefined, undefined],
      ['SELFDESTRUCT', show(outer), show(inner), '0xb', undefined],
    ],
  )
  t.is(calls[0]?.['output'], `0x${zeros(0x08c379a0)}`)
})

test('the call tracer stops at the top when asked', (t) => {
  const { value } = traced(worldOf(nested), { tracer: { name: 'callTracer', onlyTopCall: true } })
  t.is(value.calls, undefined)
})

test('the call tracer shows logs of frames that stand, with their place among the calls', (t) => {
  const logs = code(7, 'PUSH0', 'PUSH0', 'LOG1')
  const world = worldOf([[outer, join(logs, forward(inner), logs)], ...nested.slice(1)])
  const { value } = traced(world, { tracer: { name: 'callTracer', withLog: true } })
  sorted(t, value)
  t.deepEqual(
    value.logs,
    ['0x0', '0x1'].map((position) => ({ address: show(outer), data: '0x', position, topics: [`0x${zeros(7)}`] })),
  )
  t.is(value.calls[0].logs, undefined)
})

test('a revert reason is read out of the data', (t) => {
  const text = `08c379a0${zeros(32)}${zeros(5)}${toHex(new TextEncoder().encode('no <b')).padEnd(64, '0')}`
  const store = (digits: string) =>
    code(
      ...[0, 64, 128, 192].flatMap(
        (at) => [BigInt(`0x${digits.slice(at, at + 64).padEnd(64, '0')}`), at / 2, 'MSTORE'] as const,
      ),
    )
  const reverts = join(store(text), code(100, 'PUSH0', 'REVERT'))
  const { value, json } = traced(worldOf([[outer, reverts]]), { tracer: { name: 'callTracer' } })
  t.is(value.revertReason, 'no <b')
  t.true(json.includes('no \\u003cb'), 'Go escapes it so')
  const panics = join(store(`4e487b71${zeros(0x11)}`), code(36, 'PUSH0', 'REVERT'))
  const panicked = traced(worldOf([[outer, panics]]), { tracer: { name: 'callTracer' } }).value
  t.is(panicked.revertReason, 'arithmetic underflow or overflow')
})

const errors = test.macro((t, bytes: Uint8Array, error: string) => {
  const { value } = traced(worldOf([[outer, bytes]]), { tracer: { name: 'callTracer' } })
  t.is(value.error, error)
})

test('an unknown instruction in a trace', errors, hex('0c'), 'invalid opcode: opcode 0xc not defined')
test('an empty stack in a trace', errors, code('ADD'), 'stack underflow (0 <=> 2)')
test('a jump to nowhere in a trace', errors, code(9, 'JUMP'), 'invalid jump destination')
test('no gas left in a trace', errors, code('JUMPDEST', 'PUSH0', 'JUMP'), 'out of gas')

test("flat calls list the tree with paths, without Ethereum's precompiles", (t) => {
  const context = {
    blockHash: word(1),
    blockNumber: 7n,
    transactionHash: word(2),
    transactionPosition: 3,
  }
  const { value } = traced(worldOf(nested), { tracer: { name: 'flatCallTracer', context } })
  sorted(t, value)
  t.deepEqual(
    value.map((call: Record<string, unknown>) => [
      call['type'],
      call['traceAddress'],
      call['subtraces'],
      call['error'],
    ]),
    [
      ['call', [], 3, undefined],
      ['call', [0], 0, 'execution reverted'],
      ['call', [1], 0, 'execution reverted'],
      ['suicide', [2], 0, undefined],
    ],
  )
  const { blockHash, blockNumber, transactionHash, transactionPosition } = value[1]
  t.deepEqual([blockHash, blockNumber, transactionHash, transactionPosition], [show(word(1)), 7, show(word(2)), 3])
  t.deepEqual(value[3].action, { address: show(outer), balance: '0x9', refundAddress: show(inner) })
  const all = traced(worldOf(nested), {
    tracer: { name: 'flatCallTracer', includePrecompiles: true, convertParityErrors: true },
  }).value
  t.deepEqual([all.length, all[1].error], [5, 'Reverted'])
})

test('a creation in the traces', (t) => {
  const tx = { to: undefined, data: code(0x60, 'PUSH0', 'MSTORE8', 1, 'PUSH0', 'RETURN') }
  const [call] = [traced(worldOf([]), { tracer: { name: 'callTracer' }, tx }).value]
  const created = traced(worldOf([]), { tracer: { name: 'callTracer' }, tx }).result.created ?? new Uint8Array()
  t.deepEqual([call.type, call.to, call.output], ['CREATE', show(created), '0x60'])
  const [flat] = traced(worldOf([]), { tracer: { name: 'flatCallTracer' }, tx }).value
  t.deepEqual(
    [flat.type, flat.action.creationMethod, flat.result.address, flat.result.code],
    ['create', 'create', show(created), '0x60'],
  )
})

test('the four-byte tracer counts selectors with the size of what follows', (t) => {
  const world = worldOf([
    [outer, join(forward(inner), forward(inner), forward(4))],
    [inner, hex('00')],
  ])
  const { value } = traced(world, { tracer: { name: '4byteTracer' }, tx: { data: hex('a9059cbb0102') } })
  t.deepEqual(value, { '0xa9059cbb-2': 3 })
})

test('the mux tracer runs several, the noop tracer none', (t) => {
  const tracers: Record<string, EvmTracer> = {
    noopTracer: { name: 'noopTracer' },
    callTracer: { name: 'callTracer' },
    '4byteTracer': { name: '4byteTracer' },
  }
  const { value } = traced(worldOf([]), { tracer: { name: 'muxTracer', tracers } })
  t.deepEqual(Object.keys(value), ['4byteTracer', 'callTracer', 'noopTracer'])
  t.deepEqual([value['4byteTracer'], value.noopTracer, value.callTracer.type], [{}, {}, 'CALL'])
  t.is(traced(worldOf([]), { tracer: { name: 'muxTracer', tracers: {} } }).json, '{}')
})

test('a failed transaction can be shown as Cosmos EVM does, and with the gas of the chain', (t) => {
  const world = worldOf([[outer, code('PUSH0', 'PUSH0', 'REVERT')]])
  const options = { endsFailed: false, gasUsed: () => 100_000n }
  t.is(traced(world, { tracer: { name: 'callTracer' }, options }).value.gasUsed, '0x0')
  const { value } = traced(world, { tracer: { name: 'structLogs' }, options })
  t.deepEqual([value.failed, value.gas], [true, 0])
  const kept = traced(world, { tracer: { name: 'callTracer' }, options: { gasUsed: () => 100_000n } }).value
  t.is(kept.gasUsed, '0x186a0')
  const [flat] = traced(world, { tracer: { name: 'flatCallTracer' }, options }).value
  t.deepEqual([flat.error, flat.result.gasUsed], ['execution reverted', '0x0'])
})

test('the flat tracer shows no result of a transaction that used up its gas', (t) => {
  const world = worldOf([[outer, code('INVALID')]])
  const [flat] = traced(world, { tracer: { name: 'flatCallTracer' }, options: { endsFailed: false } }).value
  t.deepEqual([flat.error, flat.result], ['invalid opcode: INVALID', undefined])
})

test('a transaction that is refused has no trace', (t) => {
  const { result, json } = traced(worldOf([]), { tracer: { name: 'callTracer' }, tx: { nonce: 5n } })
  t.deepEqual([result.status, json], ['refused', ''])
})

test('a trace and a plain run agree', (t) => {
  const world = worldOf(nested)
  const env = { ...baseEnv, relax: { fees: true } }
  const plain = testEngine().execute(env, txOf({ gasLimit: 200_000n }), readOf(world))
  t.deepEqual(traced(world, { tracer: { name: 'structLogs' } }).result, plain)
})

test('an exception while tracing comes back unchanged', (t) => {
  const failure = new Error('no such state')
  const read = {
    ...readOf(worldOf([[outer, stores]])),
    slot: () => {
      throw failure
    },
  }
  const job = { env: baseEnv, tx: txOf({}), read }
  t.is(
    t.throws(() => testEngine().trace(job, { name: 'structLogs' })),
    failure,
  )
  const write = () => {
    throw failure
  }
  t.is(
    t.throws(() => testEngine().trace({ ...job, read: readOf(worldOf([])) }, { name: 'callTracer' }, { write })),
    failure,
  )
})
