import { keccak_256 } from '@noble/hashes/sha3.js'
import { sha256 } from '@noble/hashes/sha2.js'
import test from 'ava'
import { SliceOver } from '../../src/evm/run.ts'
import type { EvmRead, Fork } from '../../src/evm/types.ts'
import { code, forward, join } from '../helpers/bytecode.ts'
import { call, worldWith } from '../helpers/call.ts'
import { testEngine } from '../helpers/engine.ts'
import { address, apply, baseEnv, emptyWorld, hex, put, readOf, toHex, txOf, word } from '../helpers/state.ts'

test('a transfer moves the value, pays the coinbase its tip and burns the base fee', (t) => {
  const world = emptyWorld()
  put(world, address(0xa1), { balance: 1_000_000n })
  const result = testEngine().execute(baseEnv, txOf({ value: 5n, gasLimit: 21_000n }), readOf(world))
  t.is(result.status, 'success')
  t.is(result.gasUsed, 21_000n)
  t.is(result.gasPeak, 21_000n)
  t.deepEqual(
    result.diff.map((account) => [toHex(account.address).slice(38), account.balance, account.nonce]),
    [
      ['a1', 1_000_000n - 5n - 21_000n * 8n, 1n],
      ['b1', 5n, 0n],
      ['c0', 21_000n, 0n],
    ],
  )
  apply(world, result.diff)
  const again = testEngine().execute(baseEnv, txOf({ value: 5n }), readOf(world))
  t.is(again.status, 'refused')
  t.deepEqual(again.reason, { kind: 'NonceTooLow', detail: 'nonce 0 too low, expected 1' })
  t.deepEqual(again.diff, [])
})

const returnWord = ['PUSH0', 'MSTORE', 0x20, 'PUSH0', 'RETURN'] as const

test('the code size limit can be off', (t) => {
  const init = code(0x7000, 'PUSH0', 'RETURN')
  const create = { to: undefined, data: init, gasLimit: 20_000_000n }
  t.is(call(code('STOP'), create).reason?.kind, 'CreateContractSizeLimit')
  const result = call(code('STOP'), create, { relax: { codeSize: true } })
  t.is(result.status, 'success')
  t.is(result.diff.find(({ created }) => created)?.code?.length, 0x7000)
})

test('with fees off GASPRICE is right and nobody is charged or paid', (t) => {
  const env = { relax: { fees: true } }
  const result = call(code('GASPRICE', ...returnWord), { gasPrice: 20n, priorityFee: 3n }, env)
  t.deepEqual(result.output, word(10))
  t.deepEqual(
    result.diff.map(({ address: at, balance, nonce }) => [toHex(at).slice(38), balance, nonce]),
    [['a1', 10n ** 24n, 1n]],
  )
})

test('where there is no blob base fee whoever asks for it is refused, with all that came before', (t) => {
  const asks = join(code(1, 1, 'SSTORE'), Uint8Array.of(0x4a), code(...returnWord))
  const env = { relax: { fees: true }, blobBaseFee: undefined }
  const reason = {
    kind: 'NilPointer',
    detail: 'runtime error: invalid memory address or nil pointer dereference',
  }
  const world = worldWith(join(code(2, 2, 'SSTORE'), forward(address(0xb2))))
  put(world, address(0xb2), { nonce: 1n, code: asks })
  const inside = testEngine().execute({ ...baseEnv, ...env }, txOf({}), readOf(world))
  t.deepEqual(call(asks, {}, { relax: { fees: true }, blobBaseFee: 7n }).output, word(7))
  for (const { status, reason: told, diff } of [call(asks, {}, env), inside]) {
    t.deepEqual([status, told, diff], ['refused', reason, []])
  }
  t.is(call(asks, {}, { ...env, fork: 'shanghai' }).reason?.kind, 'NotActivated')
})

test('without the nonce bump a call leaves the sender alone and a creation counts', (t) => {
  const env = { relax: { fees: true, nonceBump: true } }
  t.deepEqual(call(code('STOP'), {}, env).diff, [])
  const created = call(code('STOP'), { to: undefined }, env)
  t.is(created.diff.find(({ address: at }) => toHex(at).endsWith('a1'))?.nonce, 1n)
})

