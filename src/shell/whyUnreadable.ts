/** The reasons why files cannot be read, in words. */

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'file not found',
  EISDIR: 'the path is a folder',
  ENOTDIR: 'a part of the path is a file, not a folder',
  EACCES: 'permission denied (EACCES)',
  EPERM: 'permission denied (EPERM)',
  ELOOP: 'its symbolic links lead in a circle',
}

/** Returns why a file cannot be read: the error of the file system in words, or the first line of its message. */
export function whyUnreadable(cause: unknown): string {
  const { code = '', message = String(cause) } = (cause ?? {}) as { code?: string; message?: string }
  return reasons[code] ?? message.replace(/\n[^]*/, '')
}
