import { posix, win32 } from 'node:path'
import test from 'ava'
import { portablePath } from '../../src/shell/portablePath.ts'

test('on Windows, a path is written with slashes, as scenarios name files', (t) => {
  t.is(portablePath('C:\\dapp\\scenarios\\slow.json5', win32.sep), 'C:/dapp/scenarios/slow.json5')
  t.is(portablePath('scenarios/slow.json5', win32.sep), 'scenarios/slow.json5')
  t.is(portablePath(win32.relative('C:\\dapp', 'C:\\dapp\\parts\\_net.json5'), win32.sep), 'parts/_net.json5')
})

test('elsewhere, a backslash is part of a name', (t) => {
  t.is(portablePath('odd\\name.json5', posix.sep), 'odd\\name.json5')
})
