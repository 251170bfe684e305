import test from 'ava'
import type { EvmEnv, EvmRelax, EvmTx } from '../../src/evm/types.ts'
import { code, join } from '../helpers/bytecode.ts'
import { call } from '../helpers/call.ts'
import { address, hex, word } from '../helpers/state.ts'

const loop = join(code('JUMPDEST'), code('PUSH0', 'JUMP'))
const halts = test.macro((t, bytes: Uint8Array, kind: string, detail: string, gas?: bigint) => {
  const gasLimit = gas ?? 100_000n
  const result = call(bytes, { gasLimit })
  t.is(result.status, 'halt')
  t.deepEqual(result.reason, { kind, detail })
  t.is(result.gasUsed, gasLimit)
})

test('running out of gas is named', halts, loop, 'OutOfGas', 'out of gas')
test('an empty stack is named with its heights', halts, code(1, 'ADD'), 'StackUnderflow', 'stack underflow (1 <=> 2)')
test(
  'a full stack is named with its heights',
  halts,
  join(code('JUMPDEST'), code('PUSH0', 'PUSH0', 'JUMP')),
  'StackOverflow',
  'stack limit reached 1024 (1023)',
)
test('a jump to nowhere is named', halts, code(5, 'JUMP'), 'InvalidJump', 'invalid jump destination')
test('an unknown instruction is named', halts, hex('0c'), 'OpcodeNotFound', 'invalid opcode: opcode 0xc not defined')
test('INVALID is named', halts, hex('fe'), 'InvalidFEOpcode', 'invalid opcode: INVALID')
test(
  'reading past return data is named',
  halts,
  code(1, 'PUSH0', 'PUSH0', 'RETURNDATACOPY'),
  'OutOfOffset',
  'return data out of bounds',
)
test(
  'a store with little gas left is named',
  halts,
  code(1, 'PUSH0', 'SSTORE'),
  'OutOfGas',
  'out of gas: not enough gas for reentrancy sentry',
  23_000n,
)

const refuses = test.macro((t, tx: Partial<EvmTx>, env: Partial<EvmEnv>, kind: string) => {
  const result = call(code('STOP'), tx, env)
  t.is(result.status, 'refused')
  t.is(result.reason?.kind, kind)
  t.deepEqual([result.gasUsed, result.diff, result.logs], [0n, [], []])
})

test('a nonce from the future is refused', refuses, { nonce: 1n }, {}, 'NonceTooHigh')
test('a fee below the base fee is refused', refuses, { gasPrice: 6n, priorityFee: 0n }, {}, 'GasPriceLessThanBasefee')
test('an unfunded sender is refused', refuses, { from: address(0xee) }, {}, 'LackOfFundForMaxFee')
test('gas below the intrinsic cost is refused', refuses, { gasLimit: 20_999n }, {}, 'CallGasCostMoreThanGasLimit')
test(
  'more gas than the block has is refused',
  refuses,
  { gasLimit: 31n },
  { blockGasLimit: 30n },
  'CallerGasLimitMoreThanBlock',
)
test('a sender with code is refused', refuses, { from: address(0xb1), nonce: 1n }, {}, 'RejectCallerWithCode')
test(
  'a creation with blobs is refused',
  refuses,
  { type: 3, to: undefined, blobHashes: [word(1)] },
  {},
  'CreationNotAllowed',
)
test('a creation with authorizations is refused', refuses, { type: 4, to: undefined }, {}, 'CreationNotAllowed')
test('a price beyond 128 bits is refused', refuses, { gasPrice: 1n << 128n }, {}, 'ValueOutOfRange')

const relaxes = test.macro((t, relax: EvmRelax, tx: Partial<EvmTx>, env?: Partial<EvmEnv>) => {
  t.is(call(code('STOP'), tx, env).status, 'refused')
  t.is(call(code('STOP'), tx, { ...env, relax }).status, 'success')
})

test('the nonce check can be off', relaxes, { nonce: true }, { nonce: 9n })
test('the balance check can be off', relaxes, { balance: true }, { from: address(0xee), value: 5n })
test('the base fee check can be off', relaxes, { baseFee: true }, { gasPrice: 0n, priorityFee: 0n })
test('fees can be off', relaxes, { fees: true }, { from: address(0xee) })
test(
  'fees and balance can be off together',
  relaxes,
  { fees: true, balance: true, nonce: true },
  { from: address(0xee), value: 5n, nonce: 3n },
)
test(
  'the check for senders with code can be off',
  relaxes,
  { senderCode: true, fees: true },
  { from: address(0xb1), nonce: 1n },
)
test('the block gas limit can be off', relaxes, { blockGasLimit: true }, {}, { blockGasLimit: 1n })
test(
  'the transaction gas cap of Osaka goes with it',
  relaxes,
  { blockGasLimit: true },
  { gasLimit: 20_000_000n },
  { fork: 'osaka' },
)
