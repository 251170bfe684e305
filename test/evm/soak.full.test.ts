import test from 'ava'
import { hex, address, apply, baseEnv, emptyWorld, put, readOf, toHex, txOf, word } from '../helpers/state.ts'
import { code } from '../helpers/bytecode.ts'
import { testEngine } from '../helpers/engine.ts'
import { watchingMemory } from '../helpers/memories.ts'

test('100,000 transactions run in one instance whose memory stays flat', (t) => {
  const world = emptyWorld()
  put(world, address(0xa1), { balance: 10n ** 24n })
  put(world, address(0xb1), {
    nonce: 1n,
    code: code('CALLER', 'SLOAD', 1, 'ADD', 'CALLER', 'SSTORE', 'PUSH0', 'PUSH0', 'LOG0'),
  })
  const engine = testEngine()
  const memories = watchingMemory(() => {
    for (let index = 0; index < 100_000; index += 1) {
      const nonce = BigInt(index)
      // Every tenth deploys code that no other transaction has, so that the code cache has to let
      // go.
      const create = {
        to: undefined,
        data: code(BigInt(`0x01${toHex(word(index)).slice(2)}`), 'PUSH0', 'MSTORE', 0x400, 'PUSH0', 'RETURN'),
      }
      const tx = txOf({ nonce, gasLimit: 400_000n, ...(index % 10 === 0 ? create : { data: hex('00') }) })
      const result = engine.execute(baseEnv, tx, readOf(world))
      if (result.status !== 'success') t.fail(`${index}: ${result.status} ${result.reason?.detail ?? ''}`)
      apply(world, result.diff)
      if (result.created !== undefined) {
        const call = engine.execute({ ...baseEnv, relax: { nonce: true } }, txOf({ to: result.created }), readOf(world))
        if (call.status === 'refused') t.fail(call.reason?.detail ?? '')
        world.accounts.delete(toHex(result.created))
      }
    }
  })
  t.is(memories.length, 1)
  const bytes = memories[0]?.buffer.byteLength ?? Infinity
  t.true(bytes < 128 << 20, `${bytes} bytes`)
})