test('an account that was touched and stayed as it was is no part of the diff', (t) => {
  const result = call(
    code('PUSH0', 'PUSH0', 'PUSH0', 'PUSH0', 'PUSH0', address(0x99), 'GAS', 'CALL'),
    {},
    { relax: { fees: true } },
  )
  t.deepEqual(
    result.diff.map(({ address: at }) => toHex(at).slice(38)),
    ['a1'],
  )
})

test('slots come in the order of their keys', (t) => {
  const keys = [9, 3, 0xffff, 1, 256]
  const result = call(code(...keys.flatMap((key) => [1, key, 'SSTORE'])))
  const slots = result.diff.find(({ address: at }) => toHex(at).endsWith('b1'))?.slots ?? []
  t.deepEqual(
    slots.map(({ key }) => Number(BigInt(`0x${toHex(key)}`))),
    [1, 3, 9, 256, 0xffff],
  )
})

test('1,024 nested calls end at the depth limit', (t) => {
  const recursive = join(forward(0xb1), code('ISZERO', 'PUSH0', 'SLOAD', 'ADD', 'PUSH0', 'SSTORE'))
  const result = call(
    recursive,
    { gasLimit: 10n ** 18n },
    { relax: { fees: true, blockGasLimit: true }, blockGasLimit: 1n << 62n },
  )
  t.is(result.status, 'success')
  t.deepEqual(
    result.diff.flatMap(({ slots }) => slots),
    [{ key: word(0), value: word(1) }],
    'one call was refused',
  )
})

test('24 KB of code deploys, and one byte more does not', (t) => {
  const deploy = (size: number) =>
    call(code('STOP'), { to: undefined, data: code(size, 'PUSH0', 'RETURN'), gasLimit: 10_000_000n })
  t.is(deploy(0x6000).status, 'success')
  t.is(deploy(0x6001).reason?.kind, 'CreateContractSizeLimit')
})

test('128 KB of calldata arrive', (t) => {
  const data = Uint8Array.from({ length: 131_072 }, (_, index) => index & 0xff)
  const result = call(code('CALLDATASIZE', 'PUSH0', 'PUSH0', 'CALLDATACOPY', 'CALLDATASIZE', 'PUSH0', 'RETURN'), {
    data,
    gasLimit: 10_000_000n,
  })
  t.deepEqual(result.output, data)
})

test('memory beyond the limit halts, below it grows the instance', (t) => {
  const touch = (bytes: number) => call(code(bytes, 'MLOAD'), { gasLimit: 10n ** 12n }, { relax: { fees: true } })
  t.is(touch(100 << 20).status, 'success')
  t.is(touch(300 << 20).reason?.detail, 'out of gas: memory limit reached')
})

test('memory that runs out inside is a fault of that call alone', (t) => {
  const engine = testEngine()
  const world = readOf(worldWith(code(0xc000_0000, 'MLOAD')))
  const env = {
    ...baseEnv,
    relax: { fees: true, blockGasLimit: true },
    memoryLimitBytes: 0xffff_ffff,
  }
  t.throws(() => engine.execute(env, txOf({ gasLimit: 1n << 60n }), world), { code: 'EVM_TRAPPED' })
  t.is(engine.execute(env, txOf({ to: address(0x99) }), world).status, 'success')
})

const rethrows = test.macro((t, name: keyof EvmRead, bytes: Uint8Array) => {
  const engine = testEngine()
  const failure = new Error('upstream state is missing')
  const world = worldWith(bytes)
  const read = readOf(world)
  const fail = () => {
    throw failure
  }
  t.is(
    t.throws(() => engine.execute(baseEnv, txOf({}), { ...read, [name]: fail })),
    failure,
  )
  t.not(engine.execute(baseEnv, txOf({}), read).status, 'refused')
})

test('an exception of account comes back unchanged', rethrows, 'account', code('STOP'))
test('an exception of slot comes back unchanged', rethrows, 'slot', code('PUSH0', 'SLOAD'))
test('an exception of code comes back unchanged', rethrows, 'code', code('STOP'))
test('an exception of blockHash comes back unchanged', rethrows, 'blockHash', code('PUSH0', 'BLOCKHASH'))

