import { mkdirSync, readdirSync, readFileSync, readlinkSync, renameSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'ava'
import { restoreFolder } from '../../../src/shell/durable/part.ts'
import { replaceFolder } from '../../../src/shell/durable/replaceFolder.ts'
import { scratch } from '../../helpers/cli.ts'

const textsIn = (folder: string) =>
  Object.fromEntries(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((one) => one.isFile())
      .map((one) => [
        join(one.parentPath, one.name).slice(folder.length + 1),
        readFileSync(join(one.parentPath, one.name), 'utf8'),
      ]),
  )

const ours = { isOwn: (path: string) => path === 'a.json' || path.startsWith('blocks') }

test('a folder is replaced with what is not ours in the old one, and nothing is left beside it', async (t) => {
  const above = scratch()
  const folder = join(above, 'rec')
  await replaceFolder(
    folder,
    new Map([
      ['a.json', '1'],
      ['blocks/b.json', '2'],
    ]),
    ours,
  )
  mkdirSync(join(folder, 'hand'))
  writeFileSync(join(folder, 'hand', 'own.json5'), '{}')
  writeFileSync(join(folder, 'README.md'), 'why it was recorded')
  symlinkSync('README.md', join(folder, 'link'))
  await replaceFolder(folder, new Map([['a.json', '3']]), ours)
  t.deepEqual(textsIn(folder), {
    'a.json': '3',
    'hand/own.json5': '{}',
    'README.md': 'why it was recorded',
  })
  t.is(readlinkSync(join(folder, 'link')), 'README.md')
  t.deepEqual(readdirSync(above), ['rec'])
})

test('a folder that cannot be replaced stays as it was', async (t) => {
  const above = scratch()
  const folder = join(above, 'rec')
  await replaceFolder(folder, new Map([['a.json', '1']]), ours)
  // One file and a folder of the same name cannot both be.
  const refused = replaceFolder(
    folder,
    new Map([
      ['a.json', '2'],
      ['a.json/b.json', '3'],
    ]),
    ours,
  )
  await t.throwsAsync(refused, { code: 'CANNOT_WRITE' })
  t.deepEqual(textsIn(folder), { 'a.json': '1' })
  t.deepEqual(readdirSync(above), ['rec'])
})

test('a crash between the two renames loses nothing: the old folder is put back', async (t) => {
  const above = scratch()
  const folder = join(above, 'rec')
  await replaceFolder(folder, new Map([['a.json', 'old']]), ours)
  const beside = (kind: string) => join(above, `.rec.${2 ** 30}.0123456789abcdef.${kind}`)
  renameSync(folder, beside('old'))
  mkdirSync(beside('part'))
  await restoreFolder(folder)
  t.deepEqual(textsIn(folder), { 'a.json': 'old' })
})
