/** Turns what the schema says of a value into diagnostics with a place and the nearest known name. */
import type { z } from 'zod'
import { nearest } from '../data/nearest.ts'
import type { Diagnostic } from './diagnostic.ts'
import type { Path, Source } from './source.ts'

type Issue = z.core.$ZodIssue

/** Returns a diagnostic for every issue; `knownKeys` lists the keys of every object of the format. */
export function schemaProblems(
  file: string, source: Source, issues: readonly Issue[], knownKeys: readonly string[],
): readonly Diagnostic[] {
  return issues.flatMap((issue) => problemsOf(file, source, innermost(issue), knownKeys))
}

type Located = { readonly issue: Issue; readonly path: Path }

/** Of a failed union, the branch that came furthest is what the author meant. */
function innermost(issue: Issue, prefix: Path = []): Located {
  const path = [...prefix, ...(issue.path as Path)]
  if (issue.code !== 'invalid_union' || issue.errors.length === 0) return { issue, path }
  const branches = issue.errors.flatMap((branch) => branch.slice(0, 1)).map((first) => innermost(first, path))
  const best = branches.toSorted((a, b) => depth(b) - depth(a))[0]
  return best ?? { issue, path }
}

/** A wrong value deep inside says more than a key that does not belong. */
function depth({ issue, path }: Located): number {
  return path.length * 2 + (issue.code === 'unrecognized_keys' ? 0 : 1)
}

function problemsOf(
  file: string, source: Source, { issue, path }: Located, knownKeys: readonly string[],
): Diagnostic[] {
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => {
      const near = nearest(key, knownKeys)
      return {
        file, ...source.placeOf([...path, key], 'key'), code: 'SC1010', message: `unknown key "${key}"`,
        hint: near === undefined ? undefined : `Did you mean "${near}"?`,
      }
    })
  }
  const missing = issue.code === 'invalid_type' && issue.message.includes('received undefined')
  const name = String(path.at(-1) ?? 'the file')
  const message = missing ? `"${name}" is missing` : `${path.join('.') || 'the file'}: ${issue.message}`
  return [{ file, ...source.placeOf(path), code: missing ? 'SC1011' : 'SC1012', message, hint: undefined }]
}
