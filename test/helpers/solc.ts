/** Compiles the contracts in test/evm/contracts with the solc package, once for each process. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { type Abi, type Hex, isHex } from 'viem'
import { hex } from './state.ts'

const require = createRequire(import.meta.url)
const folder = new URL('../../../test/evm/contracts/', import.meta.url)

export type Contract = { abi: Abi; init: Uint8Array; runtime: Uint8Array }

type Output = {
  errors?: { severity: string; formattedMessage: string }[]
  contracts: Record<string, Record<string, {
    abi: Abi; evm: { bytecode: { object: string }; deployedBytecode: { object: string } },
  }>>
}

let compiled: Map<string, Contract> | undefined

function compile(): Map<string, Contract> {
  const solc: { compile: (input: string, callbacks: object) => string } = require('solc')
  const names = ['Tokens.sol', 'Pair.sol', 'Precompiles.sol']
  const settings = {
    evmVersion: 'prague', optimizer: {
      enabled: true, runs: 200,
    }, metadata: { bytecodeHash: 'none' },
    outputSelection: {
      '*': { '*': ['abi', 'evm.bytecode.object', 'evm.deployedBytecode.object'] },
    },
  }
  const sources = Object.fromEntries(
    names.map((name) => [name, { content: readFileSync(new URL(name, folder), 'utf8') }])
  )
  const find = (path: string) => ({ contents: readFileSync(require.resolve(path), 'utf8') })
  const output: Output = JSON.parse(
    solc.compile(JSON.stringify({ language: 'Solidity', sources, settings }), { import: find })
  )
  const errors = (output.errors ?? []).filter(({ severity }) => severity === 'error')
  if (errors.length > 0) throw new Error(
    errors.map(({ formattedMessage }) => formattedMessage).join('\n')
  )
  return new Map(names.flatMap((file) => Object.entries(
    output.contracts[file] ?? {}
  ).map(([name, { abi, evm }]) =>
    [
      name, { abi, init: hex(evm.bytecode.object), runtime: hex(evm.deployedBytecode.object) },
    ] as const)))
}

/** Returns a compiled contract by its name. */
export function contract(name: string): Contract {
  compiled ??= compile()
  const found = compiled.get(name)
  if (found === undefined) throw new Error(`no contract ${name}`)
  return found
}

/** Returns the text as hexadecimal digits with 0x, for viem. */
export function asHex(text: string): Hex {
  const digits = `0x${text}`
  if (!isHex(digits)) throw new Error(`not hexadecimal: ${text}`)
  return digits
}
