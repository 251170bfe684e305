import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'ava'
import { parse } from 'smol-toml'
import { resolveSettings } from '../../../src/shell/config/resolve.ts'
import { settings } from '../../../src/settings/settings.ts'
import { fileText, readHome, writeHome } from '../../../src/shell/config/home.ts'
import { scratch } from '../../helpers/cli.ts'

test('the files of init change nothing', async (t) => {
  const home = scratch()
  t.deepEqual(await writeHome(home), [join(home, 'config', 'config.toml'), join(home, 'config', 'app.toml')])
  const resolve = (files: Awaited<ReturnType<typeof readHome>>) =>
    resolveSettings({ flags: new Map(), environment: {}, files, scenario: undefined })
  t.deepEqual(resolve(await readHome(home)), resolve(await readHome(scratch())))
  rmSync(home, { recursive: true })
})

test('with every # taken away, the files say the documented defaults', (t) => {
  for (const name of ['config.toml', 'app.toml'] as const) {
    const text = fileText(name).replaceAll(/^# ([\w-]+ = )/gm, '$1')
    const own = settings.filter(([, { file }]) => file?.name === name)
    const tree = parse(text)
    for (const [, { file, value }] of own) {
      const section =
        file?.section === '' ? tree : file?.section.split('.').reduce((at, part) => at[part] as typeof tree, tree)
      t.deepEqual(section?.[file?.key ?? ''], value as never, file?.key)
    }
  }
})

test('init does not write over a file, and writes nothing then', async (t) => {
  const home = scratch()
  mkdirSync(join(home, 'config'))
  writeFileSync(join(home, 'config', 'app.toml'), 'mine = 1\n')
  await t.throwsAsync(writeHome(home), { code: 'ALREADY_THERE', message: /app\.toml is there already/ })
  t.is(readFileSync(join(home, 'config', 'app.toml'), 'utf8'), 'mine = 1\n')
  t.false(existsSync(join(home, 'config', 'config.toml')))
  rmSync(home, { recursive: true })
})

test('a file that is no TOML is refused with its place', async (t) => {
  const home = scratch()
  mkdirSync(join(home, 'config'))
  writeFileSync(join(home, 'config', 'config.toml'), '[rpc]\nladdr = tcp\n')
  await t.throwsAsync(readHome(home), { code: 'UNREADABLE_FILE', message: /config\.toml:2:\d+: / })
  rmSync(home, { recursive: true })
})

const ifPipes = process.platform === 'win32' ? test.skip : test
ifPipes('a named pipe in place of a file is an error: a start waited for ever', async (t) => {
  for (const name of ['config.toml', 'app.toml']) {
    const path = join(scratch(), 'config', name)
    mkdirSync(join(path, '..'))
    execFileSync('mkfifo', [path])
    // Ends the wait of a reader, so that a failed test ends too.
    const ending = setTimeout(() => writeFileSync(path, ''), 5000)
    await t.throwsAsync(readHome(join(path, '..', '..')), {
      code: 'UNREADABLE_FILE',
      message: `${path}: expected a file, received a pipe`,
    })
    clearTimeout(ending)
  }
})
