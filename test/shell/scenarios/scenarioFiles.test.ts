/** Scenario files as editors on other systems save them. */
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'ava'
import { InvalidScenario } from '../../../src/scenario/diagnostic.ts'
import { packagePath } from '../../../src/shell/packageFiles.ts'
import { loadScenario } from '../../../src/shell/scenarios/scenarioFiles.ts'
import { scratch } from '../../helpers/cli.ts'

const windows = (text: string) => `\ufeff${text.replaceAll('\n', '\r\n')}`
const artifact = readFileSync(packagePath('scenarios/_artifacts/DemoToken.json'), 'utf8')
const scenario = `{
  chainstage: 1, name: 'lending', imports: ['../_market.json5'],
  fixtures: { accounts: { ann: {} } },
}
`
const part =
  "{ fixtures: { contracts: { demo: { artifact: './Demo.json', from: '@ann', args: ['Demo', 'DEMO', '5'] } } } }\n"

test('a scenario, its part and its artifact mean the same with a byte order mark and lines of Windows', async (t) => {
  const folder = join(scratch(), 'Märkte 市場')
  const load = async (form: (text: string) => string) => {
    mkdirSync(join(folder, 'lending'), { recursive: true })
    writeFileSync(join(folder, 'lending/main.json5'), form(scenario))
    writeFileSync(join(folder, '_market.json5'), form(part))
    writeFileSync(join(folder, 'Demo.json'), form(artifact))
    return await loadScenario(join(folder, 'lending/main.json5'))
  }
  const here = await load((text) => text)
  t.is(here.plan.fixtures.txs.length, 1)
  t.is((await load(windows)).plan.digest, here.plan.digest)
})

test('a byte order mark does not move the columns of problems', async (t) => {
  const path = join(scratch(), 'main.json5')
  writeFileSync(path, windows("{ chainstage: 1, name: 'odd', stepz: [] }\n"))
  const error = await t.throwsAsync(loadScenario(path), { instanceOf: InvalidScenario })
  t.deepEqual(
    error?.diagnostics.map(({ line, column }) => [line, column]),
    [[1, 31]],
  )
})

test('a module may use the replacement character, which stands for unreadable bytes in other files', async (t) => {
  const path = join(scratch(), 'main.mjs')
  writeFileSync(path, "export default { chainstage: 1, name: 'odd \\ufffd' }\n")
  t.is((await loadScenario(path)).plan.name, 'odd \ufffd')
})

test('a scenario whose links lead in a circle is refused in words', async (t) => {
  const path = join(scratch(), 'main.json5')
  symlinkSync('main.json5', path)
  await t.throwsAsync(loadScenario(path), {
    code: 'UNREADABLE_SCENARIO',
    message: `cannot read the scenario ${path}: its symbolic links lead in a circle`,
  })
})
