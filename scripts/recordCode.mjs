// Runs a command of `dist/program` to its end, then writes the compiled code of the parts that ran and
// have none yet. `scripts/bundle.mjs` calls it.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const program = join(dirname(fileURLToPath(import.meta.url)), '../dist/program')
const { recordCode } = await import(pathToFileURL(join(program, 'parts.js')))
const codeNow = recordCode()
const { surviveClosedPipes } = await import(pathToFileURL(join(program, 'closedPipes.js')))
const { main } = await import(pathToFileURL(join(program, 'cli.js')))
surviveClosedPipes()
process.exitCode = await main(process.argv.slice(2))
// A timer loads this part, so whether it ran depends on how fast the machine is.
const loadedInTime = /collectGarbage\.cjs$/
for (const [path, code] of codeNow()) {
  if (existsSync(path) || loadedInTime.test(path)) continue
  if (/\bimport\(/.test(readFileSync(join(program, basename(path)), 'utf8'))) {
    throw new Error(
      `${basename(path)} imports a module, which a part with compiled code cannot do; see src/shell/scenarios/importModule.ts`,
    )
  }
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, code)
}
