import { nearest } from '../data/nearest.ts'
import type { Closure } from './closure.ts'
import type { Diagnostic } from './diagnostic.ts'
import type { Cast } from './fixtures/cast.ts'
import type { Path } from './source.ts'

/** Names of the keys that profiles define. */
const ofProfiles = /^@(?:(?:account|dev|validator)\d+|mykey)$/

/**
 * Returns a problem for every unknown `@name` in steps and rules. Known are the accounts, groups
 * and contracts of fixtures, the keys of profiles, and contracts that steps deploy.
 */
export function accountProblems(
  entry: string,
  { file, source }: Closure,
  { accounts, groups, contracts }: Cast,
): readonly Diagnostic[] {
  const { steps = [], rules = [], finally: last = [] } = file ?? {}
  const known = new Set(
    [...accounts.keys(), ...groups.keys(), ...contracts.keys(), ...namedIn({ steps, rules, finally: last })].map(
      (name) => `@${name}`,
    ),
  )
  return mentioned({ steps, rules, finally: last }, [])
    .filter(({ text }) => !known.has(text) && !ofProfiles.test(text))
    .map(({ text, path }) => {
      const near = nearest(text, [...known, ...Array.from({ length: 10 }, (_, index) => `@account${index}`)])
      return {
        file: entry,
        ...source.placeOf(path),
        code: 'SC2003',
        message: `no account or contract is called "${text}"`,
        hint: near === undefined ? 'Declare it under "fixtures".' : `Did you mean "${near}"?`,
      }
    })
}

/** Returns the names that `as` gives to transactions and contracts of steps. */
function namedIn(value: unknown): readonly string[] {
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return []
  const own = 'as' in value && typeof value.as === 'string' ? [value.as] : []
  const late = 'json' in value && typeof value.json === 'string' ? namedIn(JSON.parse(value.json)) : []
  return [...own, ...late, ...Object.values(value).flatMap(namedIn)]
}

type Mention = { readonly text: string; readonly path: Path }

/** Keys whose values are free text, which may start with `@`. */
const ofPeople = new Set(['log', 'label', 'reason', 'memo', 'message', 'set', 'setPhase', 'body', 'inline', 'effect'])

function mentioned(value: unknown, path: Path): readonly Mention[] {
  if (typeof value === 'string') return /^@[A-Za-z_][\w.-]*$/.test(value) ? [{ text: value, path }] : []
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return []
  return Object.entries(value)
    .filter(([key]) => !ofPeople.has(key))
    .flatMap(([key, one]) => mentioned(one, [...path, Array.isArray(value) ? Number(key) : key]))
}
