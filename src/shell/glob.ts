/** Finds files by patterns: `*` and `?` within a name, `**` over folders, `{a,b}` for either. */
import { readdir, stat } from 'node:fs/promises'
import { join, sep } from 'node:path'

/**
 * Resolves with the files of a pattern, sorted; a path of a file is itself. Parts (`_name`) are
 * left out.
 */
export async function filesOf(pattern: string): Promise<readonly string[]> {
  if (!/[*?{]/.test(pattern)) return [pattern]
  const pieces = pattern.split('/')
  const fixed = pieces.slice(0, pieces.findIndex((piece) => /[*?{]/.test(piece)))
  const base = fixed.join('/') || (pattern.startsWith('/') ? '/' : '.')
  const names = await readdir(base, { recursive: true }).catch(() => [])
  const expression = regexOf(pattern)
  const paths = names.map((name) => join(base, name).split(sep).join('/'))
    .filter((path) => expression.test(path) || expression.test(`./${path}`))
    .filter((path) => !path.slice(base.length).split('/').some(
      (piece) => piece.startsWith('_') || piece === 'node_modules'
    ))
  const kinds =
    await Promise.all(paths.map(async (path) => ({ path, isFile: (await stat(path)).isFile() })))
  return kinds.filter(({ isFile }) => isFile).map(({ path }) => path).sort()
}

function regexOf(pattern: string): RegExp {
  const text = pattern.replace(/\*\*\/|\*\*|[*?{},.+^$()|[\]\\]/g, (one) => {
    switch (one) {
      case '**/': return '(?:[^/]+/)*'
      case '**': return '.*'
      case '*': return '[^/]*'
      case '?': return '[^/]'
      case '{': return '(?:'
      case '}': return ')'
      case ',': return '|'
      default: return `\\${one}`
    }
  })
  return new RegExp(`^${text}$`)
}
