/** The prototype of the engine, for one run beside the engine: `PROTOTYPE_EVM` names its folder. */
import { existsSync } from 'node:fs'
import { join as pathOf } from 'node:path'
import { pathToFileURL } from 'node:url'
import { contract } from '../helpers/solc.ts'
import { toHex, word } from '../helpers/state.ts'
import type { Line } from './evm.ts'
import { accounts, balanceSlot, best, coin, data, loops, owner, work } from './evmWork.ts'

type Head = { status: number; gas: bigint; next: number }

/** What its `js/host.mjs` offers. */
type Prototype = {
  Evm: new (
    file: string,
  ) => {
    env: (settings: { base: number; off?: number }) => void
    setAcc: (at: string, balance: bigint, nonce?: number, code?: Buffer) => void
    setSlot: (at: string, key: Buffer, value: Buffer) => void
    run: (mode: number, tx: Buffer) => number
    head: (result: number) => Head
    logs: (at: number) => readonly [unknown, number]
    apply: (at: number) => number
  }
  tx: (fields: Readonly<Record<string, unknown>>) => Buffer
}

const withDiff = 4
const relaxed = 1 | 2 | 4 | 8 | 16 | 32 | 128
const shown = (bytes: Uint8Array): string => `0x${toHex(bytes)}`

/**
 * Returns its figures, or says why there are none. They are for the engine's job: from the fields
 * of a transaction, which both have to encode, to the applied diff.
 */
export async function prototypeLines(): Promise<Line[]> {
  const folder = process.env['PROTOTYPE_EVM'] ?? ''
  const [file, host] = [pathOf(folder, 'evm.wasm'), pathOf(folder, 'js/host.mjs')]
  if (folder === '' || !existsSync(file) || !existsSync(host)) {
    process.stdout.write('  (no prototype: PROTOTYPE_EVM=DIR, with evm.wasm and js/host.mjs)\n')
    return []
  }
  const prototype: Prototype = await import(pathToFileURL(host).href)
  const transfer = Buffer.from(data('Coin', 'transfer', [shown(owner(1)), 5n]))
  const coins = () => ({
    to: shown(coin),
    gas: 100_000n,
    data: transfer,
  })
  const plain = (index: number) => ({ to: shown(owner(index * 7 + 1)), gas: 21_000n, value: 1n })
  return [
    await transactions(prototype, file, { name: 'transfer', make: plain }),
    await transactions(prototype, file, { name: 'ERC-20 transfer', make: coins }),
    await calls(prototype, file),
    ...(await compute(prototype, file)),
  ]
}

function start({ Evm }: Prototype, file: string) {
  const evm = new Evm(file)
  evm.env({ base: 7 })
  evm.setAcc(shown(coin), 0n, 1, Buffer.from(contract('Coin').runtime))
  evm.setAcc(shown(loops), 0n, 1, Buffer.from(contract('Loops').runtime))
  for (let index = 0; index < accounts; index += 1) {
    evm.setAcc(shown(owner(index)), 10n ** 24n)
    const key = Buffer.from(balanceSlot(owner(index)))
    evm.setSlot(shown(coin), key, Buffer.from(word(10n ** 24n)))
  }
  return evm
}

type Kind = { name: string; make: (index: number) => Record<string, unknown> }

async function transactions(prototype: Prototype, file: string, { name, make }: Kind): Promise<Line> {
  const txs = Array.from({ length: 20_000 }, (_, index) => ({
    from: shown(owner(index)),
    nonce: BigInt(Math.floor(index / accounts)),
    price: 10n,
    ...make(index),
  }))
  const value = await best(
    txs.length,
    () => start(prototype, file),
    (evm) => {
      for (const tx of txs) {
        const { status, next } = evm.head(evm.run(withDiff, prototype.tx(tx)))
        if (status !== 0) throw new Error(`the prototype fails: ${name}`)
        evm.apply(evm.logs(next)[1])
      }
    },
  )
  return { name: `prototype ${name}`, value, unit: 'µs' }
}

async function calls(prototype: Prototype, file: string): Promise<Line> {
  const evm = start(prototype, file)
  evm.env({ base: 7, off: relaxed })
  const txs = Array.from({ length: accounts }, (_, index) => ({
    from: shown(owner(0)),
    to: shown(coin),
    gas: 100_000n,
    data: Buffer.from(data('Coin', 'balanceOf', [shown(owner(index))])),
  }))
  const value = await best(
    50 * accounts,
    () => undefined,
    () => {
      for (let round = 0; round < 50; round += 1) {
        for (const tx of txs) evm.head(evm.run(0, prototype.tx(tx)))
      }
    },
  )
  return { name: 'prototype balanceOf call', value, unit: 'µs' }
}

async function compute(prototype: Prototype, file: string): Promise<Line[]> {
  const evm = start(prototype, file)
  evm.env({ base: 7, off: relaxed })
  const lines: Line[] = []
  for (const [name, times] of work) {
    const tx = prototype.tx({
      from: shown(owner(0)),
      to: shown(loops),
      gas: 10n ** 10n,
      data: Buffer.from(data('Loops', name, [BigInt(times)])),
    })
    const gas = Number(evm.head(evm.run(0, tx)).gas)
    const value =
      gas /
      (await best(
        1,
        () => undefined,
        () => evm.run(0, tx),
      ))
    lines.push({ name: `prototype ${name} loop`, value, unit: 'Mgas/s' })
  }
  return lines
}
