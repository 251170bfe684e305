import { execSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { basename, join } from 'node:path'
import test from 'ava'
import { systemDisk } from '../../../src/shell/durable/disk.ts'
import { openGrowingFile } from '../../../src/shell/durable/growingFile.ts'
import { lockPath } from '../../../src/shell/durable/lock.ts'
import { besidePath } from '../../../src/shell/durable/part.ts'
import { replaceFolder } from '../../../src/shell/durable/replaceFolder.ts'
import { CannotWrite } from '../../../src/shell/durable/cannotWrite.ts'
import { replaceFile, writeFileWhole, writeNewFile } from '../../../src/shell/durable/writeFile.ts'
import { cli, freePorts, main, scratch } from '../../helpers/cli.ts'

/** The content and the permissions of a file. */
const seen = (path: string) => [readFileSync(path, 'utf8'), statSync(path).mode & 0o777]

test("a new file is its owner's alone, and one that is replaced keeps its permissions", async (t) => {
  const folder = scratch()
  const path = join(folder, 'a', 'b.txt')
  await writeFileWhole(path, 'one')
  t.deepEqual(seen(path), ['one', 0o600])
  chmodSync(path, 0o644)
  await writeFileWhole(path, 'two')
  t.deepEqual(seen(path), ['two', 0o644])
  t.deepEqual(readdirSync(join(folder, 'a')), ['b.txt'])
})

test('only a full disk asks for room', (t) => {
  const hintFor = (code: string) => new CannotWrite('a.txt', Object.assign(new Error(), { code })).hint
  t.is(hintFor('ENOSPC'), 'Make room there, or choose another path.')
  for (const code of ['EROFS', 'EACCES', 'EISDIR']) t.is(hintFor(code), 'Choose another path.')
})

test('a write that fails leaves the old file and nothing else', async (t) => {
  const folder = scratch()
  const path = join(folder, 'a.txt')
  writeFileSync(path, 'old')
  const full = replaceFile(path, async (file) => {
    await file.write(Buffer.from('half of the n'))
    throw Object.assign(new Error('no space'), { code: 'ENOSPC', syscall: 'write' })
  })
  await t.throwsAsync(full, { code: 'CANNOT_WRITE', message: `cannot write ${path}: the disk is full (ENOSPC)` })
  const bug = new TypeError('a bug')
  t.is(
    await t.throwsAsync(
      replaceFile(path, () => {
        throw bug
      }),
    ),
    bug,
  )
  t.is(readFileSync(path, 'utf8'), 'old')
  t.deepEqual(readdirSync(folder), ['a.txt'])
})

test('symbolic links are not followed, and folders are not replaced', async (t) => {
  const folder = scratch()
  const [victim, link, below] = ['victim', 'link', 'folder'].map((name) => join(folder, name))
  writeFileSync(victim ?? '', 'untouched')
  symlinkSync(victim ?? '', link ?? '')
  mkdirSync(below ?? '')
  await t.throwsAsync(writeFileWhole(link ?? '', 'x'), { message: /it is a symbolic link \(ELOOP\)/ })
  t.throws(() => openGrowingFile(link ?? ''), { message: /it is a symbolic link \(ELOOP\)/ })
  await t.throwsAsync(writeFileWhole(below ?? '', 'x'), { message: /it is a folder \(EISDIR\)/ })
  await t.throwsAsync(writeFileWhole(join(victim ?? '', 'x'), 'x'), { message: /the path exists already \(EEXIST\)/ })
  t.is(readFileSync(victim ?? '', 'utf8'), 'untouched')
})

test('what a crash has left of a file is removed by its next writer, and nothing else is', async (t) => {
  const folder = scratch()
  const hourAgo = Date.now() / 1000 - 3600
  const add = (name: string, isOld = true) => {
    writeFileSync(join(folder, name), 'half')
    if (isOld) utimesSync(join(folder, name), hourAgo, hourAgo)
    return name
  }
  const random = '0123456789abcdef'
  // No process has this id: it is above the most that systems give.
  const dead = 2 ** 30
  add(`.a.txt.${dead}.${random}.part`)
  // A container that starts again gives the same id to another process.
  add(`.a.txt.${process.pid}.${random}.part`)
  const others = [
    add(`.a.txt.${dead}.${random.replace('0', 'f')}.part`, false),
    add(basename(besidePath(join(folder, 'a.txt'), 'part'))),
    add(`.b.txt.${dead}.${random}.part`),
    add(`.a.txt.${dead}.part`),
  ]
  await writeFileWhole(join(folder, 'a.txt'), 'whole')
  t.deepEqual(readdirSync(folder).toSorted(), [...others, 'a.txt'].toSorted())
})

test('a file that must be new is not written over', async (t) => {
  const path = join(scratch(), 'a.txt')
  await writeNewFile(path, 'one')
  await t.throwsAsync(writeNewFile(path, 'two'), { code: 'CANNOT_WRITE', message: /the path exists already/ })
  t.deepEqual(seen(path), ['one', 0o600])
})

const onDevices = existsSync('/dev/full') ? test.serial : test.serial.skip

onDevices('a report goes to stdout where a device says so, and a full device is exit code 7', async (t) => {
  const path = join(scratch(), 's.json5')
  writeFileSync(path, "{ chainstage: 1, name: 's', clock: { pace: 'instant' }, steps: [] }")
  // Through a pipe of a shell: what Node starts a process with is a socket, which has no path.
  const line = `"${process.execPath}" "${main}" run "${path}" --reporter tap=/dev/stdout | cat`
  t.regex(execSync(line, { encoding: 'utf8' }), /^TAP version 14\n1\.\.1\n/)
  const full = await cli(['run', path, '--reporter', 'tap=/dev/full'])
  t.is(full.code, 7)
  t.regex(full.err, /^CANNOT_WRITE: cannot write \/dev\/full: the disk is full \(ENOSPC\)\n/)
})

/** A folder that nobody may write in; for root, who may write everywhere else, one of the kernel. */
function closedFolder(): string | undefined {
  if (process.getuid?.() === 0) return ['/sys/kernel', '/proc/sys'].find((path) => existsSync(path))
  const folder = scratch()
  chmodSync(folder, 0o500)
  return folder
}

const closed = closedFolder()
const onClosed = closed === undefined ? test.serial.skip : test.serial

onClosed('a folder that is closed or read-only is named with its reason, and nothing is left in it', async (t) => {
  const path = join(closed ?? '', 'chainstage')
  const before = readdirSync(closed ?? '')
  const refusal = {
    code: 'CANNOT_WRITE',
    message: new RegExp(
      `^cannot write ${path}: (permission denied \\((EACCES|EPERM)\\)|the file system is read-only \\(EROFS\\))$`,
    ),
  }
  await t.throwsAsync(writeFileWhole(path, 'x'), refusal)
  await t.throwsAsync(writeNewFile(path, 'x'), refusal)
  t.throws(() => openGrowingFile(path), refusal)
  t.throws(() => lockPath(path), refusal)
  await t.throwsAsync(replaceFolder(path, new Map([['a', '1']]), { isOwn: () => true }), refusal)
  t.deepEqual(readdirSync(closed ?? ''), before)
  const started = await cli(['start', ...freePorts, '--no-watch', '--state', path])
  t.is(started.code, 7)
  t.regex(started.err, /^CANNOT_WRITE: cannot write .*(EACCES|EPERM|EROFS)/)
})

for (const [code, reason] of [
  ['EACCES', 'permission denied'],
  ['EROFS', 'the file system is read-only'],
  ['ENOSPC', 'the disk is full'],
  ['EDQUOT', 'the disk quota is used up'],
] as const) {
  test(`${code} is said as "${reason}", and the old file stays`, async (t) => {
    const path = join(scratch(), 'a.txt')
    writeFileSync(path, 'old')
    const error = Object.assign(new Error(), { code, syscall: 'write' })
    await t.throwsAsync(
      replaceFile(path, () => {
        throw error
      }),
      {
        code: 'CANNOT_WRITE',
        message: `cannot write ${path}: ${reason} (${code})`,
      },
    )
    t.is(readFileSync(path, 'utf8'), 'old')
  })
}

const withProc = existsSync('/proc/1') ? test : test.skip

withProc('a folder that the system does not let be made is an error at once', async (t) => {
  const path = '/proc/1/chainstage/a/b.txt'
  await t.throwsAsync(writeFileWhole(path, ''), { message: /^cannot write .*ENOENT/ })
  t.throws(() => lockPath(path), { message: /^cannot write .*ENOENT/ })
})

test('folders that are made are told from the topmost new one down', async (t) => {
  const folder = scratch()
  t.is(await systemDisk.mkdir(join(folder, 'a', 'b', 'c'), { recursive: true }), join(folder, 'a'))
  t.is(systemDisk.now.mkdir(join(folder, 'a', 'd', 'e'), { recursive: true }), join(folder, 'a', 'd'))
  t.is(systemDisk.now.mkdir(join(folder, 'a', 'd'), { recursive: true }), undefined)
})