test('an exception in a nested frame leaves nothing of the transaction behind', (t) => {
  const engine = testEngine()
  const world = worldWith(join(code(1, 'PUSH0', 'SSTORE'), forward(0xb2), code('STOP')))
  put(world, address(0xb2), { nonce: 1n, code: code(7, 'SLOAD') })
  const read = readOf(world)
  const failing: EvmRead = {
    ...read,
    slot: (at, key) => {
      if (toHex(at).endsWith('b2')) throw new RangeError('not here')
      return read.slot(at, key)
    },
  }
  t.throws(() => engine.execute(baseEnv, txOf({}), failing), { instanceOf: RangeError })
  const result = engine.execute(baseEnv, txOf({ to: address(0x99) }), read)
  t.deepEqual(
    result.diff.flatMap(({ slots }) => slots),
    [],
  )
})

test('every instruction is shown with its stack, and an exception of the hook comes back', (t) => {
  const engine = testEngine()
  const world = readOf(worldWith(code(2, 3, 'ADD', 'STOP')))
  const seen: unknown[] = []
  const result = engine.execute(baseEnv, txOf({ gasLimit: 50_000n }), world, {
    onStep: ({ pc, opcode, gas, depth, stack }) => seen.push([pc, opcode, gas, depth, stack]),
  })
  t.is(result.status, 'success')
  t.deepEqual(seen, [
    [0, 0x60, 29_000n, 1, []],
    [2, 0x60, 28_997n, 1, [2n]],
    [4, 0x01, 28_994n, 1, [2n, 3n]],
    [5, 0x00, 28_991n, 1, [5n]],
  ])
  const failure = new Error('stop here')
  t.is(
    t.throws(() =>
      engine.execute(baseEnv, txOf({}), world, {
        onStep: () => {
          throw failure
        },
      }),
    ),
    failure,
  )
})

test('a hook changes nothing about the result', (t) => {
  const world = readOf(worldWith(code(1, 'ADD')))
  const [plain, hooked] = [{}, { onStep: () => {} }].map((options) =>
    testEngine().execute(baseEnv, txOf({}), world, options),
  )
  t.deepEqual(hooked, plain)
})

test('code is asked for once, however often it runs', (t) => {
  const engine = testEngine()
  const read = readOf(worldWith(code('STOP')))
  let asked = 0
  const counting: EvmRead = {
    ...read,
    code: (hash) => {
      asked += 1
      return read.code(hash)
    },
  }
  for (let i = 0; i < 3; i += 1) engine.execute(baseEnv, txOf({}), counting)
  t.is(asked, 1)
})

test('forks differ as they should', (t) => {
  const push0 = (fork: Fork) => call(code('PUSH0'), {}, { fork }).status
  t.deepEqual([push0('paris'), push0('shanghai')], ['halt', 'success'])
  const clz = (fork: Fork) => call(hex('60011e'), {}, { fork }).status
  t.deepEqual([clz('prague'), clz('osaka')], ['halt', 'success'])
  const legacy = { type: 0, priorityFee: undefined } as const
  t.is(call(code('STOP'), legacy, { fork: 'frontier', baseFee: 0n }).status, 'success')
})

test('a delegation of EIP-7702 runs the code of another account and shows in the diff', (t) => {
  const authorizations = [{ chainId: 1n, address: address(0xb1), nonce: 0n, authority: address(0xe1) }]
  const result = call(code(5, 'PUSH0', 'SSTORE'), { type: 4, to: address(0xe1), authorizations })
  const delegated = result.diff.find(({ address: at }) => toHex(at).endsWith('e1'))
  t.is(toHex(delegated?.code ?? new Uint8Array()), `ef0100${toHex(address(0xb1))}`)
  t.deepEqual(delegated?.slots, [{ key: word(0), value: word(5) }])
})

test('keccak256 is that of other code at every length around a block, and for much', (t) => {
  const { keccak256 } = testEngine()
  const bytes = new Uint8Array(200_000).map((_, index) => index * 7 + 3)
  for (const length of [...Array.from({ length: 300 }, (_, index) => index), bytes.length]) {
    t.deepEqual(keccak256(bytes.subarray(0, length)), keccak_256(bytes.subarray(0, length)), `${length} bytes`)
  }
})

