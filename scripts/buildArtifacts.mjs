// Compiles the contracts of the package: `node scripts/buildArtifacts.mjs`. With --check it writes
// nothing and exits with 1 if a file differs from its compiled source.
import { readFileSync, writeFileSync } from 'node:fs'
import solc from 'solc'

const isCheck = process.argv.includes('--check')

function compile(folder, source) {
  const output = JSON.parse(
    solc.compile(
      JSON.stringify({
        language: 'Solidity',
        sources: { [source]: { content: readFileSync(new URL(source, folder), 'utf8') } },
        settings: {
          evmVersion: 'paris',
          optimizer: { enabled: true, runs: 200 },
          metadata: { bytecodeHash: 'none' },
          outputSelection: { '*': { '*': ['abi', 'evm.bytecode.object', 'evm.deployedBytecode.object'] } },
        },
      }),
    ),
  )
  for (const { severity, formattedMessage } of output.errors ?? []) {
    if (severity === 'error') throw new Error(formattedMessage)
  }
  return Object.entries(output.contracts[source])
}

function put(file, text) {
  if (!isCheck) return writeFileSync(file, text)
  if (readFileSync(file, 'utf8') === text) return
  console.error(`${file.pathname.split('/').pop()} is not what its source gives: node scripts/buildArtifacts.mjs`)
  process.exitCode = 1
}

const artifacts = new URL('../scenarios/_artifacts/', import.meta.url)
for (const [contractName, { abi, evm }] of compile(artifacts, 'DemoToken.sol')) {
  const bytecode = `0x${evm.bytecode.object}`
  const text = JSON.stringify({ contractName, sourceName: 'DemoToken.sol', abi, bytecode }, null, 1)
  put(new URL(`${contractName}.json`, artifacts), `${text}\n`)
}

const contracts = new URL('../src/app/evmd/contracts/', import.meta.url)
for (const [, { evm }] of compile(contracts, 'Multicall3.sol')) {
  const lines = `0x${evm.deployedBytecode.object}`.match(/.{1,92}/g)
  put(
    new URL('multicall3.ts', contracts),
    `/** The compiled code of Multicall3.sol (scripts/buildArtifacts.mjs). */
export const multicall3Code = [
${lines.map((line) => `  '${line}',\n`).join('')}].join('')
`,
  )
}
