/** Creations whose code is refused, and frames that are taken back. */
import test from 'ava'
import { code, forward, join } from '../helpers/bytecode.ts'
import { call, worldWith } from '../helpers/call.ts'
import { testEngine } from '../helpers/engine.ts'
import { address, baseEnv, hex, put, readOf, toHex, txOf } from '../helpers/state.ts'

const creations: readonly (readonly [string, Uint8Array, bigint, string, string])[] = [
  [
    'code that is too dear',
    code(0x1000, 'PUSH0', 'RETURN'),
    200_000n,
    'contract creation code storage out of gas',
    '00'.repeat(0x1000),
  ],
  ['code of a reserved kind', hex('60ef5f5360015ff3'), 200_000n, 'invalid code: must not begin with 0xef', 'ef'],
  ['code that is too long', code(0x6001, 'PUSH0', 'RETURN'), 8_000_000n, 'max code size exceeded', '00'.repeat(0x6001)],
  ['no code, as its gas runs out', hex('5b5f56'), 200_000n, 'out of gas', ''],
  ['no code, as it fails', hex('fe'), 200_000n, 'invalid opcode: INVALID', ''],
]

for (const [name, data, gasLimit, detail, output] of creations) {
  test(`a creation fails with ${name}`, (t) => {
    const result = call(code('STOP'), { to: undefined, data, gasLimit })
    t.deepEqual([result.status, result.reason?.detail, result.gasUsed], ['halt', detail, gasLimit])
    t.is(toHex(result.output), output)
    t.is(toHex(call(code('INVALID'), {}).output), '')
  })
}

const frames: readonly (readonly [string, Uint8Array, boolean])[] = [
  ['a frame that reverts', hex('5f5ffd'), true],
  ['a frame that halts', hex('fe'), true],
  ['a frame that stands', hex('00'), false],
  ['a call that nobody can pay', code(0, 0, 0, 0, 1_000_000, 0x99, 1000, 'CALL', 'STOP'), false],
]

for (const [name, inner, frameFailed] of frames) {
  test(`the result ${frameFailed ? 'tells of' : 'is silent about'} ${name}`, (t) => {
    const world = worldWith(join(forward(address(0xe1)), code('STOP')))
    put(world, address(0xe1), { code: inner })
    const result = testEngine().execute(baseEnv, txOf({ gasLimit: 500_000n }), readOf(world))
    t.deepEqual([result.status, result.frameFailed], ['success', frameFailed])
  })
}
