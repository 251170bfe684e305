/** What the programs share: keys of the recorded node's genesis, its chain for viem, the token. */
import { readFileSync } from 'node:fs'
import type { Abi, Address, Hex } from 'viem'
import type { Urls } from '../../../src/shell/urls.ts'

export type Where = Pick<Urls, 'comet' | 'cometWs' | 'eth' | 'ethWs'>

/** A client: it resolves with what it shows at its end, the same in playback as on the day. */
export type Program = (where: Where) => Promise<unknown>

/** Test keys. */
export const keys = [
  '0x88cbead91aee890d27bf06e003ade3d4e952427e88f88d31d61d3ef5e5d54305',
  '0x741de4f8988ea941d3ff0287911ca4074e62b7d45c991a51186455366f10b544',
  '0x3b7955d25189c99a7468192fcbc6429205c158834053ebe3f78f4512ab432db9',
  '0x8a36c69d940a92fcea94b36d0f2928c7a0ee19a90073eda769693298dfa9603b',
] as const satisfies readonly Hex[]

export const fees = { maxFeePerGas: 2_000_000_000n, maxPriorityFeePerGas: 1_000_000_000n }

const traffic = new URL('../../../../test/recording/traffic/clients/', import.meta.url)

export const token = JSON.parse(readFileSync(new URL('token.json', traffic), 'utf8')) as {
  readonly abi: Abi
  readonly bytecode: Hex
}

export const chainOf = ({ eth }: Where) => ({
  id: 262144,
  name: 'recorded',
  nativeCurrency: { name: 'Test', symbol: 'TEST', decimals: 18 },
  rpcUrls: { default: { http: [eth] } },
})

/** An address that nobody else uses. */
export const fresh = (number: number): Address => `0x${number.toString(16).padStart(40, '0')}`

export const sleep = (ms: number) =>
  new Promise((done) => {
    setTimeout(done, ms)
  })

/** Resolves with what a dApp shows of an error. */
export async function whyOf(promise: Promise<unknown>): Promise<string> {
  return promise.then(
    () => 'no error',
    (error: unknown) => {
      const { shortMessage, message } = error as { shortMessage?: string; message: string }
      return (shortMessage ?? message).split('\n')[0]?.slice(0, 160) ?? ''
    },
  )
}

/** Returns a value whose big integers are texts, so that summaries can be compared. */
export function plain(value: unknown): unknown {
  const text = JSON.stringify(value, (_, one: unknown) => (typeof one === 'bigint' ? String(one) : one))
  return JSON.parse(text) as unknown
}
