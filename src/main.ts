#!/usr/bin/env node
// The version is checked before any import, because old versions of Node cannot parse the modules.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
if (major < 20 || (major === 20 && minor < 19)) {
  process.stderr.write(`chainstage needs Node 20.19 or newer; this is ${process.versions.node}.\n`)
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
