import { constants } from 'node:fs'
import { open, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import test from 'ava'
import { systemDisk, writeAll } from '../../../src/shell/durable/disk.ts'
import { scratch } from '../../helpers/cli.ts'

test("a file is synced and cut where file handles cannot do so, as with Yarn's Plug'n'Play", async (t) => {
  const path = join(scratch(), 'file')
  const handle = await open(path, 'w')
  await handle.close()
  const handles = Object.getPrototypeOf(handle) as Record<'sync' | 'datasync' | 'truncate', unknown>
  const { sync, datasync, truncate } = handles
  const cannot = () => {
    throw new Error('Method not implemented.')
  }
  Object.assign(handles, { sync: cannot, datasync: cannot, truncate: cannot })
  try {
    const file = await systemDisk.open(path, constants.O_RDWR)
    await writeAll(file, 'whole')
    await file.truncate(2)
    await file.datasync()
    await file.sync()
    await file.close()
  } finally {
    Object.assign(handles, { sync, datasync, truncate })
  }
  t.is(await readFile(path, 'utf8'), 'wh')
})
