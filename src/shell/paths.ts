/** Paths of files under the rules of this machine; tests run them under those of other machines too. */
import nodePath, { type PlatformPath } from 'node:path'

/** The rules of a platform: drives, separators, upper and lower case. */
export type PathRules = Pick<PlatformPath, 'dirname' | 'isAbsolute' | 'join' | 'relative' | 'resolve' | 'sep'>

/** Returns a path with slashes as separators, also on Windows, as scenarios name files. */
export function portablePath(path: string, { sep }: PathRules = nodePath): string {
  return sep === '/' ? path : path.replaceAll(sep, '/')
}

/** Returns the name of a file below a folder, with slashes: `parts/net.json5`. */
export function nameBelow(folder: string, path: string, rules: PathRules = nodePath): string {
  return portablePath(rules.relative(folder, path), rules)
}

/** Returns whether a path is below a folder, however deep; the folder itself is not. */
export function isBelow(folder: string, path: string, rules: PathRules = nodePath): boolean {
  const name = rules.relative(folder, path)
  const isOutside = name === '' || name === '..' || name.startsWith(`..${rules.sep}`) || rules.isAbsolute(name)
  return !isOutside
}

/**
 * Returns the folders that gained an entry when `folder` was made with its parents, of which
 * `topmost` was the first new one: from the parent of `topmost` down.
 */
export function foldersWithNewEntries(folder: string, topmost: string, rules: PathRules = nodePath): readonly string[] {
  const above = rules.dirname(rules.resolve(topmost))
  const made = rules.relative(above, rules.resolve(folder)).split(rules.sep)
  return made.map((_, index) => rules.join(above, ...made.slice(0, index)))
}

/** A pattern of files: with slashes, whether it is absolute, and how many folders it names before its first wildcard. */
export type Pattern = { readonly text: string; readonly isAbsolute: boolean; readonly fixed: number }

/** Returns a pattern such as `scenarios\*.json5` as a glob takes it. */
export function patternOf(pattern: string, rules: PathRules = nodePath): Pattern {
  const text = portablePath(pattern, rules)
  const pieces = text.split('/')
  const fixed = pieces.findIndex((piece) => /[*?[{(!]/.test(piece))
  return {
    text,
    isAbsolute: rules.isAbsolute(pattern),
    fixed: pieces.slice(0, fixed).filter((piece) => piece !== '.').length,
  }
}
