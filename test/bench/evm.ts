/**
 * The EVM's benchmarks: microseconds per transaction and call, and compute, beside @ethereumjs/evm.
 */
import { createEVM, type EVM } from '@ethereumjs/evm'
import { Common, Hardfork, Mainnet } from '@ethereumjs/common'
import { Address, createAccount } from '@ethereumjs/util'
import type { EvmDiff, EvmRead, EvmTx } from '../../src/evm/types.ts'
import { testEngine } from '../helpers/engine.ts'
import { asHex, contract } from '../helpers/solc.ts'
import { baseEnv, hex, toHex, txOf, word, type World } from '../helpers/state.ts'
import { anvilLines } from './evmAnvil.ts'
import { prototypeLines } from './evmPrototype.ts'
import { accounts, balanceSlot, best, coin, data, loops, owner, work, worldOf } from './evmWork.ts'

/** One figure, as the bench prints it; `beside`: the same of another node in the same run. */
export type Line = {
  readonly name: string
  readonly value: number | string
  readonly unit: string
  readonly beside?: string
}

/** A key as short as the bytes: hexadecimal digits would cost more than what is measured. */
function keyOf(bytes: Uint8Array): string {
  scratch.set(bytes)
  return scratch.toString('latin1', 0, bytes.length)
}

const scratch = Buffer.alloc(32)

/** The world with keys that are quick to make, as a chain would keep it. */
function fastState(world: World) {
  const rekey = <T>(map: Map<string, T>): Map<string, T> =>
    new Map([...map].map(([key, value]) => [keyOf(hex(key)), value]))
  const [accountsByKey, codes] = [rekey(world.accounts), rekey(world.codes)]
  const slots = new Map([...world.slots].map(([key, inner]) => [keyOf(hex(key)), rekey(inner)]))
  const read: EvmRead = {
    account: (at) => accountsByKey.get(keyOf(at)),
    slot: (at, key) => slots.get(keyOf(at))?.get(keyOf(key)),
    code: (hash) => codes.get(keyOf(hash)) ?? new Uint8Array(),
    blockHash: () => undefined,
  }
  const keep = (diff: EvmDiff): void => {
    for (const { address: at, balance, nonce, codeHash, slots: changed } of diff) {
      accountsByKey.set(keyOf(at), { balance, nonce, codeHash })
      for (const { key, value } of changed) slots.get(keyOf(at))?.set(keyOf(key), value)
    }
  }
  return { read, keep }
}

async function transactions(name: string, make: (index: number) => Partial<EvmTx>): Promise<Line> {
  const engine = testEngine()
  const world = worldOf()
  const txs = Array.from({ length: 20_000 }, (_, index) =>
    txOf({
      from: owner(index),
      nonce: BigInt(Math.floor(index / accounts)),
      gasLimit: 100_000n,
      ...make(index),
    }),
  )
  const value = await best(
    txs.length,
    () => fastState(world),
    ({ read, keep }) => {
      for (const tx of txs) {
        const result = engine.execute(baseEnv, tx, read)
        if (result.status !== 'success') throw new Error(`${name}: ${result.reason?.detail}`)
        keep(result.diff)
      }
    },
  )
  return { name, value, unit: 'µs' }
}

async function calls(): Promise<Line> {
  const engine = testEngine()
  const { read } = fastState(worldOf())
  const env = { ...baseEnv, relax: { fees: true, nonce: true, balance: true, baseFee: true } }
  const txs = Array.from({ length: accounts }, (_, index) =>
    txOf({
      to: coin,
      gasLimit: 100_000n,
      data: data('Coin', 'balanceOf', [asHex(toHex(owner(index)))]),
    }),
  )
  const value = await best(
    50 * accounts,
    () => undefined,
    () => {
      for (let round = 0; round < 50; round += 1) for (const tx of txs) engine.execute(env, tx, read)
    },
  )
  return { name: 'balanceOf call', value, unit: 'µs' }
}

async function compute(): Promise<Line[]> {
  const engine = testEngine()
  const { read } = fastState(worldOf())
  const env = { ...baseEnv, relax: { fees: true, blockGasLimit: true } }
  const lines: Line[] = []
  for (const [name, times] of work) {
    const tx = txOf({
      from: owner(0),
      to: loops,
      gasLimit: 10n ** 10n,
      data: data('Loops', name, [BigInt(times)]),
    })
    const gas = Number(engine.execute(env, tx, read).gasUsed)
    const value =
      gas /
      (await best(
        1,
        () => undefined,
        () => engine.execute(env, tx, read),
      ))
    lines.push({ name: `${name} loop`, value, unit: 'Mgas/s' })
  }
  return lines
}

async function oracle(): Promise<EVM> {
  const evm = await createEVM({ common: new Common({ chain: Mainnet, hardfork: Hardfork.Prague }) })
  for (const [at, name] of [
    [coin, 'Coin'],
    [loops, 'Loops'],
  ] as const)
    await evm.stateManager.putCode(new Address(at), contract(name).runtime)
  await evm.stateManager.putAccount(new Address(owner(0)), createAccount({ balance: 10n ** 24n }))
  await evm.stateManager.putStorage(new Address(coin), balanceSlot(owner(0)), word(10n ** 24n))
  return evm
}

async function beside(): Promise<Line[]> {
  const evm = await oracle()
  const caller = new Address(owner(0))
  const run = (to: Uint8Array, input: Uint8Array, value = 0n) =>
    evm.runCall({ caller, to: new Address(to), data: input, value, gasLimit: 10n ** 10n })
  const many = (to: Uint8Array, input: Uint8Array, value = 0n) =>
    best(
      200,
      () => undefined,
      async () => {
        for (let index = 0; index < 200; index += 1) await run(to, input, value)
      },
    )
  const [from, to] = [asHex(toHex(owner(0))), asHex(toHex(owner(1)))]
  const lines: Line[] = [
    {
      name: '@ethereumjs/evm transfer',
      value: await many(owner(1), new Uint8Array(), 1n),
      unit: 'µs',
    },
    {
      name: '@ethereumjs/evm ERC-20 transfer',
      value: await many(coin, data('Coin', 'transfer', [to, 5n])),
      unit: 'µs',
    },
    {
      name: '@ethereumjs/evm balanceOf call',
      value: await many(coin, data('Coin', 'balanceOf', [from])),
      unit: 'µs',
    },
  ]
  for (const [name, times] of work) {
    const input = data('Loops', name, [BigInt(times / 10)])
    const { execResult } = await run(loops, input)
    const value =
      Number(execResult.executionGasUsed) /
      (await best(
        1,
        () => undefined,
        () => run(loops, input),
      ))
    lines.push({ name: `@ethereumjs/evm ${name} loop`, value, unit: 'Mgas/s' })
  }
  return lines
}

/** Returns the figures of the EVM; about twenty seconds. */
export async function lines(): Promise<Line[]> {
  const transfer = data('Coin', 'transfer', [asHex(toHex(owner(1))), 5n])
  return [
    await transactions('transfer', (index) => ({ to: owner(index * 7 + 1), value: 1n, gasLimit: 21_000n })),
    await transactions('ERC-20 transfer', () => ({ to: coin, data: transfer })),
    await calls(),
    ...(await compute()),
    ...(await prototypeLines()),
    ...(await beside()),
    ...(await anvilLines()),
  ]
}
