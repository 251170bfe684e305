#!/usr/bin/env node
// Nothing is imported before the version is known: what follows does not even parse on old ones.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
if (major < 20 || (major === 20 && minor < 19)) {
  process.stderr.write(`chainstage needs Node 20.19 or newer; this is ${process.versions.node}.\n`)
  process.exitCode = 2
} else {
  // The next start finds compiled code: of this the type declarations of Node 20 do not know.
  const { enableCompileCache } = (await import('node:module')) as { enableCompileCache?: () => unknown }
  enableCompileCache?.()
  const { surviveClosedPipes } = await import('./shell/closedPipes.ts')
  const { main } = await import('./shell/cli/index.ts')
  surviveClosedPipes()
  process.exitCode = await main(process.argv.slice(2))
}

export {}
