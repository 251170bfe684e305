import test from 'ava'
import type { EvmResult, HostCall, HostJournal, HostPrecompiles, HostReturn } from '../../src/evm/types.ts'
import { code, forward, join } from '../helpers/bytecode.ts'
import { testEngine } from '../helpers/engine.ts'
import { address, baseEnv, emptyWorld, hex, put, readOf, toHex, txOf, word, type World } from '../helpers/state.ts'

const bank = address(0x804)
const sender = address(0xa1)
const heir = address(0x77)
const [outer, inner] = [address(0xb1), address(0xb2)]

type Module = { host: HostPrecompiles; log: string[]; calls: HostCall[] }
type Behave = (call: HostCall, journal: HostJournal) => HostReturn

/** A module with a log of what it wrote: its state, and the undo log in one. */
function moduleOf(behave: Behave): Module {
  const log: string[] = []
  const calls: HostCall[] = []
  const host: HostPrecompiles = {
    addresses: [bank],
    call: (call, journal) => {
      calls.push(call)
      return behave(call, journal)
    },
    mark: () => log.length,
    cut: (length) => {
      log.length = Math.min(log.length, length)
    },
  }
  return { host, log, calls }
}

const done = (gasUsed = 1_000n, output: Uint8Array = new Uint8Array()): HostReturn => ({
  status: 'success',
  gasUsed,
  output,
})

/** Moves one wei from the caller to the heir, writes a slot, a log and a line of module state. */
function sendsOne(module: () => Module): Behave {
  return ({ caller }, journal) => {
    journal.transfer(caller, heir, 1n)
    const count = BigInt(`0x${toHex(journal.slot(bank, word(7)))}`)
    journal.setSlot(bank, word(7), word(count + 1n))
    journal.log({ address: bank, topics: [word(9)], data: hex('c0de') })
    module().log.push('sent')
    return done()
  }
}

function sendingModule(): Module {
  const module: Module = moduleOf((call, journal) => sendsOne(() => module)(call, journal))
  return module
}

function worldOf(codes: readonly (readonly [Uint8Array, Uint8Array])[]): World {
  const world = emptyWorld()
  put(world, sender, { balance: 10n ** 18n })
  put(world, bank, { nonce: 1n })
  for (const [at, bytes] of codes) put(world, at, { balance: 100n, nonce: 1n, code: bytes })
  return world
}

function run(world: World, module: Module, to = outer): EvmResult {
  return testEngine().execute({ ...baseEnv, relax: { fees: true } }, txOf({ to, gasLimit: 500_000n }), readOf(world), {
    host: module.host,
  })
}

const changed = (result: EvmResult): string[] => result.diff.map(({ address: at }) => toHex(at).replace(/^0+/, ''))

test('a precompile called by a transaction moves balance, storage, logs and module state', (t) => {
  const module = sendingModule()
  const result = run(worldOf([]), module, bank)
  t.is(result.status, 'success')
  t.is(result.gasUsed, 22_000n)
  t.deepEqual(changed(result), ['77', 'a1', '804'])
  t.deepEqual(result.diff[2]?.slots, [{ key: word(7), value: word(1) }])
  t.deepEqual(result.logs, [{ address: bank, topics: [word(9)], data: hex('c0de') }])
  t.deepEqual(module.log, ['sent'])
})

test('a frame that reverts takes balance, storage, logs and module state with it', (t) => {
  const module = sendingModule()
  const world = worldOf([[outer, join(forward(bank), code('PUSH0', 'PUSH0', 'REVERT'))]])
  const result = run(world, module)
  t.is(result.status, 'revert')
  t.is(module.calls.length, 1)
  t.deepEqual([changed(result), result.logs, module.log], [['a1'], [], []])
})

test('success inside a frame that reverts leaves nothing, and what stands stays', (t) => {
  const module = sendingModule()
  const world = worldOf([
    [inner, join(forward(bank), code('PUSH0', 'PUSH0', 'REVERT'))],
    [outer, join(forward(bank), forward(inner), forward(bank), code('STOP'))],
  ])
  const result = run(world, module)
  t.is(result.status, 'success')
  t.is(module.calls.length, 3)
  t.is(result.logs.length, 2)
  t.deepEqual(module.log, ['sent', 'sent'])
  t.is(result.diff.find(({ address: at }) => toHex(at) === toHex(heir))?.balance, 2n)
  t.is(result.diff.find(({ address: at }) => toHex(at) === toHex(outer))?.balance, 98n)
  t.is(
    result.diff.find(({ address: at }) => toHex(at) === toHex(inner)),
    undefined,
  )
  t.deepEqual(result.diff.find(({ address: at }) => toHex(at) === toHex(bank))?.slots, [
    { key: word(7), value: word(2) },
  ])
})

test('a later call sees the log without what was reverted', (t) => {
  const seen: number[] = []
  const module: Module = moduleOf(() => {
    seen.push(module.log.length)
    module.log.push('entry')
    return done()
  })
  const reverting = join(forward(bank), forward(bank), code('PUSH0', 'PUSH0', 'REVERT'))
  const world = worldOf([
    [inner, reverting],
    [outer, join(forward(bank), forward(inner), forward(bank), code('STOP'))],
  ])
  run(world, module)
  t.deepEqual(seen, [0, 1, 2, 1])
  t.is(module.log.length, 2)
})

test('a precompile that reverts returns its data and gas, and its own effects are gone', (t) => {
  const module: Module = moduleOf((call, journal) => {
    sendsOne(() => module)(call, journal)
    return { status: 'revert', gasUsed: 1_000n, output: hex('08c379a0') }
  })
  const result = run(worldOf([]), module, bank)
  t.is(result.status, 'revert')
  t.is(result.gasUsed, 22_000n)
  t.is(toHex(result.output), '08c379a0')
  t.deepEqual([changed(result), module.log], [['a1'], []])
})

