// Compiles the contracts that shipped scenarios deploy: `node scripts/buildArtifacts.mjs`.
import { readFileSync, writeFileSync } from 'node:fs'
import solc from 'solc'

const folder = new URL('../scenarios/_artifacts/', import.meta.url)
const source = 'DemoToken.sol'
const output = JSON.parse(solc.compile(JSON.stringify({
  language: 'Solidity',
  sources: { [source]: { content: readFileSync(new URL(source, folder), 'utf8') } },
  settings: {
    evmVersion: 'paris', optimizer: { enabled: true, runs: 200 }, metadata: { bytecodeHash: 'none' },
    outputSelection: { '*': { '*': ['abi', 'evm.bytecode.object'] } },
  },
})))
for (const { severity, formattedMessage } of output.errors ?? []) {
  if (severity === 'error') throw new Error(formattedMessage)
}
for (const [contractName, { abi, evm }] of Object.entries(output.contracts[source])) {
  const text = JSON.stringify({ contractName, sourceName: source, abi, bytecode: `0x${evm.bytecode.object}` }, null, 1)
  writeFileSync(new URL(`${contractName}.json`, folder), `${text}\n`)
}
