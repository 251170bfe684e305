import { sep } from 'node:path'

/**
 * Returns a path with slashes as separators, also on Windows, as scenarios name files. `separator`
 * is the separator of `path`.
 */
export function portablePath(path: string, separator: string = sep): string {
  return separator === '/' ? path : path.replaceAll(separator, '/')
}
