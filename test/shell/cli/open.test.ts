/** The flag --open, with a command in the place of the system's that tells what it was asked to open. */
import { readFileSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import test from 'ava'
import { openerOf } from '../../../src/shell/browser.ts'
import { freePorts, scratch, startCli } from '../../helpers/cli.ts'
import { eventually } from '../../helpers/server.ts'

const onUnix = process.platform === 'win32' ? test.skip : test

onUnix('start --open opens the dashboard with the command of the system', async (t) => {
  const folder = scratch()
  const opened = join(folder, 'opened')
  const [command] = openerOf(process.platform)
  writeFileSync(join(folder, command), `#!/bin/sh\nprintf '%s' "$*" > '${opened}'\n`, { mode: 0o755 })
  const path = `${folder}${delimiter}${process.env['PATH'] ?? ''}`
  const started = startCli(['start', '--open', '--json', ...freePorts], { PATH: path })
  t.teardown(() => started.process.kill())
  const [, control = ''] = await started.says(/"control":\s?"([^"]+)"/)
  await eventually(() => readFileSync(opened, { flag: 'a+', encoding: 'utf8' }) === control)
  t.is((await fetch(`${control}/`)).status, 200)
})

onUnix('start --open without a browser starts all the same', async (t) => {
  const started = startCli(['start', '--open', ...freePorts], { PATH: scratch() })
  t.teardown(() => started.process.kill())
  await started.says(/http:\/\/127\.0\.0\.1/)
  started.process.kill('SIGTERM')
  t.is((await started.ended).code, 0)
})

test('each platform opens a URL with its own command', (t) => {
  t.deepEqual(
    (['linux', 'darwin', 'win32'] as const).map((platform) => openerOf(platform)[0]),
    ['xdg-open', 'open', 'cmd'],
  )
})
