import { spawnSync } from 'node:child_process'
import { createRequire } from 'node:module'
import test from 'ava'

const biome = createRequire(import.meta.url).resolve('@biomejs/biome/bin/biome')

test('all code is formatted and keeps the lint rules of biome.jsonc', (t) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [biome, 'ci', '--error-on-warnings', '--colors=off'], {
    cwd: new URL('../..', import.meta.url),
    encoding: 'utf8',
  })
  t.is(status, 0, stdout + stderr)
  t.true(Number(/Checked (\d+) files/.exec(stdout + stderr)?.[1]) > 1000)
})
