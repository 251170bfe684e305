import test from 'ava'
import { testEngine } from '../helpers/engine.ts'
import { address, apply, baseEnv, emptyWorld, put, readOf, toHex, txOf } from '../helpers/state.ts'

test('a transfer moves the value, pays the coinbase its tip and burns the base fee', (t) => {
  const world = emptyWorld()
  put(world, address(0xa1), { balance: 1_000_000n })
  const result = testEngine().execute(baseEnv, txOf({ value: 5n, gasLimit: 21_000n }), readOf(world))
  t.is(result.status, 'success')
  t.is(result.gasUsed, 21_000n)
  t.is(result.gasPeak, 21_000n)
  t.deepEqual(result.diff.map((account) => [toHex(account.address).slice(38), account.balance, account.nonce]), [
    ['a1', 1_000_000n - 5n - 21_000n * 8n, 1n],
    ['b1', 5n, 0n],
    ['c0', 21_000n, 0n],
  ])
  apply(world, result.diff)
  const again = testEngine().execute(baseEnv, txOf({ value: 5n }), readOf(world))
  t.is(again.status, 'refused')
  t.deepEqual(again.reason, { kind: 'NonceTooLow', detail: 'nonce 0 too low, expected 1' })
  t.deepEqual(again.diff, [])
})
