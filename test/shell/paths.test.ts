import { posix, win32 } from 'node:path'
import test from 'ava'
import { foldersWithNewEntries, isBelow, nameBelow, patternOf, portablePath } from '../../src/shell/paths.ts'
import { relative } from '../../src/scenario/imports.ts'

test('on Windows, a path is written with slashes, as scenarios name files', (t) => {
  t.is(portablePath('C:\\dapp\\scenarios\\slow.json5', win32), 'C:/dapp/scenarios/slow.json5')
  t.is(portablePath('scenarios/slow.json5', win32), 'scenarios/slow.json5')
})

test('elsewhere, a backslash is part of a name', (t) => {
  t.is(portablePath('odd\\name.json5', posix), 'odd\\name.json5')
})

test('a template or a file of a recording is named below its folder', (t) => {
  t.is(
    nameBelow('C:\\pkg\\templates\\ava', 'C:\\pkg\\templates\\ava\\test\\chain.test.js', win32),
    'test/chain.test.js',
  )
  t.is(nameBelow('C:\\snapshots\\shop\\', 'C:\\snapshots\\shop\\eth\\eth_call.jsonl', win32), 'eth/eth_call.jsonl')
  t.is(nameBelow('/pkg/templates/ava', '/pkg/templates/ava/test/chain.test.js', posix), 'test/chain.test.js')
})

test('on Windows, a path is below a folder on its drive, in upper or lower case', (t) => {
  t.true(isBelow('C:\\home', 'C:\\home\\data\\cpu.prof', win32))
  t.true(isBelow('C:\\Home', 'c:\\home\\data', win32))
  t.true(isBelow('C:\\', 'C:\\data', win32))
  t.true(isBelow('C:/home', 'C:\\home\\..data', win32))
  for (const path of [
    'C:\\home',
    'C:\\home2\\data',
    'C:\\',
    'D:\\home\\data',
    'C:\\home\\..\\other',
    '\\\\host\\share\\x',
  ]) {
    t.false(isBelow('C:\\home', path, win32), path)
  }
})

test('elsewhere, a path is below a folder by its slashes', (t) => {
  t.true(isBelow('/', '/data', posix))
  t.true(isBelow('/home', '/home/..data', posix))
  for (const path of ['/home', '/home2/data', '/', '/Home/data', '/home/../other']) {
    t.false(isBelow('/home', path, posix), path)
  }
})

test('the folders that a new folder was made in are those from the first old one down', (t) => {
  t.deepEqual(foldersWithNewEntries('C:\\a\\b\\c', 'C:\\a\\b', win32), ['C:\\a', 'C:\\a\\b'])
  t.deepEqual(foldersWithNewEntries('C:\\a', 'C:\\a', win32), ['C:\\'])
  t.deepEqual(foldersWithNewEntries('/a/b/c', '/a/b', posix), ['/a', '/a/b'])
})

test('a pattern is a glob with slashes under either rules', (t) => {
  t.deepEqual(patternOf('C:\\dapp\\scenarios\\*.json5', win32), {
    text: 'C:/dapp/scenarios/*.json5',
    isAbsolute: true,
    fixed: 3,
  })
  t.deepEqual(patternOf('.\\scenarios\\**\\*.json5', win32), {
    text: './scenarios/**/*.json5',
    isAbsolute: false,
    fixed: 1,
  })
  t.deepEqual(patternOf('./scenarios/*.json5', posix), { text: './scenarios/*.json5', isAbsolute: false, fixed: 1 })
  t.true(patternOf('/dapp/*.json5', posix).isAbsolute)
})

test('an import of a scenario on Windows is found with either separator', (t) => {
  const entry = portablePath('C:\\dapp\\scenarios\\slow.json5', win32)
  t.is(relative(entry, '../parts/_net.json5'), 'C:/dapp/parts/_net.json5')
  t.is(relative(entry, '..\\parts\\_net.json5'), 'C:/dapp/parts/_net.json5')
  t.is(win32.resolve(relative(entry, '.\\_net.json5')), 'C:\\dapp\\scenarios\\_net.json5')
})
