import test from 'ava'
import { devTable } from '../../../src/rpc/dev/index.ts'
import { RpcError } from '../../../src/rpc/errors.ts'
import { contextOf, dialect, stub } from '../../helpers/ethStub.ts'

const context = contextOf(stub({ ethApi: ['dev'], quirks: ['sane'] }))
const someone = '0x40a0cb1c63e026a81b55ee1308586e21eec1efa9'

function commandOf(name: string, params: readonly unknown[] | undefined): unknown {
  const method = devTable.byName.get(name)
  if (method === undefined) throw new Error(`no control ${name}`)
  const given =
    params === undefined ? ({ form: 'absent' } as const) : ({ form: 'json', text: JSON.stringify(params) } as const)
  return method.command(context, dialect.decodeParams(method, given, context))
}

const asks = test.macro((t, name: string, params: readonly unknown[] | undefined, command: unknown) => {
  t.deepEqual(commandOf(name, params), command)
})

const mine = (count: number, gapMs?: bigint) => ({ type: 'mine', count, ...(gapMs === undefined ? {} : { gapMs }) })

// The payloads of viem's test client (peers.md §2.4), which never change with the version of it.
test('viem anvil: mine blocks', asks, 'anvil_mine', ['0x2', '0x0'], mine(2))
test('viem anvil: mine blocks with an interval', asks, 'anvil_mine', ['0x2', '0xc'], mine(2, 12_000n))
test('viem hardhat: mine blocks', asks, 'hardhat_mine', ['0x2', '0x0'], mine(2))
test('viem ganache: mine blocks', asks, 'evm_mine', [{ blocks: '0x2' }], mine(2))
test('parameters may be left out altogether', asks, 'anvil_mine', undefined, mine(1))
test('numbers and decimals are taken as well', asks, 'anvil_mine', [3, '7'], mine(3, 7000n))
test('seconds of anvil, instead of automine', asks, 'evm_setIntervalMining', [5], {
  type: 'setBlockPolicy',
  policy: { mode: 'interval', intervalMs: 5000n },
})
test('no interval is no mining, as in Anvil', asks, 'evm_setIntervalMining', [0], {
  type: 'setBlockPolicy',
  policy: { mode: 'manual' },
})
test('automine off', asks, 'evm_setAutomine', [false], { type: 'setBlockPolicy', policy: { mode: 'manual' } })
test('block time steps of anvil are seconds', asks, 'anvil_setBlockTimestampInterval', [5], {
  type: 'setBlockStep',
  ms: 5000n,
})
test('block time steps of hardhat are milliseconds', asks, 'hardhat_setBlockTimestampInterval', [5000], {
  type: 'setBlockStep',
  ms: 5000n,
})
test('time moves by seconds', asks, 'evm_increaseTime', ['0x1a4'], { type: 'advanceTime', ms: 420_000n })
test('a timestamp for the next block', asks, 'evm_setNextBlockTimestamp', ['0x6b49d200'], {
  type: 'setNextBlockTime',
  ms: 1_800_000_000_000n,
  keep: true,
})
test('a clock in milliseconds', asks, 'evm_setTime', [1_800_000_000_000], {
  type: 'setNextBlockTime',
  ms: 1_800_000_000_000n,
  keep: true,
})
test('a block at a timestamp', asks, 'evm_mine', [1_800_000_000], {
  type: 'sequence',
  commands: [{ type: 'setNextBlockTime', ms: 1_800_000_000_000n, keep: true }, mine(1)],
})
test('a checkpoint', asks, 'evm_snapshot', undefined, { type: 'checkpoint' })
test('back to a checkpoint', asks, 'evm_revert', ['0x1'], { type: 'restore', id: '0x1' })
test('a reset as viem sends it', asks, 'anvil_reset', [{ forking: { blockNumber: null } }], { type: 'reset' })
test('all out of the pool', asks, 'anvil_dropAllTransactions', undefined, { type: 'flushMempool' })
test('dropping what does not wait asks for nothing', asks, 'anvil_dropTransaction', [`0x${'11'.repeat(32)}`], {
  type: 'none',
})

const edits = test.macro((t, name: string, params: readonly unknown[], edit: Record<string, unknown>) => {
  const {
    type,
    edits: [first],
  } = commandOf(name, params) as {
    type: string
    edits: Record<string, unknown>[]
  }
  t.is(type, 'edit')
  t.like(first, edit)
})

test('a balance', edits, 'anvil_setBalance', [someone, '0xff'], { type: 'setBalance', amount: 255n })
test('a balance of ganache', edits, 'evm_setAccountBalance', [someone, '0xff'], { type: 'setBalance', amount: 255n })
test('a faucet', edits, 'dev_faucet', [someone, '10'], { type: 'addBalance', amount: 10n })
test('a nonce', edits, 'hardhat_setNonce', [someone, '0x1a4'], { type: 'setNonce', nonce: 420n })
test('a slot by number', edits, 'anvil_setStorageAt', [someone, '0x2', `0x${'01'.repeat(32)}`], {
  type: 'setStorage',
  slot: Uint8Array.from({ length: 32 }, (_, at) => (at === 31 ? 2 : 0)),
})
test('a gas limit', edits, 'evm_setBlockGasLimit', ['0x668a0'], {
  type: 'setConsensusParams',
  params: { block: { maxBytes: 1n, maxGas: 420_000n } },
})
test('an impersonated account', edits, 'anvil_impersonateAccount', [someone], { type: 'setImpersonated', isOn: true })

const refuses = test.macro((t, name: string, params: readonly unknown[], text: string) => {
  const error = t.throws(() => commandOf(name, params), { instanceOf: RpcError })
  t.true(error.message.includes(text), error.message)
})

test(
  'a wrong type names the unit',
  refuses,
  'anvil_mine',
  [true],
  'invalid argument 0: expected a whole number of blocks (JSON number, decimal or 0x text), received true',
)
test('a fraction names the unit', refuses, 'evm_increaseTime', [1.5], 'a whole number of seconds')
test('a negative number names the unit', refuses, 'evm_setIntervalMining', [-1], 'a whole number of seconds')
test('wei are named', refuses, 'anvil_setBalance', [someone, 'ten'], 'a whole number of wei')
test('milliseconds are named', refuses, 'hardhat_setBlockTimestampInterval', ['5s'], 'a whole number of milliseconds')
test(
  'a short storage word is refused',
  refuses,
  'anvil_setStorageAt',
  [someone, '0x0', '0x01'],
  'a storage word of 32 bytes',
)

test('too many blocks are refused', refuses, 'anvil_mine', ['0xffffffff'], 'at most 1000000 blocks')
test('a fork is refused', refuses, 'anvil_reset', [{ forking: { jsonRpcUrl: 'http://x' } }], 'fork')

test('every control that changes something says so', (t) => {
  for (const method of devTable.methods) {
    t.is(method.traits.includes('changesWorld'), method.kind === 'action', method.name)
  }
})
