/** Solidity for tests, as source text in the test, compiled by the solc package (`solc.ts`). */
import { solcOutput, textOf } from './solc.ts'

export type Contract = {
  readonly abi: readonly Record<string, unknown>[]
  readonly bytecode: `0x${string}`
}

const inputOf = (source: string, outputs: readonly string[]) => ({
  language: 'Solidity',
  sources: { 'test.sol': { content: source } },
  settings: {
    evmVersion: 'cancun',
    optimizer: { enabled: true, runs: 200 },
    outputSelection: { '*': { '*': outputs } },
  },
})

const compiledBy = (input: ReturnType<typeof inputOf>) =>
  solcOutput('solc', JSON.stringify(input), { from: '@openzeppelin/contracts', prefix: '' })

/**
 * Returns the contracts of a source by name; imports come from node_modules. Throws solc's errors.
 */
export function compileSolidity(source: string): Record<string, Contract> {
  const output = compiledBy(inputOf(source, ['abi', 'evm.bytecode.object']))
  const own = Object.entries(output.contracts['test.sol'] ?? {})
  return Object.fromEntries(
    own.map(([name, one]) => [name, { abi: one.abi, bytecode: `0x${one.evm.bytecode.object}` as const }]),
  )
}

/**
 * Returns what Hardhat writes into `artifacts/build-info` for a source, with the source maps of its
 * contracts. Code is the same as that of `compileSolidity`.
 */
export function buildInfoOf(source: string): object {
  const input = inputOf(source, ['evm.deployedBytecode'])
  const output = compiledBy(input)
  const loaded = Object.keys(output.sources).filter((file) => file !== 'test.sol')
  const sources = Object.fromEntries(loaded.map((file) => [file, { content: textOf(file) }]))
  return { id: 'test', input: { ...input, sources: { ...input.sources, ...sources } }, output }
}

/** OpenZeppelin's ERC-20 with a million tokens for whoever deploys it. */
export function demoToken(): Contract {
  const { Demo } = compileSolidity(`// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;
import "@openzeppelin/contracts/token/ERC20/ERC20.sol";
contract Demo is ERC20 {
  constructor() ERC20("Demo", "DEMO") { _mint(msg.sender, 1_000_000 ether); }
}`)
  if (Demo === undefined) throw new Error('Demo was not compiled')
  return Demo
}
