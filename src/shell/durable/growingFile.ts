import { closeSync, constants, fsyncSync, lstatSync, mkdirSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import { CannotWrite } from './cannotWrite.ts'
import { writeAllNow } from './disk.ts'
import { isDeviceFile, unlessMeaningless } from './writeFile.ts'

/** When `close` returns, the file is on disk. */
export type GrowingFile = { readonly append: (text: string) => void; readonly close: () => void }

/**
 * Returns a file that is begun anew, with the folders above it, and grows by whole writes: what a
 * killed process has appended stays. A symbolic link is not followed. A device, like /dev/stdout,
 * is written to as it is. Opening, appending and closing throw `CannotWrite`.
 */
export function openGrowingFile(path: string): GrowingFile {
  const orCannot = <Value>(work: () => Value): Value => {
    try {
      return work()
    } catch (error) {
      throw new CannotWrite(path, error)
    }
  }
  const file = orCannot(() => {
    mkdirSync(dirname(path), { recursive: true })
    return openSync(path, flagsOf(path), 0o600)
  })
  return {
    append: (text) => {
      orCannot(() => {
        writeAllNow(file, Buffer.from(text))
      })
    },
    close: () => {
      orCannot(() => {
        try {
          fsyncSync(file)
        } catch (error) {
          unlessMeaningless(error as NodeJS.ErrnoException)
        } finally {
          closeSync(file)
        }
      })
    },
  }
}

function flagsOf(path: string): number {
  const { O_WRONLY, O_APPEND, O_CREAT, O_TRUNC, O_NOFOLLOW } = constants
  if (isDeviceFile(path, lstatSync(path, { throwIfNoEntry: false }))) return O_WRONLY | O_APPEND
  // Windows has no such flag, and no such links without privileges.
  return O_WRONLY | O_CREAT | O_TRUNC | (O_NOFOLLOW ?? 0)
}