test('a moved precompile answers at its new address and leaves an account at the old one', (t) => {
  const world = emptyWorld()
  const [from, to, data] = [address(2), address(0x22), hex('cafe')]
  put(world, address(0xa1), { balance: 10n ** 18n })
  put(world, from, { code: code(5, ...returnWord) })
  put(world, address(0xb1), {
    code: join(forward(to), code(0x20, 'PUSH0', 'PUSH0', 'RETURNDATACOPY', 0x20, 'PUSH0', 'RETURN')),
  })
  const env = { ...baseEnv, movedPrecompiles: [{ from, to }] }
  const engine = testEngine()
  const output = (where: Uint8Array, around = env) =>
    toHex(engine.execute(around, txOf({ to: where, data, gasLimit: 100_000n }), readOf(world)).output)
  t.is(output(to), toHex(sha256(data)), 'called by a transaction')
  t.is(output(address(0xb1)), toHex(sha256(data)), 'called by a contract')
  t.is(output(from), toHex(word(5)), 'the code of the account runs')
  t.is(output(from, { ...baseEnv, movedPrecompiles: [] }), toHex(sha256(data)), 'and only in that environment')
  t.is(output(to, { ...baseEnv, movedPrecompiles: [] }), '')
})

const loop = code('JUMPDEST', 'PUSH0', 'JUMP')

test('an execution that needs more than its slice is given up, and the next one works', (t) => {
  const engine = testEngine()
  const world = worldWith(loop)
  const slice = { left: 100_000n }
  t.throws(() => engine.execute(baseEnv, txOf({}), readOf(world), { slice }), { instanceOf: SliceOver })
  t.throws(() => engine.execute(baseEnv, txOf({}), readOf(world), { slice }), { instanceOf: SliceOver })
  const result = engine.execute(baseEnv, txOf({}), readOf(world))
  t.is(result.reason?.kind, 'OutOfGas')
})

test('within its slice an execution is what it is without, and takes off the gas that it used', (t) => {
  const inner = code('GAS', 'PUSH0', 'MSTORE', 7, 7, 'SSTORE', 0x20, 'PUSH0', 'RETURN')
  const world = worldWith(forward(address(0xb2)))
  put(world, address(0xb2), { nonce: 1n, code: inner })
  const plain = testEngine().execute(baseEnv, txOf({}), readOf(world))
  t.is(plain.status, 'success')
  const slice = { left: 100_000n }
  t.deepEqual(testEngine().execute(baseEnv, txOf({}), readOf(world), { slice }), plain)
  // The 21,000 of every transaction are no work.
  t.is(100_000n - slice.left, plain.gasPeak - 21_000n)
})

test('a slice is used up by frames that call each other as by one', (t) => {
  const world = worldWith(forward(address(0xb2)))
  put(world, address(0xb2), { nonce: 1n, code: loop })
  const slice = { left: 50_000n }
  t.throws(() => testEngine().execute(baseEnv, txOf({}), readOf(world), { slice }), { instanceOf: SliceOver })
  const calling = worldWith(join(code('JUMPDEST'), forward(address(0xb1)), code('PUSH0', 'JUMP')))
  const again = { left: 50_000n }
  t.throws(() => testEngine().execute(baseEnv, txOf({}), readOf(calling), { slice: again }), { instanceOf: SliceOver })
})

test('precompiles of Ethereum take 20 times their gas off a slice, and do not begin without it', (t) => {
  const recover = code('PUSH0', 'PUSH0', 'PUSH0', 'PUSH0', 'PUSH0', 1, 'GAS', 'CALL')
  const world = worldWith(recover)
  const plain = testEngine().execute(baseEnv, txOf({}), readOf(world))
  const enough = { left: 61_000n }
  t.deepEqual(testEngine().execute(baseEnv, txOf({}), readOf(world), { slice: enough }), plain)
  t.true(enough.left < 1000n)
  const little = { left: 59_000n }
  t.throws(() => testEngine().execute(baseEnv, txOf({}), readOf(world), { slice: little }), { instanceOf: SliceOver })
})

test('a call that cannot pay for the first access to its account is out of gas in the words of go-ethereum', (t) => {
  const detail = (to: number, left: bigint) => {
    const calls = code('PUSH0', 'PUSH0', 'PUSH0', 'PUSH0', 1, to, 'GAS', 'CALL')
    // Seven instructions, and what a call costs in any case.
    return call(calls, { gasLimit: 21_000n + 16n + 100n + left }, { relax: { fees: true } }).reason?.detail
  }
  t.is(detail(0xee, 2_499n), 'out of gas: out of gas')
  t.is(detail(0xee, 2_500n), 'out of gas')
  t.is(detail(0xb1, 2_499n), 'out of gas')
})
