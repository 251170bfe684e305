/** Anvil, when `@foundry-rs/anvil` is installed: as a node, since it is nothing else. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join as pathOf } from 'node:path'
import { numberToHex } from 'viem'
import { contract } from '../helpers/solc.ts'
import { toHex, word } from '../helpers/state.ts'
import type { Line } from './evm.ts'
import { balanceSlot, best, coin, data, loops, owner, work } from './evmWork.ts'

const senders = 10
const perBlock = 1_000
const shown = (bytes: Uint8Array): string => `0x${toHex(bytes)}`

type Rpc = (calls: readonly (readonly [string, readonly unknown[]])[]) => Promise<unknown[]>

/**
 * Returns its figures, or says why there are none: the time of a block for each of its
 * transactions, and calls in a batch over HTTP.
 */
export async function anvilLines(): Promise<Line[]> {
  const binary = anvilBinary()
  if (binary === undefined) {
    process.stdout.write('  (no Anvil: npm install --no-save @foundry-rs/anvil)\n')
    return []
  }
  const home = mkdtempSync(pathOf(tmpdir(), 'chainstage-anvil-'))
  const options = [
    '--port',
    '0',
    '--accounts',
    String(senders),
    '--no-mining',
    '--prune-history',
    '--gas-limit',
    '1000000000000',
    '--hardfork',
    'prague',
  ]
  const child = spawn(binary, options, { env: { HOME: home }, stdio: ['ignore', 'pipe', 'ignore'] })
  try {
    const rpc = rpcOf(await addressOf(child.stdout))
    await prepare(rpc)
    return [
      await block(rpc, 'transfer', (index) => ({ to: shown(owner(index)), value: '0x1' })),
      await block(rpc, 'ERC-20 transfer', () => ({
        to: shown(coin),
        data: shown(data('Coin', 'transfer', [shown(owner(1)), 5n])),
      })),
      await calls(rpc),
      ...(await compute(rpc)),
    ]
  } finally {
    child.kill()
    await once(child, 'exit')
    rmSync(home, { recursive: true, force: true })
  }
}

function anvilBinary(): string | undefined {
  const arch = process.arch === 'x64' ? 'amd64' : process.arch
  const name = process.platform === 'win32' ? 'anvil.exe' : 'anvil'
  try {
    return createRequire(import.meta.url).resolve(`@foundry-rs/anvil-${process.platform}-${arch}/bin/${name}`)
  } catch {
    return undefined
  }
}

async function addressOf(stdout: NodeJS.ReadableStream): Promise<string> {
  let text = ''
  for await (const piece of stdout) {
    text += String(piece)
    const found = /Listening on (\S+)/.exec(text)?.[1]
    if (found !== undefined) return `http://${found}`
  }
  throw new Error(`Anvil does not start: ${text}`)
}

function rpcOf(url: string): Rpc {
  return async (calls) => {
    const body = JSON.stringify(calls.map(([method, params], id) => ({ jsonrpc: '2.0', id, method, params })))
    const headers = { 'content-type': 'application/json' }
    const answer = await fetch(url, { method: 'POST', headers, body })
    const parsed = (await answer.json()) as { result?: unknown; error?: { message: string } }[]
    return parsed.map(({ result, error }) => {
      if (error !== undefined) throw new Error(`Anvil: ${error.message}`)
      return result
    })
  }
}

let accounts: readonly string[] = []

async function prepare(rpc: Rpc): Promise<void> {
  const [own] = await rpc([['eth_accounts', []]])
  accounts = own as string[]
  await rpc([
    ['anvil_setCode', [shown(coin), shown(contract('Coin').runtime)]],
    ['anvil_setCode', [shown(loops), shown(contract('Loops').runtime)]],
    ...accounts.map((at) => {
      const slot = balanceSlot(Buffer.from(at.slice(2), 'hex'))
      return ['anvil_setStorageAt', [shown(coin), shown(slot), shown(word(10n ** 24n))]] as const
    }),
  ])
}

type Message = Readonly<Record<string, string>>

async function block(rpc: Rpc, name: string, make: (index: number) => Message): Promise<Line> {
  // Named, because a batch is answered in no order.
  const fill = async () => {
    const [count] = await rpc([['eth_getTransactionCount', [accounts[0], 'latest']]])
    const txs = Array.from(
      { length: perBlock },
      (_, index) =>
        [
          'eth_sendTransaction',
          [
            {
              from: accounts[index % senders],
              gas: numberToHex(100_000),
              nonce: numberToHex(Number(count) + Math.floor(index / senders)),
              ...make(index),
            },
          ],
        ] as const,
    )
    await rpc(txs)
  }
  let least = Infinity
  for (let round = 0; round < 3; round += 1) {
    await fill()
    const start = performance.now()
    await rpc([['evm_mine', []]])
    least = Math.min(least, ((performance.now() - start) * 1_000) / perBlock)
    const [mined] = await rpc([['eth_getBlockTransactionCountByNumber', ['latest']]])
    if (Number(mined) !== perBlock) throw new Error(`Anvil puts ${Number(mined)} in its block`)
  }
  return { name: `Anvil ${name}, in a block`, value: least, unit: 'µs' }
}

async function calls(rpc: Rpc): Promise<Line> {
  const batch = Array.from(
    { length: perBlock },
    (_, index) =>
      [
        'eth_call',
        [
          {
            to: shown(coin),
            data: shown(data('Coin', 'balanceOf', [shown(owner(index))])),
          },
          'latest',
        ],
      ] as const,
  )
  const value = await best(
    perBlock,
    () => undefined,
    () => rpc(batch),
  )
  return { name: 'Anvil balanceOf call, in a batch', value, unit: 'µs' }
}

async function compute(rpc: Rpc): Promise<Line[]> {
  const lines: Line[] = []
  for (const [name, times] of work) {
    const input = shown(data('Loops', name, [BigInt(times)]))
    const message = { from: accounts[0], to: shown(loops), data: input, gas: numberToHex(10 ** 10) }
    const [estimate] = await rpc([['eth_estimateGas', [message]]])
    const value =
      Number(estimate) /
      (await best(
        1,
        () => undefined,
        () => rpc([['eth_call', [message, 'latest']]]),
      ))
    lines.push({ name: `Anvil ${name} loop`, value, unit: 'Mgas/s' })
  }
  return lines
}
