/**
 * Broken scenario files and what is said of them; `UPDATE_BROKEN=1` writes the expected texts anew.
 */
import { readFileSync, readdirSync, writeFileSync } from 'node:fs'
import test from 'ava'
import { compileScenario } from '../../src/scenario/compile.ts'
import { fake } from '../../src/scenario/fixtures/fake.ts'
import { InvalidScenario, formatDiagnostics } from '../../src/scenario/diagnostic.ts'

const folder = new URL('../../../test/scenario/broken/', import.meta.url)
const parts = readdirSync(new URL('_parts/', folder)).map(
  (name) => [`_parts/${name}`, readFileSync(new URL(`_parts/${name}`, folder), 'utf8')] as const,
)

for (const name of readdirSync(folder).filter((file) => file.endsWith('.json5'))) {
  test(`the broken file ${name} is refused with its diagnostics`, (t) => {
    const files = new Map([...parts, [name, readFileSync(new URL(name, folder), 'utf8')]])
    const error = t.throws(() => compileScenario(files, name, { fake }), { instanceOf: InvalidScenario })
    const said = `${formatDiagnostics(error?.diagnostics ?? [], files)}\n`
    const expected = new URL(name.replace(/json5$/, 'txt'), folder)
    if (process.env['UPDATE_BROKEN'] === '1') writeFileSync(expected, said)
    t.is(said, readFileSync(expected, 'utf8'))
  })
}
