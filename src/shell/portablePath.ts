import { sep } from 'node:path'

/**
 * Returns a path with slashes between its folders, on Windows too, as scenarios name files;
 * `separator` is that of the path.
 */
export function portablePath(path: string, separator: string = sep): string {
  return separator === '/' ? path : path.replaceAll(separator, '/')
}
