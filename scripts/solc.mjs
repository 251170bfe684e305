#!/usr/bin/env node
// Solidity's compiler from its npm package, with the command line that forge expects of a compiler:
//   FOUNDRY_SOLC=scripts/solc.mjs FOUNDRY_OFFLINE=true forge test
// forge downloads a compiler otherwise, which CI cannot do.
import { readFileSync } from 'node:fs'
import solc from 'solc'

if (process.argv.includes('--version')) console.log(`solc, the solidity compiler\nVersion: ${solc.version()}`)
else process.stdout.write(solc.compile(readFileSync(0, 'utf8')))
