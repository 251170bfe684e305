import test, { type ExecutionContext } from 'ava'
import { decodeFunctionResult, encodeAbiParameters, encodeFunctionData } from 'viem'
import type { EvmResult } from '../../src/evm/types.ts'
import { newTwin, roots, senders, step, type Twin } from '../helpers/differential.ts'
import { testEngine } from '../helpers/engine.ts'
import { asHex, contract } from '../helpers/solc.ts'
import { join } from '../helpers/bytecode.ts'
import { hex, toHex, txOf } from '../helpers/state.ts'

const [alice, bob] = [senders[0] ?? new Uint8Array(), senders[1] ?? new Uint8Array()]
const show = (at: Uint8Array) => asHex(toHex(at))

/** Drives contracts on both engines at once; every step must agree in status, gas and logs. */
function driver(t: ExecutionContext, twin: Twin) {
  const send = async (from: Uint8Array, to: Uint8Array | undefined, data: Uint8Array): Promise<EvmResult> => {
    const nonce = twin.world.accounts.get(toHex(from))?.nonce ?? 0n
    const { result, difference } = await step(
      twin, txOf({ from, to, data, nonce, gasLimit: 6_000_000n })
    )
    t.is(difference, undefined)
    return result
  }
  return {
    deploy: async (name: string, types: readonly { type: string }[] = [], values: readonly unknown[] = []) => {
      const encoded = encodeAbiParameters(types, values as unknown[])
      const { status, created } = await send(
        alice, undefined, join(contract(name).init, hex(encoded))
      )
      t.is(status, 'success')
      return created ?? new Uint8Array()
    },
    call: async (from: Uint8Array, [name, at]: readonly [string, Uint8Array], functionName: string, args: readonly unknown[]) => {
      const { abi } = contract(name)
      const result = await send(from, at, hex(encodeFunctionData({ abi, functionName, args })))
      const value = result.status === 'success' ? decodeFunctionResult(
        { abi, functionName, data: show(result.output) }
      ) : undefined
      return { ...result, value }
    },
  }
}

async function start(t: ExecutionContext) {
  const twin = await newTwin(testEngine())
  return { twin, ...driver(t, twin) }
}

async function agree(t: ExecutionContext, twin: Twin): Promise<void> {
  const [ours, theirs] = await roots(twin)
  t.is(ours, theirs)
}

test('an OpenZeppelin ERC-20 moves, approves and refuses', async (t) => {
  const { twin, deploy, call } = await start(t)
  const coin = ['Coin', await deploy('Coin', [{ type: 'string' }], ['ONE'])] as const
  t.is((await call(alice, coin, 'transfer', [show(bob), 5n])).logs.length, 1)
  t.is((await call(alice, coin, 'balanceOf', [show(bob)])).value, 5n)
  t.is((await call(bob, coin, 'transfer', [show(alice), 6n])).status, 'revert')
  await call(bob, coin, 'approve', [show(alice), 3n])
  t.is((await call(alice, coin, 'transferFrom', [show(bob), show(alice), 3n])).value, true)
  t.is((await call(alice, coin, 'transferFrom', [show(bob), show(alice), 1n])).status, 'revert')
  t.is((await call(alice, coin, 'symbol', [])).value, 'ONE')
  await agree(t, twin)
})

test('OpenZeppelin ERC-721 and ERC-1155 tokens move', async (t) => {
  const { twin, deploy, call } = await start(t)
  const deed = ['Deed', await deploy('Deed')] as const
  await call(alice, deed, 'mint', [show(alice), 7n])
  t.is((await call(alice, deed, 'mint', [show(alice), 7n])).status, 'revert')
  await call(alice, deed, 'safeTransferFrom', [show(alice), show(bob), 7n])
  t.is(String((await call(alice, deed, 'ownerOf', [7n])).value).toLowerCase(), show(bob))
  t.is(
    (await call(alice, deed, 'safeTransferFrom', [show(bob), show(deed[1]), 7n])).status, 'revert'
  )
  const goods = ['Goods', await deploy('Goods')] as const
  await call(alice, goods, 'mintBatch', [show(alice), [1n, 2n], [10n, 20n]])
  await call(
    alice, goods, 'safeBatchTransferFrom', [show(alice), show(bob), [1n, 2n], [3n, 4n], '0x']
  )
  t.deepEqual(
    (await call(alice, goods, 'balanceOfBatch', [[show(alice), show(bob)], [1n, 2n]])).value,
    [7n, 4n]
  )
  await agree(t, twin)
})

test('a constant-product pair takes liquidity and swaps', async (t) => {
  const { twin, deploy, call } = await start(t)
  const one = ['Coin', await deploy('Coin', [{ type: 'string' }], ['ONE'])] as const
  const two = ['Coin', await deploy('Coin', [{ type: 'string' }], ['TWO'])] as const
  const pair = [
    'Pair',
    await deploy('Pair', [{ type: 'address' }, { type: 'address' }], [show(one[1]), show(two[1])]),
  ] as const
  for (const coin of [one, two]) await call(alice, coin, 'approve', [show(pair[1]), 10n ** 24n])
  t.is((await call(alice, pair, 'join', [40_000n, 10_000n])).value, 20_000n)
  t.is((await call(alice, pair, 'swap', [show(one[1]), 4_000n, 900n])).value, 906n)
  t.is((await call(alice, pair, 'swap', [show(one[1]), 4_000n, 900n])).status, 'revert')
  t.deepEqual((await call(alice, pair, 'reserves', [])).value, [44_000n, 9_094n])
  await agree(t, twin)
})

test('a multicall gathers answers and a failure does not spoil them', async (t) => {
  const { twin, deploy, call } = await start(t)
  const coin = await deploy('Coin', [{ type: 'string' }], ['ONE'])
  const many = ['Multicall', await deploy('Multicall')] as const
  const supply = encodeFunctionData({ abi: contract('Coin').abi, functionName: 'totalSupply' })
  const bad = encodeFunctionData(
    { abi: contract('Coin').abi, functionName: 'transfer', args: [show(bob), 1n] }
  )
  const calls = [
    { target: show(coin), mayFail: false, data: supply },
    { target: show(coin), mayFail: true, data: bad },
  ]
  const { value } = await call(alice, many, 'aggregate', [calls])
  t.deepEqual((value as { success: boolean }[]).map(({ success }) => success), [true, false])
  t.is(
    (
      await call(alice, many, 'aggregate', [calls.map((item) => ({ ...item, mayFail: false }))])
    ).status,
    'revert'
  )
  await agree(t, twin)
})

test('a proxy keeps the state and a custom error comes through', async (t) => {
  const { twin, deploy, call } = await start(t)
  const logic = await deploy('Counter')
  const proxy = [
    'Counter', await deploy('CounterProxy', [{ type: 'address' }], [show(logic)]),
  ] as const
  const note = `0x${'11'.repeat(32)}`
  t.is((await call(alice, proxy, 'add', [60n, note])).value, 60n)
  t.is((await call(alice, proxy, 'add', [60n, note])).status, 'revert')
  t.is((await call(alice, proxy, 'count', [])).value, 60n)
  t.is((await call(alice, ['Counter', logic], 'count', [])).value, 0n)
  await agree(t, twin)
})
