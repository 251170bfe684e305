/** Traces as evmd v0.5.0 gave them on the same contracts. */
import test from 'ava'
import type { EvmTracer } from '../../src/evm/types.ts'
import { code, forward, join } from '../helpers/bytecode.ts'
import { address, hex, put } from '../helpers/state.ts'
import { inner, outer, show, stores, traced, worldOf } from '../helpers/traced.ts'

type Log = { readonly op: string; readonly refund?: number; readonly gasCost: number }

const logsOf = (bytes: Uint8Array, called?: Uint8Array): readonly Log[] =>
  traced(worldOf([[outer, bytes], ...(called === undefined ? [] : [[inner, called] as const])]), {
    tracer: { name: 'structLogs' },
  }).value.structLogs

test('SSTORE shows the refund that it brings', (t) => {
  const logs = logsOf(code('PUSH0', 1, 'SSTORE', 3, 1, 'SSTORE', 'STOP'))
  t.deepEqual(
    logs.map(({ refund = 0 }) => refund),
    [0, 0, 4800, 4800, 4800, 2800, 2800],
  )
})

test('an instruction that a static call forbids shows its price', (t) => {
  const priceOf = (op: string, ...before: readonly (string | number)[]) =>
    logsOf(join(forward(inner, 'STATICCALL'), code('STOP')), code(...before, op)).find((log) => log.op === op)?.gasCost
  t.is(priceOf('SSTORE', 5, 1), 5_000)
  t.is(priceOf('SSTORE', 5, 2), 22_100)
  t.is(priceOf('LOG1', 7, 33, 'PUSH0'), 1_020)
  t.is(priceOf('CREATE', 64, 'PUSH0', 'PUSH0'), 32_010)
})

const lacking: readonly (readonly [
  name: string,
  words: readonly (string | number | Uint8Array)[],
  left: bigint,
  price: number,
])[] = [
  ['a new slot', [5, 2, 'SSTORE'], 5_000n, 22_100],
  ['a slot that was read', [1, 'SLOAD', 5, 1, 'SSTORE'], 2_500n, 2_900],
  ['a slot below the sentry', [5, 2, 'SSTORE'], 2_300n, 0],
  ['a cold slot', [2, 'SLOAD'], 2_000n, 2_100],
  ['a cold account', [0x1234, 'BALANCE'], 2_000n, 2_600],
  ['memory', [7, 0x10000, 'MSTORE'], 100n, 3 + 3 * 2049 + 8_200],
  ['the fixed part of memory', [7, 0x10000, 'MSTORE'], 2n, 3],
  ['memory beyond all gas', [7, new Uint8Array(32).fill(255), 'MSTORE'], 9_000n, 3],
  ['a hash', [320, 'PUSH0', 'KECCAK256'], 60n, 30 + 60 + 30],
  ['a power', [256, 3, 'EXP'], 100n, 110],
  ['a log', [7, 64, 'PUSH0', 'LOG1'], 1_000n, 750 + 512 + 6],
  ['a creation', [64, 'PUSH0', 'PUSH0', 'CREATE'], 32_000n, 32_000 + 4 + 6],
  ['a call that takes value to nobody', ['PUSH0', 'PUSH0', 'PUSH0', 'PUSH0', 1, 0x1234, 500, 'CALL'], 30_000n, 37_100],
  ['a cold call', ['PUSH0', 'PUSH0', 'PUSH0', 'PUSH0', 0x1234, 500, 'STATICCALL'], 2_000n, 100],
  ['an end that makes an heir', [0x1234, 'SELFDESTRUCT'], 30_000n, 32_600],
]
for (const [name, words, left, price] of lacking) {
  test(`an instruction that lacks gas shows its price: ${name}`, (t) => {
    const bytes = code(...words, 'STOP')
    const before = logsOf(bytes)
    const op = String(words.at(-1))
    const at = before.find((log) => log.op === op)
    const start = 200_000n - BigInt((at as unknown as { gas: number }).gas)
    const { value } = traced(worldOf([[outer, bytes]]), {
      tracer: { name: 'structLogs' },
      tx: { gasLimit: start + left },
    })
    const last = (value.structLogs as readonly (Log & { gas: number; error?: string })[]).at(-1)
    t.is(last?.op, op)
    t.is(BigInt(last?.gas ?? 0), left)
    t.is(last?.gasCost, price)
    t.regex(last?.error ?? '', /out of gas|gas uint64 overflow/)
  })
}

