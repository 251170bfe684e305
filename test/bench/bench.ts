/**
 * `npm run bench`: figures of this machine. They are for comparing in one run, never for a test.
 * `npm run bench peers` compares with other nodes, `npm run bench paired DIR` with another checkout.
 */
import * as comet from './comet.ts'
import * as durability from './durability.ts'
import * as evm from './evm.ts'
import * as fleet from './fleet.ts'
import * as gateway from './gateway.ts'
import * as history from './history.ts'
import * as paired from './paired.ts'
import * as peers from './peers.ts'
import * as recording from './recording.ts'
import * as server from './server.ts'
import * as transport from './transport.ts'

const [, , wanted, given = '', file] = process.argv
const parts: readonly { readonly name: string; readonly lines: () => Promise<evm.Line[]> }[] = [
  { name: 'server', lines: server.lines },
  { name: 'comet', lines: comet.lines },
  { name: 'gateway', lines: gateway.lines },
  { name: 'evm', lines: evm.lines },
  { name: 'durability', lines: durability.lines },
  { name: 'fleet', lines: fleet.lines },
  { name: 'recording', lines: recording.lines },
  { name: 'transport', lines: transport.lines },
]
/** Parts that take minutes or an argument, so they run only by name. */
const named: typeof parts = [
  { name: 'paired', lines: () => paired.lines(given) },
  { name: 'history', lines: () => history.lines(given === '' ? undefined : Number(given)) },
]
const chosen = named.some((part) => part.name === wanted)
  ? named.filter((part) => part.name === wanted)
  : parts.filter((part) => wanted === undefined || part.name === wanted)

if (wanted === 'peers') await peers.print(given === '--markdown' ? file : undefined)

for (const { name, lines } of chosen) {
  process.stdout.write(`\n${name}\n`)
  for (const { name: what, value, unit, beside = '' } of await lines()) {
    const figure = `${what.padEnd(44)} ${String(value).padStart(10)} ${unit.padEnd(10)} ${beside}`
    process.stdout.write(`  ${figure.trimEnd()}\n`)
  }
}
