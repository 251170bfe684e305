import test from 'ava'
import { encodeAbiParameters } from 'viem'
import { bytesOfHex } from '../../../src/codec/hex.ts'
import { revertError, revertText } from '../../../src/rpc/eth/revert.ts'
import { contextOf, stub } from '../../helpers/ethStub.ts'

const reason = (text: string) => `0x08c379a0${encodeAbiParameters([{ type: 'string' }], [text]).slice(2)}`
const panic = (code: bigint) => `0x4e487b71${encodeAbiParameters([{ type: 'uint256' }], [code]).slice(2)}`

const says = test.macro((t, data: string, text: string) => {
  t.is(revertText(bytesOfHex(data)), text)
})

test('a reason is shown', says, reason('golden reason'), 'execution reverted: golden reason')
test('a long reason is shown', says, reason('x'.repeat(100)), `execution reverted: ${'x'.repeat(100)}`)
test('a failed assertion is named', says, panic(1n), 'execution reverted: assert(false)')
test('a division by zero is named', says, panic(0x12n), 'execution reverted: division or modulo by zero')
test('an unknown panic shows its code', says, panic(0x99n), 'execution reverted: unknown panic code: 0x99')
test('a custom error shows no reason', says, '0x2202f1fa00', 'execution reverted')
test('a cut reason shows none', says, reason('golden').slice(0, 80), 'execution reverted')

const inMode = (...quirks: readonly string[]) => contextOf(stub({ quirks }))

test('a revert with data has code 3 and the data', (t) => {
  const error = revertError(inMode('faithful'), bytesOfHex('0x2202f1fa'))
  t.is(error.rpcCode, 3)
  t.is(error.data, '"0x2202f1fa"')
})

test('a revert without data has code 3 and empty data', (t) => {
  const error = revertError(inMode('sane'), new Uint8Array(0))
  t.is(error.rpcCode, 3)
  t.is(error.data, '"0x"')
})

test('a revert without data is a plain error of the node', (t) => {
  const error = revertError(inMode('faithful'), new Uint8Array(0))
  t.is(error.rpcCode, -32000)
  t.is(error.data, undefined)
})
