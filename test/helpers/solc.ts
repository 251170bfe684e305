/**
 * Compiles the contracts of the tests with the solc packages. A compiler takes seconds to load and to
 * run, so what it printed is kept in `dist/solc/` for the other test files.
 */
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { type Abi, type Hex, isHex, multicall3Abi } from 'viem'
import { hex } from './state.ts'

const require = createRequire(import.meta.url)
const folder = new URL('../../../test/evm/contracts/', import.meta.url)

export type Contract = { abi: Abi; init: Uint8Array; runtime: Uint8Array }

type Output = {
  readonly errors?: readonly { readonly severity: string; readonly formattedMessage: string }[]
  readonly contracts: Readonly<Record<string, Readonly<Record<string, Compiled>>>>
  readonly sources: Readonly<Record<string, unknown>>
}
/** What was asked for: code is missing where it was not. */
type Compiled = {
  readonly abi: Abi
  readonly evm: {
    readonly bytecode: { readonly object: string }
    readonly deployedBytecode: { readonly object: string }
  }
}

const outputSelection = {
  '*': { '*': ['abi', 'evm.bytecode.object', 'evm.deployedBytecode.object'] },
}
const local = ['Tokens.sol', 'Loops.sol', 'Precompiles.sol']

/** Returns the text of a file of a package, such as `@openzeppelin/contracts/token/ERC20/ERC20.sol`. */
export const textOf = (path: string): string => readFileSync(require.resolve(path), 'utf8')

const keptIn = fileURLToPath(new URL('../../../dist/solc/', import.meta.url))
const versionOf = (name: string): string =>
  (JSON.parse(textOf(`${name}/package.json`)) as { readonly version: string }).version

/** Returns the output of a compiler package for an input whose imports are files of another package. Throws its errors. */
export function solcOutput(
  compiler: string,
  input: string,
  imports: { readonly from: string; readonly prefix: string },
): Output {
  const output: Output = JSON.parse(outputText(compiler, input, imports))
  const errors = (output.errors ?? []).filter(({ severity }) => severity === 'error')
  if (errors.length > 0) throw new Error(errors.map(({ formattedMessage }) => formattedMessage).join('\n'))
  return output
}

function outputText(...[compiler, input, imports]: Parameters<typeof solcOutput>): string {
  const key = [versionOf(compiler), versionOf(imports.from), input].join('\n')
  const path = `${keptIn}${createHash('sha256').update(key).digest('hex')}.json`
  if (existsSync(path)) return readFileSync(path, 'utf8')
  const solc: { compile: (input: string, callbacks: object) => string } = require(compiler)
  const find = (name: string) => ({ contents: textOf(`${imports.prefix}${name}`) })
  // The older compiler takes the function itself.
  const output = solc.compile(input, compiler === 'solc' ? { import: find } : find)
  mkdirSync(keptIn, { recursive: true })
  writeFileSync(`${path}.${process.pid}`, output)
  renameSync(`${path}.${process.pid}`, path)
  return output
}

/** Our own contracts, and OpenZeppelin's that they import. */
function compileLocal(): Map<string, Contract> {
  const settings = {
    evmVersion: 'prague',
    optimizer: { enabled: true, runs: 200 },
    metadata: { bytecodeHash: 'none' },
    outputSelection,
  }
  const sources = Object.fromEntries(
    local.map((name) => [name, { content: readFileSync(new URL(name, folder), 'utf8') }]),
  )
  const input = JSON.stringify({ language: 'Solidity', sources, settings })
  const output = solcOutput('solc', input, { from: '@openzeppelin/contracts', prefix: '' })
  return contractsOf(output, (file) => local.includes(file))
}

/** Uniswap's sources with the compiler, settings and file names that its bytecode was made with. */
function compileUniswap(): Map<string, Contract> {
  const settings = {
    evmVersion: 'istanbul',
    optimizer: { enabled: true, runs: 999_999 },
    outputSelection,
  }
  const start = 'contracts/UniswapV2Factory.sol'
  const sources = { [start]: { content: textOf(`@uniswap/v2-core/${start}`) } }
  const input = JSON.stringify({ language: 'Solidity', sources, settings })
  return contractsOf(
    solcOutput('solc-0.5', input, { from: '@uniswap/v2-core', prefix: '@uniswap/v2-core/' }),
    () => true,
  )
}

/** Multicall3 has no source among the packages; viem has what its deployment transaction holds. */
function deployedMulticall(): Map<string, Contract> {
  const { multicall3Bytecode }: { multicall3Bytecode: Hex } = require(
    require.resolve('viem').replace(/index\.js$/, 'constants/contracts.js'),
  )
  const init = hex(multicall3Bytecode)
  return new Map([['Multicall3', { abi: multicall3Abi, init, runtime: init.subarray(32) }]])
}

function contractsOf(output: Output, isWanted: (file: string) => boolean): Map<string, Contract> {
  const files = Object.entries(output.contracts).filter(([file]) => isWanted(file))
  return new Map(
    files
      .flatMap(([, inside]) => Object.entries(inside))
      .map(([name, { abi, evm }]) => [
        name,
        { abi, init: hex(evm.bytecode.object), runtime: hex(evm.deployedBytecode.object) },
      ]),
  )
}

const sets = { compileLocal, compileUniswap, deployedMulticall }
const made = new Map<keyof typeof sets, Map<string, Contract>>()

/** Returns a contract by its name. */
export function contract(name: string): Contract {
  const set = name.startsWith('UniswapV2')
    ? 'compileUniswap'
    : name === 'Multicall3'
      ? 'deployedMulticall'
      : 'compileLocal'
  const contracts = made.get(set) ?? sets[set]()
  made.set(set, contracts)
  const found = contracts.get(name)
  if (found === undefined) throw new Error(`no contract ${name}`)
  return found
}

/** Returns the text as hexadecimal digits with 0x, for viem. */
export function asHex(text: string): Hex {
  const digits = `0x${text}`
  if (!isHex(digits)) throw new Error(`not hexadecimal: ${text}`)
  return digits
}