test('a call that a static call forbids shows its price with the gas that it hands on', (t) => {
  const inStatic = (...words: readonly (string | number)[]) =>
    logsOf(join(forward(inner, 'STATICCALL'), code('STOP')), code(...words)).find((log) => log.op === words.at(-1))
      ?.gasCost
  t.is(inStatic('PUSH0', 'PUSH0', 'PUSH0', 'PUSH0', 1, 0x1234, 500, 'CALL'), 100 + 2_500 + 25_000 + 9_000 + 500)
  t.is(inStatic(0x1234, 'SELFDESTRUCT'), 5_000 + 2_600 + 25_000)
  t.is(inStatic('ADDRESS', 'SELFDESTRUCT'), 5_000)
})

test('an instruction that lacks operands shows the fixed part of its price', (t) => {
  t.is(logsOf(code('CREATE'))[0]?.gasCost, 32_000)
  t.is(logsOf(code('SLOAD'))[0]?.gasCost, 0)
})

test('a static call has no value in the call tree and zero in the flat list', (t) => {
  const world = worldOf([
    [outer, forward(inner, 'STATICCALL')],
    [inner, code('STOP')],
  ])
  const { value: tree } = traced(world, { tracer: { name: 'callTracer' } })
  t.false('value' in tree.calls[0])
  const { value: list } = traced(world, { tracer: { name: 'flatCallTracer' } })
  t.is(list[1].action.value, '0x0')
})

const ones = 'ff'.repeat(32)
const failures: readonly (readonly [number, string, string])[] = [
  [6, ones.repeat(4), 'bn256: coordinate exceeds modulus'],
  [7, `${'00'.repeat(31)}01`.repeat(3), 'bn256: malformed point'],
  [8, '00', 'bad elliptic curve pairing size'],
  [9, '00', 'invalid input length'],
  [10, '00'.repeat(192), 'mismatched versioned hash'],
  [11, '00', 'invalid input length'],
  [5, ones.repeat(3), 'out of gas'],
]
for (const [number, input, error] of failures) {
  test(`a call of precompile ${number} that fails says: ${error}`, (t) => {
    const tracer: EvmTracer = { name: 'callTracer' }
    const world = worldOf([[outer, forward(number)]])
    const tx = { data: hex(input) }
    t.is(traced(world, { tracer, tx }).value.calls[0].error, error)
    t.is(traced(world, { tracer, tx: { ...tx, to: address(number) } }).value.error, error)
  })
}

const parityFailures: readonly (readonly [number, string, string])[] = [
  [9, '00', 'Built-in failed'],
  [5, ones.repeat(3), 'Out of gas'],
]
for (const [number, input, error] of parityFailures) {
  test(`a call of precompile ${number} that fails is in Parity's words: ${error}`, (t) => {
    const tracer: EvmTracer = { name: 'flatCallTracer', convertParityErrors: true, includePrecompiles: true }
    const { value } = traced(worldOf([[outer, forward(number)]]), { tracer, tx: { data: hex(input) } })
    t.is(value[1].error, error)
  })
}

test('a creation that cannot pay for its code says so in a trace, and its code is no return value', (t) => {
  const tx = { to: undefined, data: code(0x1000, 'PUSH0', 'RETURN'), gasLimit: 200_000n }
  const { value } = traced(worldOf([]), { tracer: { name: 'callTracer' }, tx })
  t.deepEqual([value.error, value.output], ['contract creation code storage out of gas', undefined])
  t.is(traced(worldOf([]), { tracer: { name: 'structLogs' }, tx }).value.returnValue, '0x')
})

const authority = address(0xc1)
const delegated = () => {
  const world = worldOf([
    [outer, forward(authority)],
    [inner, stores],
  ])
  put(world, authority, {
    balance: 1n,
    nonce: 1n,
    code: join(hex('ef0100'), inner),
  })
  return world
}

test('the prestate of a call of a delegated account has the contract it delegates to', (t) => {
  const { value } = traced(delegated(), {
    tracer: { name: 'prestateTracer' },
    tx: { to: authority },
  })
  t.true(show(inner) in value)
})

test('the prestate leaves out authorities that nothing looked at, and their refund is shown', (t) => {
  const authorizations = [{ chainId: 1n, address: inner, nonce: 1n, authority }]
  const tx = {
    type: 4,
    gasPrice: 10n,
    priorityFee: 0n,
    to: inner,
    authorizations,
  } as const
  const world = delegated()
  const { value } = traced(world, { tracer: { name: 'prestateTracer' }, tx })
  t.false(show(authority) in value)
  const {
    value: { structLogs },
  } = traced(world, { tracer: { name: 'structLogs' }, tx })
  t.is(structLogs[0].refund, 12_500)
})

test('the prestate has nothing of an instruction that could not run', (t) => {
  const { value } = traced(worldOf([[outer, code('CREATE')]]), {
    tracer: { name: 'prestateTracer', includeEmpty: true },
  })
  t.is(Object.keys(value).length, 3)
})
