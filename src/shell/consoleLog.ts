/**
 * Prints the `console.log` output of contracts that use Hardhat's `console.sol`. Tracing starts when there is such code,
 * in a transaction or in the state that the chain began with, so other chains are not slowed down.
 */
import { format } from 'node:util'
import { hexOf } from '../codec/hex.ts'
import { keccakOfText } from '../crypto/hash.ts'
import { recordAt } from '../chain/history.ts'
import type { Input } from '../plan/input.ts'
import type { AppState } from '../app/state.ts'
import type { World } from '../node/world.ts'
import type { Peeked } from './peek.ts'
import type { Simulation } from '../simulation/turn.ts'
import { checksumAddress } from '../crypto/checksumAddress.ts'

/** The address is the text "console.log", left-padded with zeros. */
const consoleAddress = `0x${Buffer.from('console.log').toString('hex').padStart(40, '0')}`
const mark = Buffer.from('console.log')

type Peek = (side: 'eth', method: string, params: unknown) => Peeked
type Frame = { readonly to?: string; readonly input?: string; readonly calls?: readonly Frame[] }

export type ConsoleLog = {
  /** Prints what the blocks and calls of an input say. */
  readonly saw: (input: Input, simulation: Simulation) => void
  /** Continues from another chain, whose blocks are not printed. */
  readonly become: (simulation: Simulation) => void
}

type Options = {
  readonly world: World
  readonly peek: Peek
  readonly print: (line: string) => void
}

/** Returns an observer of inputs that prints a line for each `console.log` call. */
export function createConsoleLog({ world, peek, print }: Options, first: Simulation): ConsoleLog {
  let { height } = first.node.chain
  let isSearched = false
  let isSpoken = false

  /** Returns whether some code may log: most chains have none, and are asked no more. */
  const maySpeak = () => isSpoken || !isSearched

  /** Returns whether some code logs. The code of the state is searched once, when it may first be executed. */
  function speaks(state: AppState): boolean {
    isSpoken ||= !isSearched && [...(world.ethereum?.codes(state) ?? [])].some(logs)
    isSearched = true
    return isSpoken
  }

  function trace(method: string, params: readonly unknown[]): void {
    const told = peek('eth', method, [...params, { tracer: 'callTracer' }])
    if ('result' in told && told.result !== null) {
      for (const line of linesOf(told.result as Frame)) print(line)
    }
  }

  return {
    saw: (input, { node: { chain } }) => {
      if (chain.height < height) height = chain.height
      for (height += 1n; height <= chain.height; height++) {
        for (const { hash, raw } of recordAt(chain.history, height)?.ethereum.transactions ?? []) {
          isSpoken ||= logs(raw)
          if (speaks(chain.app)) trace('debug_traceTransaction', [hexOf(hash)])
        }
      }
      height = chain.height
      if (maySpeak() && input.kind === 'request' && input.body.includes('"eth_call"') && speaks(chain.app)) {
        for (const [tx, block = 'latest'] of callsIn(input.body)) {
          trace('debug_traceCall', [tx, block])
        }
      }
    },
    become: ({ node: { chain } }) => {
      height = chain.height
      isSearched = false
    },
  }
}

/** Returns whether bytes contain the address of the console. */
function logs(bytes: Uint8Array): boolean {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).includes(mark)
}

/** Returns the parameters of every eth_call in a message. */
function callsIn(body: string): readonly (readonly unknown[])[] {
  try {
    const message = JSON.parse(body) as unknown
    return [message].flat().flatMap((one) => {
      const { method, params } = one as { method?: unknown; params?: unknown }
      return method === 'eth_call' && Array.isArray(params) ? [params as unknown[]] : []
    })
  } catch {
    return []
  }
}

function linesOf({ to, input = '0x', calls = [] }: Frame): readonly string[] {
  return [...(to === consoleAddress ? [lineOf(Buffer.from(input.slice(2), 'hex'))] : []), ...calls.flatMap(linesOf)]
}

/** Returns the line of a call, with `%s` and `%d` in the first text replaced. */
function lineOf(data: Buffer): string {
  const types = signatures().get(data.toString('hex', 0, 4))
  if (types === undefined) return `console.log: unknown arguments ${hexOf(data)}`
  const words = data.subarray(4)
  return format(...types.map((type, index) => shownValue(type, words, 32 * index)))
}

function shownValue(type: string, words: Buffer, at: number): string {
  const word = words.subarray(at, at + 32)
  const number = word.length === 32 ? BigInt(`0x${word.toString('hex')}`) : 0n
  if (type === 'string' || type === 'bytes') {
    const start = Number(number)
    const length = Number(BigInt(`0x${words.toString('hex', start, start + 32) || '0'}`))
    const bytes = words.subarray(start + 32, start + 32 + length)
    return type === 'string' ? bytes.toString() : `0x${bytes.toString('hex')}`
  }
  if (type === 'bool') return String(number !== 0n)
  if (type === 'address') return checksumAddress(word.subarray(12))
  if (type.startsWith('int')) return String(BigInt.asIntN(256, number))
  return type.startsWith('uint') ? String(number) : `0x${word.toString('hex', 0, Number(type.slice(5)))}`
}

let known: Map<string, readonly string[]> | undefined

/**
 * Returns the argument types of each `log` function by selector: up to four arguments of four
 * types, or one of any other type, and `log(string,int256)`. `int` and `uint` are included for the
 * selectors of early versions.
 */
function signatures(): ReadonlyMap<string, readonly string[]> {
  if (known !== undefined) return known
  known = new Map()
  const four = ['uint256', 'string', 'bool', 'address']
  let lists: string[][] = [[]]
  const all = [...lists]
  for (let count = 1; count <= 4; count++) {
    lists = lists.flatMap((list) => four.map((type) => [...list, type]))
    all.push(...lists)
  }
  const sized = Array.from({ length: 32 }, (_, index) => `bytes${index + 1}`)
  for (const types of [...all, ...['int256', 'bytes', ...sized].map((type) => [type]), ['string', 'int256']]) {
    const text = `log(${types.join(',')})`
    for (const spelled of new Set([text, text.replaceAll('int256', 'int')])) {
      known.set(Buffer.from(keccakOfText(spelled)).toString('hex', 0, 4), types)
    }
  }
  return known
}
