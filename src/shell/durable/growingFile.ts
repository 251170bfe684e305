import { constants } from 'node:fs'
import { dirname } from 'node:path'
import { CannotWrite } from './cannotWrite.ts'
import { systemDisk, writeAllNow, type Disk } from './disk.ts'
import { makeFolderNow, syncFolderNow, syncNow } from './folders.ts'
import { isDeviceFile } from './writeFile.ts'

/** A file that grows by appending; `close` returns once it is synced to disk. */
export type GrowingFile = { readonly append: (text: string) => void; readonly close: () => void }

/**
 * Creates or truncates a file, creates its parent folders, and appends by whole writes. If the
 * process is killed, all appended text remains. Symbolic links are not followed; a device such as
 * /dev/stdout is written directly. Opening, appending and closing throw `CannotWrite`.
 */
export function openGrowingFile(path: string, disk = systemDisk): GrowingFile {
  const { now } = disk
  const orCannot = <Value>(work: () => Value): Value => {
    try {
      return work()
    } catch (error) {
      throw new CannotWrite(path, error)
    }
  }
  const file = orCannot(() => {
    makeFolderNow(dirname(path), disk)
    return now.open(path, flagsOf(path, disk), 0o600)
  })
  return {
    append: (text) => {
      orCannot(() => {
        writeAllNow(file, Buffer.from(text), disk)
      })
    },
    close: () => {
      orCannot(() => {
        try {
          syncNow(disk, file)
        } finally {
          now.close(file)
        }
        syncFolderNow(dirname(path), disk)
      })
    },
  }
}

function flagsOf(path: string, { now }: Disk): number {
  const { O_WRONLY, O_APPEND, O_CREAT, O_TRUNC, O_NOFOLLOW } = constants
  if (isDeviceFile(path, now.lstat(path))) return O_WRONLY | O_APPEND
  // Windows has no such flag, and creating such links there requires privileges.
  return O_WRONLY | O_CREAT | O_TRUNC | (O_NOFOLLOW ?? 0)
}
