import test, { type ExecutionContext } from 'ava'
import {
  concat,
  decodeFunctionResult,
  encodeAbiParameters,
  encodeFunctionData,
  getAddress,
  getCreate2Address,
  type Hex,
  keccak256,
} from 'viem'
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
    const { result, difference } = await step(twin, txOf({ from, to, data, nonce, gasLimit: 6_000_000n }))
    t.is(difference, undefined)
    return result
  }
  return {
    deploy: async (name: string, types: readonly { type: string }[] = [], values: readonly unknown[] = []) => {
      const encoded = encodeAbiParameters(types, values as unknown[])
      const { status, created } = await send(alice, undefined, join(contract(name).init, hex(encoded)))
      t.is(status, 'success')
      return created ?? new Uint8Array()
    },
    call: async (
      from: Uint8Array,
      [name, at]: readonly [string, Uint8Array],
      functionName: string,
      args: readonly unknown[],
    ) => {
      const { abi } = contract(name)
      const result = await send(from, at, hex(encodeFunctionData({ abi, functionName, args })))
      const value =
        result.status === 'success' ? decodeFunctionResult({ abi, functionName, data: show(result.output) }) : undefined
      return { ...result, value }
    },
  }
}

async function start(t: ExecutionContext) {
  const twin = await newTwin(testEngine())
  return { twin, ...driver(t, twin) }
}

/** Returns two coins and their Uniswap V2 pair, on both engines. */
async function exchange(t: ExecutionContext) {
  const { twin, deploy, call } = await start(t)
  const one = ['Coin', await deploy('Coin', [{ type: 'string' }], ['ONE'])] as const
  const two = ['Coin', await deploy('Coin', [{ type: 'string' }], ['TWO'])] as const
  const factory = ['UniswapV2Factory', await deploy('UniswapV2Factory', [{ type: 'address' }], [show(alice)])] as const
  const { value } = await call(alice, factory, 'createPair', [show(one[1]), show(two[1])])
  const pair = ['UniswapV2Pair', hex(String(value))] as const
  return { twin, call, factory, pair, coins: [one, two] as const }
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
  t.is((await call(alice, deed, 'safeTransferFrom', [show(bob), show(deed[1]), 7n])).status, 'revert')
  const goods = ['Goods', await deploy('Goods')] as const
  await call(alice, goods, 'mintBatch', [show(alice), [1n, 2n], [10n, 20n]])
  await call(alice, goods, 'safeBatchTransferFrom', [show(alice), show(bob), [1n, 2n], [3n, 4n], '0x'])
  t.deepEqual(
    (
      await call(alice, goods, 'balanceOfBatch', [
        [show(alice), show(bob)],
        [1n, 2n],
      ])
    ).value,
    [7n, 4n],
  )
  await agree(t, twin)
})

test("Uniswap V2's factory makes the pair that everyone knows", async (t) => {
  // The hash that Uniswap's router computes the addresses of pairs with.
  const initCodeHash = '0x96e8ac4277198ff8b6f785478aa9a39f403cb768dd02cbee326c3e7da348845f'
  t.is(keccak256(asHex(toHex(contract('UniswapV2Pair').init))), initCodeHash)
  const {
    twin,
    call,
    factory,
    pair,
    coins: [one, two],
  } = await exchange(t)
  const [token0, token1] = [one[1], two[1]].map(show).sort()
  t.is((await call(alice, pair, 'token0', [])).value, getAddress(token0 ?? '0x'))
  t.is((await call(alice, pair, 'token1', [])).value, getAddress(token1 ?? '0x'))
  const salt = keccak256(concat([token0 ?? '0x', token1 ?? '0x']))
  const at = getCreate2Address({ from: show(factory[1]), salt, bytecodeHash: initCodeHash })
  t.is(getAddress(show(pair[1])), at)
  const again = [show(one[1]), show(two[1])]
  t.is((await call(alice, factory, 'createPair', again)).status, 'revert')
  await agree(t, twin)
})

test('a Uniswap V2 pair takes liquidity, swaps and gives liquidity back', async (t) => {
  const {
    twin,
    call,
    pair,
    coins: [one, two],
  } = await exchange(t)
  const to = show(pair[1])
  await call(alice, one, 'transfer', [to, 40_000n])
  await call(alice, two, 'transfer', [to, 10_000n])
  t.is((await call(alice, pair, 'mint', [show(alice)])).status, 'success')
  t.is((await call(alice, pair, 'balanceOf', [show(alice)])).value, 19_000n)
  await call(alice, one, 'transfer', [to, 4_000n])
  const isFirst = (await call(alice, pair, 'token0', [])).value === getAddress(show(one[1]))
  const out = (amount: bigint) => (isFirst ? [0n, amount] : [amount, 0n])
  t.is((await call(alice, pair, 'swap', [...out(907n), show(bob), '0x'])).status, 'revert')
  t.is((await call(alice, pair, 'swap', [...out(906n), show(bob), '0x'])).logs.length, 3)
  t.is((await call(alice, two, 'balanceOf', [show(bob)])).value, 906n)
  t.is((await call(alice, pair, 'mint', [show(alice)])).status, 'revert')
  await call(alice, pair, 'transfer', [to, 19_000n])
  t.is((await call(alice, pair, 'burn', [show(bob)])).status, 'success')
  t.is((await call(alice, two, 'balanceOf', [show(bob)])).value, 906n + (9_094n * 19n) / 20n)
  t.is((await call(alice, one, 'balanceOf', [show(bob)])).value, (44_000n * 19n) / 20n)
  t.is((await call(alice, pair, 'totalSupply', [])).value, 1_000n)
  await agree(t, twin)
})

test('Multicall3 gathers answers and a failure does not spoil them', async (t) => {
  const { twin, deploy, call } = await start(t)
  const coin = await deploy('Coin', [{ type: 'string' }], ['ONE'])
  const many = ['Multicall3', await deploy('Multicall3')] as const
  const supply = encodeFunctionData({ abi: contract('Coin').abi, functionName: 'totalSupply' })
  const bad = encodeFunctionData({ abi: contract('Coin').abi, functionName: 'transfer', args: [show(bob), 1n] })
  const calls = [
    { target: show(coin), allowFailure: false, callData: supply },
    { target: show(coin), allowFailure: true, callData: bad },
  ]
  const { value } = await call(alice, many, 'aggregate3', [calls])
  const answers = value as { success: boolean; returnData: Hex }[]
  t.deepEqual(
    answers.map(({ success }) => success),
    [true, false],
  )
  t.is(BigInt(answers[0]?.returnData ?? 0), 10n ** 24n)
  const strict = calls.map((item) => ({ ...item, allowFailure: false }))
  t.is((await call(alice, many, 'aggregate3', [strict])).status, 'revert')
  t.is((await call(alice, many, 'getEthBalance', [show(bob)])).value, 10n ** 20n)
  await agree(t, twin)
})

test('a proxy keeps the state and a custom error comes through', async (t) => {
  const { twin, deploy, call } = await start(t)
  const logic = await deploy('Counter')
  const proxy = ['Counter', await deploy('CounterProxy', [{ type: 'address' }], [show(logic)])] as const
  const note = `0x${'11'.repeat(32)}`
  t.is((await call(alice, proxy, 'add', [60n, note])).value, 60n)
  t.is((await call(alice, proxy, 'add', [60n, note])).status, 'revert')
  t.is((await call(alice, proxy, 'count', [])).value, 60n)
  t.is((await call(alice, ['Counter', logic], 'count', [])).value, 0n)
  await agree(t, twin)
})
