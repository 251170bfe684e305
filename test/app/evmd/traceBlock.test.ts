/** The transactions of a block are traced in one pass. */
import test from 'ava'
import { hexToBytes } from 'viem'
import { traceJson } from '../../../src/app/ethereumView.ts'
import { evmChainId, startChain } from '../../helpers/evmdChain.ts'
import { testEngine } from '../../helpers/engine.ts'
import { alice, at } from '../../helpers/precompiles.ts'

const count = 24

test('a block is traced in one pass, with the answers of a trace of each transaction, up to a length', async (t) => {
  const plain = testEngine()
  let runs = 0
  const counting = {
    ...plain,
    execute: (...given: Parameters<typeof plain.execute>) => {
      runs += 1
      return plain.execute(...given)
    },
  }
  const { ethereum, state } = (() => {
    const chain = startChain({ engine: counting })
    chain.block()
    return chain
  })()
  const raws = await Promise.all(
    Array.from({ length: count }, (_, nonce) =>
      alice.signTransaction({
        type: 'eip1559',
        chainId: evmChainId,
        gas: 300_000n,
        nonce,
        maxFeePerGas: 3_000_000_000n,
        maxPriorityFeePerGas: 0n,
        // A transfer, a creation that stores its block, a call of a precompile that fails.
        ...(nonce % 3 === 0 ? { to: alice.address, value: 1n } : {}),
        ...(nonce % 3 === 1 ? { data: '0x435f5500' as const } : {}),
        ...(nonce % 3 === 2 ? { to: at.staking, data: '0x12345678' as const } : {}),
      }),
    ),
  )
  const txs = raws.map((raw) => ethereum.decode(hexToBytes(raw)))
  const { header } = state.transient
  const how = { tracer: 'prestateTracer', config: '{"diffMode":true}' }
  const alone = txs.map((call, index) =>
    ethereum.trace(state, { context: header, before: txs.slice(0, index), call, ...how }),
  )
  t.true(new Set(alone).size > count / 2, 'the transactions differ')
  runs = 0
  const wanted = txs.map((call, index) => ({ count: index, call, ...how }))
  const traces = (some: typeof wanted) => ethereum.blockTraces(() => ({ state, block: header, txs, wanted: some }))
  const again = [...wanted, wanted.at(-1)!]
  t.deepEqual(traces(again).map(traceJson), [...alone, alone.at(-1)!])
  t.is(runs, count - 1, 'each transaction runs once for those after it')
  const bytesMost = alone.slice(0, 3).join('').length
  const codes = ethereum
    .blockTraces(() => ({ state, block: header, txs, wanted, bytesMost }))
    .map((end) => ('error' in end ? end.error.code : undefined))
  t.deepEqual(codes.slice(0, 4), [undefined, undefined, undefined, 'TRACE_TOO_LONG'])
  t.throws(() => traces(again.reverse()), { message: /in its order/ })
})
