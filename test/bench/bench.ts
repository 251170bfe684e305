/**
 * `npm run bench`: figures of this machine. They are for comparing in one run, never for a test.
 */
import * as comet from './comet.ts'
import * as eth from './eth.ts'
import * as evm from './evm.ts'
import * as recording from './recording.ts'
import * as server from './server.ts'

const parts: readonly { readonly name: string; readonly lines: () => Promise<evm.Line[]> }[] = [
  { name: 'server', lines: server.lines }, { name: 'eth', lines: eth.lines },
  { name: 'comet', lines: comet.lines }, { name: 'evm', lines: evm.lines },
  { name: 'recording', lines: recording.lines },
]
const wanted = process.argv[2]

for (
  const { name, lines } of parts.filter((part) => wanted === undefined || part.name === wanted)
) {
  process.stdout.write(`\n${name}\n`)
  for (const { name: what, value, unit, beside = '' } of await lines()) {
    const figure = `${what.padEnd(44)} ${String(value).padStart(10)} ${unit.padEnd(10)} ${beside}`
    process.stdout.write(`  ${figure.trimEnd()}\n`)
  }
}
