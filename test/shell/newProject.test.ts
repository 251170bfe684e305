/** The files that `chainstage new` writes for each test tool. */
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'ava'
import { projectKinds, writeProject } from '../../src/shell/newProject.ts'
import { cli, scratch } from '../helpers/cli.ts'

/** A tool that npm does not install, and the step of the CI workflow that does. */
const installs: Readonly<Record<string, string>> = {
  playwright: 'npx playwright install --with-deps chromium',
  foundry: 'uses: foundry-rs/foundry-toolchain@v1',
}

/** What else the tool of a project writes into it. */
const leavings: Readonly<Record<string, readonly string[]>> = {
  foundry: ['/cache/', '/out/', '/broadcast/*/31337/', '/broadcast/**/dry-run/'],
  hardhat: ['/artifacts/', '/cache/'],
  playwright: ['/test-results/'],
}

for (const kind of projectKinds) {
  test(`git ignores the files that a run of a ${kind} project leaves`, async (t) => {
    const folder = scratch()
    await writeProject(folder, { kind, name: 'tidy' })
    t.deepEqual(readFileSync(join(folder, '.gitignore'), 'utf8').trim().split('\n'), [
      'node_modules/',
      '.chainstage/',
      'chainstage-run.log',
      ...(leavings[kind] ?? []),
    ])
  })

  test(`the CI workflow of a ${kind} project installs its tools, checks the scenario and runs the tests`, async (t) => {
    const folder = join(scratch(), 'my dApp')
    const files = await writeProject(folder, { kind, name: 'my dApp' })
    t.deepEqual(files, [...new Set(files)])
    for (const file of files) t.true(existsSync(join(folder, file)), file)
    const steps = readFileSync(join(folder, '.github/workflows/test.yml'), 'utf8')
    const wanted = ['run: npm install', 'run: npx chainstage check chainstage.json5', 'run: npm test']
    const at = wanted.map((step) => steps.indexOf(step))
    t.deepEqual(
      at,
      at.toSorted((a, b) => a - b),
    )
    t.false(at.includes(-1), `${wanted} in ${steps}`)
    t.true(steps.indexOf(installs[kind] ?? '') < (at.at(-1) ?? 0))
    for (const [other, step] of Object.entries(installs)) t.is(steps.includes(step), other === kind, step)
    t.regex(readFileSync(join(folder, 'package.json'), 'utf8'), /"name": "my-dapp"/)
  })
}

test('the files of a project have the permissions that the process gives new files', async (t) => {
  const folder = scratch()
  const own = join(folder, 'own')
  writeFileSync(own, '')
  for (const file of await writeProject(folder, { kind: 'node', name: 'shared' })) {
    t.is(statSync(join(folder, file)).mode, statSync(own).mode, file)
  }
})

test('a project is not written over files', async (t) => {
  const folder = scratch()
  await writeProject(folder, { kind: 'node', name: 'first' })
  const error = await t.throwsAsync(writeProject(folder, { kind: 'foundry', name: 'second' }), { message: /already/ })
  t.regex(error?.message ?? '', /chainstage\.json5/)
  t.false(existsSync(join(folder, 'foundry.toml')))
})

test('the next steps can be typed as they are', async (t) => {
  const folder = scratch()
  const next = async (name: string) =>
    /\nNext:\n([^]*) {2}npm install/.exec((await cli(['new', name], {}, folder)).out)?.[1]
  t.is(await next('my dApp'), '  cd "my dApp"\n')
  t.is(await next('apps/one'), '  cd apps/one\n')
  t.is(await next(''), '')
})
