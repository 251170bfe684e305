/** Finds the scenario files that a command line names. */
import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { glob, isDynamicPattern } from 'tinyglobby'
import { SimError } from '../errors.ts'
import { patternOf } from './paths.ts'

/**
 * Resolves with the files that match patterns, without duplicates: in the order of the patterns,
 * and sorted within each pattern. A path without wildcards is returned unchanged, whether or not
 * the file exists. Parts (`_name`) are left out unless the pattern names them before its first
 * wildcard. Throws `NoScenario` if a pattern with wildcards matches nothing.
 */
export async function filesOf(patterns: readonly string[]): Promise<readonly string[]> {
  const found = await Promise.all(patterns.map(filesOfOne))
  const unmatched = patterns.filter((_pattern, index) => found[index]?.length === 0)
  if (unmatched.length > 0) throw new NoScenario(unmatched)
  return withoutRepeats(found.flat())
}

/** Returns the paths without those that name a file again: `./a.json5` is `a.json5`, and on Windows `b\a` is `b/a`. */
function withoutRepeats(paths: readonly string[]): readonly string[] {
  const named = new Map<string, string>()
  for (const path of paths) {
    const place = resolve(path)
    if (!named.has(place)) named.set(place, path)
  }
  return [...named.values()]
}

async function filesOfOne(pattern: string): Promise<readonly string[]> {
  const { text, isAbsolute, fixed } = patternOf(pattern)
  const isFile = await stat(pattern).then(
    (found) => found.isFile(),
    () => false,
  )
  if (isFile || !isDynamicPattern(text)) return [pattern]
  const paths = await glob(text, {
    absolute: isAbsolute,
    expandDirectories: false,
    ignore: '**/node_modules/**',
  })
  return paths
    .filter(
      (path) =>
        !path
          .split('/')
          .slice(fixed)
          .some((piece) => piece.startsWith('_')),
    )
    .toSorted()
}

/** A pattern matches no file. */
export class NoScenario extends SimError {
  constructor(patterns: readonly string[]) {
    super('NO_SCENARIO', `no scenario file matches ${patterns.join(' or ')}`, {
      hint: "Give files like scenarios/slow-node.json5, or patterns like 'scenarios/**/*.json5'.",
    })
  }
}
