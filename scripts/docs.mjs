// The documentation site. `npm run docs` serves it. `npm run docs build` writes it to dist/site and
// fails on a dead link. `npm run docs api` writes only docs/reference/typescript-api.md. The first
// run installs the tools without their install scripts; they are not dependencies of the project.
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const docs = join(root, 'docs')
const [what = 'dev'] = process.argv.slice(2)

function run(cwd, command, args) {
  const { status } = spawnSync(command, args, { cwd, stdio: 'inherit', shell: process.platform === 'win32' })
  if (status !== 0) process.exit(status ?? 1)
}

if (!existsSync(join(docs, 'node_modules', 'vitepress'))) {
  run(docs, 'npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'])
}
if (what !== 'dev' || !existsSync(join(root, 'dist', 'types'))) {
  run(root, process.execPath, [join(root, 'scripts', 'setup.mjs'), 'package'])
}
/**
 * The types of scenarios, faults and settings have hundreds of keys, which have pages of their own. TypeDoc would write
 * them out wherever they occur, so it reads copies of the declarations in which they are names.
 */
const described = [
  ['scenario/defineScenario.d.ts', 'ScenarioDescription'],
  ['shell/handle.d.ts', 'FaultDescription'],
  ['settings/settings.d.ts', 'Settings'],
]
const copied = join(root, 'dist', 'docs-types')
rmSync(copied, { recursive: true, force: true })
cpSync(join(root, 'dist', 'types'), copied, { recursive: true })
for (const [file, name] of described) {
  const text = readFileSync(join(copied, file), 'utf8')
  const named = text.replace(
    new RegExp(`^export type ${name} = (?:\\{[^}]*\\}|[^;]*);`, 'm'),
    `export interface ${name} {}`,
  )
  if (named === text) throw new Error(`${file} declares no type ${name}`)
  writeFileSync(join(copied, file), named)
}
run(docs, process.execPath, [join(docs, 'node_modules', 'typedoc', 'bin', 'typedoc'), '--logLevel', 'Warn'])

/** Returns a section for TypeDoc's page of one entry point; our reference is a single page. */
function entry(title, file) {
  const text = readFileSync(join(root, 'dist', 'api', file), 'utf8')
  const body = text
    .replace(/^# .*\n/, '')
    .replaceAll(/\]\((?:[^)#]*\/)?\w+\.md#/g, '](#')
    .replaceAll(/^#{1,5}(?= )/gm, '#$&')
    .replaceAll(/^\*{3}\n\n/gm, '')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim()
  return `## ${title}\n\n${body}\n`
}

writeFileSync(
  join(docs, 'reference', 'typescript-api.md'),
  `# TypeScript API

Look up the functions and types that the package exports. [Test runners](../how-to/test-runners.md) shows them in use. The keys of
\`Settings\` are [settings](settings.md). Those of \`ScenarioDescription\` are in [scenario format](scenario.md), and those of \`FaultDescription\` in [faults](faults.md).

${entry('chainstage', 'index.md')}
${entry('chainstage/ava', 'shell/testing/ava.md')}
${entry('chainstage/vitest and chainstage/playwright', 'shell/testing/fixtures.md')}`,
)
if (what !== 'api') run(docs, process.execPath, [join(docs, 'node_modules', 'vitepress', 'bin', 'vitepress.js'), what])