test('a precompile that uses more gas than it has loses all of it', (t) => {
  const module = moduleOf(() => done(500_000n))
  const result = run(worldOf([]), module, bank)
  t.deepEqual([result.status, result.reason?.kind, result.gasUsed], ['halt', 'OutOfGas', 500_000n])
})

test('a write in a static call fails the frame with all its gas, and reading is allowed', (t) => {
  const module: Module = moduleOf((call, journal) => {
    if (call.isStatic) journal.balance(sender)
    return sendsOne(() => module)(call, journal)
  })
  const world = worldOf([[outer, join(forward(bank, 'STATICCALL'), code('PUSH0', 'MSTORE', 0x20, 'PUSH0', 'RETURN'))]])
  const result = run(world, module)
  t.is(result.status, 'success')
  t.deepEqual(result.output, word(0))
  t.true(module.calls[0]?.isStatic)
  t.true(result.gasUsed > 480_000n)
  t.deepEqual([changed(result), result.logs, module.log], [['a1'], [], []])
})

test('delegate and code calls say so, and name the sender they stand for', (t) => {
  const module = moduleOf(() => done())
  const world = worldOf([[outer, join(forward(bank, 'DELEGATECALL'), forward(bank, 'CALLCODE'), forward(bank))]])
  run(world, module)
  t.deepEqual(
    module.calls.map(({ isDelegate, isCodeCall, caller }) => [isDelegate, isCodeCall, toHex(caller).slice(38)]),
    [
      [true, false, 'a1'],
      [false, true, 'b1'],
      [false, false, 'b1'],
    ],
  )
})

test('value sent to a precompile is seen by it and moves', (t) => {
  const module = moduleOf((call, journal) => done(0n, word(journal.balance(call.address) + call.value)))
  const send = txOf({ to: bank, value: 5n, gasLimit: 100_000n })
  const result = testEngine().execute(baseEnv, send, readOf(worldOf([])), { host: module.host })
  t.deepEqual(result.output, word(10))
})

test('what a precompile reads or writes stays cold', (t) => {
  const touch = (module: Module): bigint =>
    run(worldOf([[outer, join(forward(bank), code(heir, 'BALANCE'))]]), module).gasUsed
  const quiet = touch(moduleOf(() => done()))
  const loud: Module = moduleOf((call, journal) => {
    journal.balance(heir)
    return sendsOne(() => loud)(call, journal)
  })
  t.is(touch(loud), quiet)
})

test('balances move only as far as they reach', (t) => {
  const answers: unknown[] = []
  const module = moduleOf((_, journal) => {
    answers.push(journal.transfer(outer, heir, 101n), journal.subBalance(outer, 101n), journal.subBalance(outer, 100n))
    journal.addBalance(heir, 3n)
    answers.push(journal.balance(outer), journal.balance(heir))
    return done()
  })
  run(worldOf([[outer, code('STOP')]]), module, bank)
  t.deepEqual(answers, [false, false, true, 0n, 3n])
})

test('the undo word shows neither in diffs nor in traces nor in access costs', (t) => {
  const module = sendingModule()
  const world = worldOf([[outer, join(forward(bank), code('STOP'))]])
  const job = {
    env: { ...baseEnv, relax: { fees: true } },
    tx: txOf({ gasLimit: 200_000n }),
    read: readOf(world),
  }
  const { json } = testEngine().trace(job, { name: 'prestateTracer', diffMode: true }, { host: module.host })
  t.false(json.includes('fffffffffffffffe'))
  t.deepEqual(module.log, [], 'a trace leaves no module state')
})

test('an exception of a precompile comes back unchanged, and the next call works', (t) => {
  const engine = testEngine()
  const failure = { not: 'an Error' }
  const module: Module = moduleOf(() => {
    module.log.push('lost')
    throw failure
  })
  const world = worldOf([])
  const thrown = t.throws(() => engine.execute(baseEnv, txOf({ to: bank }), readOf(world), { host: module.host }), {
    any: true,
  })
  t.is(thrown as unknown, failure)
  t.deepEqual(module.log, [])
  t.is(engine.execute(baseEnv, txOf({ to: heir }), readOf(world)).status, 'success')
})

test('an exception that a precompile swallows still ends the transaction', (t) => {
  const failure = new Error('state is elsewhere')
  const module = moduleOf((_, journal) => {
    try {
      journal.balance(address(0x99))
    } catch {
      // A precompile must not be able to go on with half a state.
    }
    return done()
  })
  const read = readOf(worldOf([]))
  const account = (at: Uint8Array) => {
    if (toHex(at).endsWith('99')) throw failure
    return read.account(at)
  }
  const thrown = t.throws(() =>
    testEngine().execute(baseEnv, txOf({ to: bank }), { ...read, account }, { host: module.host }),
  )
  t.is(thrown, failure)
})

test('a precompile may run another transaction while it runs', (t) => {
  const engine = testEngine()
  const world = worldOf([[inner, code(42, 'PUSH0', 'MSTORE', 0x20, 'PUSH0', 'RETURN')]])
  const module = moduleOf(() => {
    const nested = engine.execute({ ...baseEnv, relax: { nonce: true } }, txOf({ to: inner }), readOf(world))
    return done(0n, nested.output)
  })
  const result = engine.execute(baseEnv, txOf({ to: bank }), readOf(world), { host: module.host })
  t.deepEqual(result.output, word(42))
})

test('a journal is of no use after its call', (t) => {
  let kept: HostJournal | undefined
  const module = moduleOf((_, journal) => {
    kept = journal
    return done()
  })
  run(worldOf([]), module, bank)
  t.throws(() => kept?.balance(sender), { message: /after it had returned/ })
})
