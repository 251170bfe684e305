/** What a transaction shows after a frame was taken back, and calls on which the node panics. */
import test from 'ava'
import { encodeFunctionData, type Hex } from 'viem'
import { erc20Precompile } from '../../../../src/app/evmd/precompiles/erc20.ts'
import { runMethod } from '../../../../src/app/evmd/precompiles/run.ts'
import type { MethodTable } from '../../../../src/app/evmd/precompiles/precompile.ts'
import { abi, at, attributeOf, caller, failureOf, methods, startCaller } from '../../../helpers/precompiles.ts'

const heir = '0x00000000000000000000000000000000000a11ce'
const own = (functionName: string, args: readonly unknown[]): Hex => encodeFunctionData({ abi, functionName, args })

const push = (hex: string): string => (0x5f + hex.length / 2).toString(16) + hex

/** Calls an address with calldata of at most 32 bytes a word, in EVM code. */
function calling(opcode: 'f1' | 'f2' | 'f4', to: Hex, data: Hex, value = 0): string {
  const words = data.slice(2).match(/.{1,64}/g) ?? []
  const stores = words.map(
    (word, index) => `7f${word.padEnd(64, '0')}${push((index * 32).toString(16).padStart(2, '0'))}52`,
  )
  const length = push((data.length / 2 - 1).toString(16).padStart(2, '0'))
  const paid = opcode === 'f4' ? '' : push(value.toString(16).padStart(2, '0'))
  return `${stores.join('')}5f5f${length}5f${paid}73${to.slice(2)}620fffff${opcode}50`
}

const transfer = encodeFunctionData({ abi: methods, functionName: 'transfer', args: [heir, 5n] })
const sends = calling('f1', at.coin, transfer)
const fails = calling('f1', at.bank, '0x12345678')
const cannotPay = calling('f1', at.bank, '0x', 255)

const runs: readonly (readonly [string, string, boolean])[] = [
  ['a transfer alone', sends, true],
  ['a transfer after a call without the funds', `${cannotPay}${sends}`, true],
  ['a transfer before a frame that is taken back', `${sends}${fails}`, false],
  ['a transfer after a frame that is taken back', `${fails}${sends}`, false],
  ['coins sent before a frame that is taken back', `${calling('f1', heir, '0x', 5)}${fails}`, false],
]

for (const [name, code, isShown] of runs) {
  test(`${name} ${isShown ? 'has' : 'loses'} its events, and moves the coins`, async (t) => {
    const { send, wei } = await startCaller()
    const result = await send(undefined, `0x${code}5f5ff3`, 100n)
    t.is(failureOf(result), undefined)
    t.is(wei(heir), 5n)
    t.is(attributeOf(result.events, 'coinbase', 'amount') !== undefined, isShown)
    t.is(attributeOf(result.events, 'ethereum_tx', 'ethereumTxFailed'), undefined)
    t.true(result.events.some(({ type }) => type === 'ethereum_tx'))
  })
}

test('the response has the code that a creation failed to store', async (t) => {
  const { send } = await startCaller()
  const { data, events } = await send(undefined, '0x60ef5f5360015ff3')
  t.is(attributeOf(events, 'ethereum_tx', 'ethereumTxFailed'), 'invalid code: must not begin with 0xef')
  t.true(
    Buffer.from(data ?? [])
      .toString('hex')
      .includes('1a01ef22'),
    'ret, then the error',
  )
})

for (const [name, to] of Object.entries(at)) {
  if (['p256', 'bech32', 'vesting'].includes(name)) continue
  test(`a delegate call of ${name} without calldata makes the node panic`, async (t) => {
    const { call, send } = await startCaller()
    const borrow = own('borrow', [to, '0x'])
    t.throws(() => call(caller, borrow), { message: /nil pointer dereference/ })
    const { code, log } = await send(caller, borrow)
    t.is(code, 111_222)
    t.regex(log, /^recovered: runtime error: invalid memory address or nil pointer dereference/)
  })
}

test('a code call without calldata only reverts', async (t) => {
  const { send } = await startCaller()
  const result = await send(undefined, `0x${calling('f2', at.bank, '0x')}5f5ff3`)
  t.is(failureOf(result), undefined)
})

const balanceOf = encodeFunctionData({ abi: methods, functionName: 'balanceOf', args: [heir] })

/** A frame of which only the call is looked at. */
function frameOf(call: object): Parameters<typeof runMethod>[1] {
  const input = Buffer.from(balanceOf.slice(2), 'hex')
  const plain = { input, value: 0n, isStatic: false, isDelegate: false, isCodeCall: false }
  return {
    context: {} as never,
    journal: {} as never,
    coin: { denom: 'atest', extendedDenom: 'atest', factor: 1n, decimals: 18 },
    call: { ...plain, ...call, address: input, caller: input, gasLimit: 0n },
  }
}

test('a token takes no value in a code call, and a delegate call of it makes the node panic', (t) => {
  const table: MethodTable = erc20Precompile
  t.throws(() => runMethod(table, frameOf({ isCodeCall: true, value: 3n })), {
    message: 'cannot receive funds, received: 3',
  })
  t.throws(() => runMethod(table, frameOf({ isDelegate: true, value: 3n })), { message: /nil pointer dereference/ })
})
