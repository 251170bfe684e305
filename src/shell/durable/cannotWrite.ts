import { SimError } from '../../errors.ts'

const reasons: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'the file system is read-only',
  ENOSPC: 'the disk is full',
  EFBIG: 'the file is larger than the system allows',
  EDQUOT: 'the disk quota is used up',
  ENOTDIR: 'a part of its path is a file, not a folder',
  EISDIR: 'it is a folder',
  ERR_FS_EISDIR: 'it is a folder',
  ELOOP: 'it is a symbolic link',
  EEXIST: 'the path exists already',
}

/**
 * Returns the error for a file of a kept chain. Another path would leave the chain behind, so a lack of
 * permissions is to be corrected.
 */
export function cannotKeep(path: string, cause: unknown): CannotWrite {
  const { code = '' } = cause as NodeJS.ErrnoException
  const isDenied = code === 'EACCES' || code === 'EPERM'
  const hint = 'Correct its permissions: the user that runs chainstage has to read and write it.'
  return new CannotWrite(path, cause, isDenied ? hint : undefined)
}

/** A file or folder could not be written; it is unchanged. Exit code 7. */
export class CannotWrite extends SimError {
  constructor(path: string, cause: unknown, hint?: string) {
    const { code = '', message } = cause as NodeJS.ErrnoException
    const reason = reasons[code]
    const isFull = code === 'ENOSPC' || code === 'EDQUOT'
    super('CANNOT_WRITE', `cannot write ${path}: ${reason === undefined ? message : `${reason} (${code})`}`, {
      cause,
      hint: hint ?? (isFull ? 'Make room there, or choose another path.' : 'Choose another path.'),
    })
  }
}
