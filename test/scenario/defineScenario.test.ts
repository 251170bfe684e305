import { copyFileSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import test from 'ava'
import { SimError } from '../../src/errors.ts'
import { loadScenario, UnreadableScenario } from '../../src/shell/scenarios/scenarioFiles.ts'
import { readModule } from '../../src/shell/scenarios/scenarioModule.ts'
import { scratch } from '../helpers/cli.ts'

const twins = fileURLToPath(new URL('../../../test/scenario/twins/', import.meta.url))
const built = fileURLToPath(new URL('./twins/checkout.js', import.meta.url))

/** The compiled module beside the parts that it imports. */
function moduleIn(folder: string, name: string): string {
  const library = new URL('../../src/scenario/defineScenario.js', import.meta.url).href
  const text = readFileSync(built, 'utf8').replace(
    /'[^']*defineScenario\.js'|"[^"]*defineScenario\.js"/,
    `'${library}'`,
  )
  writeFileSync(join(folder, name), text)
  copyFileSync(join(twins, '_faults.json5'), join(folder, '_faults.json5'))
  return join(folder, name)
}

test('a module and its twin in JSON5 give the same plan', async (t) => {
  const [module, file] = [
    await loadScenario(moduleIn(scratch(), 'checkout.mjs')),
    await loadScenario(join(twins, 'checkout.json5')),
  ]
  t.is(module.plan.digest, file.plan.digest)
  t.deepEqual(module.settings, file.settings)
  t.is(module.closure.length, 2)
})

test('a module that was saved is read again', async (t) => {
  const path = join(scratch(), 's.mjs')
  const save = (name: string, extra = '') => {
    writeFileSync(path, `export default { chainstage: 1, name: '${name}'${extra} }`)
  }
  save('one')
  t.is((await loadScenario(path)).plan.name, 'one')
  await new Promise((done) => {
    setTimeout(done, 20)
  })
  save('two')
  t.is((await loadScenario(path)).plan.name, 'two')
})

test('a bigint where a number is expected is named in the hint', async (t) => {
  const path = join(scratch(), 's.mjs')
  writeFileSync(path, "export default { chainstage: 1, name: 's', steps: [{ expect: { height: { min: 3n } } }] }")
  const error = await t.throwsAsync(loadScenario(path))
  t.regex(error?.message ?? '', /expected a number, received "3"\n[^]*hint: [^\n]*in JavaScript, not 3n/)
})

test('a scenario that may not be read says so, and its hint is about permissions', (t) => {
  const error = new UnreadableScenario('s.json5', Object.assign(new Error('no'), { code: 'EACCES' }))
  t.is(error.message.split('\n')[0], 'cannot read the scenario s.json5: permission denied (EACCES)')
  t.is(error.hint, 'Allow this user to read the file and its folder.')
})

test('a path through a file is named as such', async (t) => {
  const path = join(scratch(), 's.json5')
  writeFileSync(path, '{}')
  const error = await t.throwsAsync(loadScenario(join(path, 'x.json5')), { code: 'UNREADABLE_SCENARIO' })
  t.regex(error?.message ?? '', /: a part of the path is a file, not a folder/)
})

const refused = test.macro(async (t, text: string, expected: RegExp) => {
  const path = join(scratch(), 's.mjs')
  writeFileSync(path, text)
  await t.throwsAsync(loadScenario(path), { message: expected })
})

test('a module without a scenario is refused', refused, 'export const x = 1', /it has no default export of a scenario/)
test('a module that throws is refused', refused, "throw new Error('no')", /cannot read the scenario .*: no/)
test('a module that throws nothing in particular is refused', refused, 'throw null', /cannot read the .*: null$/)
test(
  'a module that would end the process is refused',
  refused,
  "try { process.exit(3) } catch {}\nexport default { chainstage: 1, name: 'x' }",
  /cannot read the scenario .*: it called process\.exit\(3\)$/,
)
test(
  'a module that would end the process later, while it loads, is refused',
  refused,
  "await new Promise((done) => setTimeout(done, 1))\nprocess.exit()\nexport default { chainstage: 1, name: 'x' }",
  /: it called process\.exit\(\)$/,
)
test(
  'a function in a scenario is refused',
  refused,
  'export default { chainstage: 1, name: () => {} }',
  /"name" is a function/,
)
test(
  'a mistake in a module is told as in a file',
  refused,
  "export default { chainstage: 1, name: 'x', stepps: [] }",
  /s\.mjs:4:3 {2}SC1010 {2}unknown key "stepps"[^]*Did you mean "steps"/,
)

const readsTypeScript = 'typescript' in process.features && process.features.typescript !== false
const run = readsTypeScript ? test : test.skip
run('TypeScript is read where Node can', async (t) => {
  const path = join(scratch(), 's.ts')
  writeFileSync(path, "const name: string = 'typed'\nexport default { chainstage: 1, name } as const\n")
  t.is((await loadScenario(path)).plan.name, 'typed')
})

test('a module that never finishes loading is refused after a while', async (t) => {
  const path = join(scratch(), 'never.mjs')
  writeFileSync(path, 'await new Promise(() => {})\nexport default { chainstage: 1 }')
  const error = await t.throwsAsync(readModule(path, 50), { code: 'UNREADABLE_SCENARIO' })
  t.regex(error?.message ?? '', /did not finish loading within 0\.05 s$/)
})

test('a module that Node reads as CommonJS is refused with the ways out', async (t) => {
  const folder = scratch()
  writeFileSync(join(folder, 'package.json'), '{ "type": "commonjs" }')
  writeFileSync(join(folder, 's.js'), 'export default { chainstage: 1 }')
  const error = await t.throwsAsync(readModule(join(folder, 's.js')), { code: 'UNREADABLE_SCENARIO' })
  t.regex(error instanceof SimError ? (error.hint ?? '') : '', /name it \.mjs or \.mts, or set "type": "module"/)
})
