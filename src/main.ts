#!/usr/bin/env node
// Imports wait for each other, because old versions of Node cannot parse what comes after the check.
const { nodeProblem } = await import('./shell/parts.ts')
if (nodeProblem !== undefined) {
  process.stderr.write(`${nodeProblem}\n`)
  process.exitCode = 2
} else {
  // The compile cache makes the next start faster. The types of Node 20 do not declare it.
  const { enableCompileCache } = (await import('node:module')) as { enableCompileCache?: () => unknown }
  enableCompileCache?.()
  const { surviveClosedPipes } = await import('./shell/process/closedPipes.ts')
  const { main } = await import('./shell/cli/index.ts')
  const { endProcess, watchForEnd } = await import('./shell/process/endProcess.ts')
  surviveClosedPipes()
  watchForEnd()
  await endProcess(await main(process.argv.slice(2)))
}

export {}
