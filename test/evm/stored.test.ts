/** Accounts and slots that the node stores although they are as they were (StateDB journal). */
import test from 'ava'
import { code, join } from '../helpers/bytecode.ts'
import { testEngine } from '../helpers/engine.ts'
import { address, baseEnv, emptyWorld, hex, put, readOf, toHex, txOf } from '../helpers/state.ts'

const balance = 7n
const missing = 0xee
const revert = code('PUSH0', 'PUSH0', 'REVERT')
/** A call of an address that pushes its value, if it has one, before the address. */
const calling = (to: number, kind: 'CALL' | 'STATICCALL' | 'DELEGATECALL', value = 0) =>
  code('PUSH0', 'PUSH0', 'PUSH0', 'PUSH0', ...(kind === 'CALL' ? [value] : []), to, 'GAS', kind, 'POP')

/** Runs b1, which finds the other code at b2, and returns what is stored: the end of each address, and its slots. */
function stored(own: Uint8Array, other: Uint8Array = new Uint8Array()): readonly string[] {
  const world = emptyWorld()
  put(world, address(0xa1), { balance: 1_000n })
  put(world, address(0xb1), { nonce: 1n, code: own, balance })
  put(world, address(0xb2), { nonce: 1n, code: other, balance })
  put(world, address(0xb3), { nonce: 1n, code: hex('60eeff') })
  const env = { ...baseEnv, relax: { fees: true, nonceBump: true } }
  const { status, diff } = testEngine().execute(env, txOf({}), readOf(world))
  if (status !== 'success') throw new Error(status)
  return diff.map(({ address: at, empty, slots }) => {
    const written = slots.map(({ key, value }) => ` ${key.at(-1)}=${value.at(-1)}`).join('')
    return `${toHex(at).slice(-2)}${empty ? ' empty' : ''}${written}`
  })
}

test('a slot is stored again if it was written and then written back', (t) => {
  t.deepEqual(stored(code(1, 'PUSH0', 'SSTORE', 'PUSH0', 'PUSH0', 'SSTORE')), ['b1 0=0'])
  t.deepEqual(stored(code('PUSH0', 'PUSH0', 'SSTORE')), [])
})

test('a slot that a reverted frame has written is stored with its account, and not without', (t) => {
  const writes = join(code(1, 'PUSH0', 'SSTORE'), revert)
  t.deepEqual(stored(calling(0xb2, 'DELEGATECALL'), writes), [])
  t.deepEqual(stored(join(code(3, 2, 'SSTORE'), calling(0xb2, 'DELEGATECALL')), writes), ['b1 0=0 2=3'])
})

test('a static call and a call of a precompile store an account that is missing, and other calls do not', (t) => {
  t.deepEqual(stored(calling(missing, 'STATICCALL')), ['ee empty'])
  t.deepEqual(stored(calling(missing, 'CALL')), [])
  t.deepEqual(stored(calling(4, 'CALL')), ['04 empty'])
  t.deepEqual(stored(calling(4, 'DELEGATECALL')), [])
  t.deepEqual(stored(calling(0xb2, 'STATICCALL')), [])
  t.deepEqual(stored(calling(0xb2, 'DELEGATECALL'), join(calling(missing, 'STATICCALL'), revert)), [])
})

test('who gives itself something is stored, also when it destroys itself to itself', (t) => {
  // Calls itself with one wei and one byte of data, and ends if it has data.
  const paying = code('CALLDATASIZE', 15, 'JUMPI', 'PUSH0', 'PUSH0', 1, 'PUSH0', 1, 'ADDRESS', 'GAS', 'CALL', 'STOP')
  t.deepEqual(stored(calling(0xb2, 'CALL'), join(paying, hex('5b00'))), ['b2'])
  t.deepEqual(stored(calling(0xb2, 'CALL'), hex('30ff')), ['b2'])
  t.deepEqual(stored(calling(0xb2, 'CALL'), hex(`73${'00'.repeat(19)}b1ff`)), ['b1', 'b2'])
})

test('a contract without a balance that destroys itself makes the account that it names', (t) => {
  t.deepEqual(stored(calling(0xb3, 'CALL')), ['ee empty'])
})

test('a word whose price a reverted frame could not pay is not stored', (t) => {
  const poor = code('PUSH0', 'PUSH0', 'PUSH0', 'PUSH0', 0xb2, 3_000, 'DELEGATECALL', 'POP')
  t.deepEqual(stored(join(code(3, 2, 'SSTORE'), poor), code(1, 'PUSH0', 'SSTORE')), ['b1 2=3'])
})
