/** Checks the names of faults and steps that steps and rules use. */
import { nearest } from '../data/nearest.ts'
import type { Closure } from './closure.ts'
import type { Diagnostic } from './diagnostic.ts'
import type { Path } from './source.ts'

type Reference = { readonly kind: 'fault' | 'step'; readonly name: string; readonly path: Path }

/** Returns a problem for every unknown fault or step name, and for every duplicate step id. */
export function referenceProblems(entry: string, { file, faults, source }: Closure): readonly Diagnostic[] {
  const { steps = [], rules = [], finally: last = [] } = file ?? {}
  const ids = steps.map(({ id }, index) => id ?? `step-${index + 1}`)
  const parts = { steps, rules, finally: last }
  const known = { fault: [...faults.keys(), ...inlineNames(parts)], step: ids }
  const at = (path: Path) => ({ file: entry, ...source.placeOf(path) })
  const missing = referencesIn(parts, [])
    .filter(({ kind, name }) => name !== '*' && !known[kind].includes(name))
    .map(({ kind, name, path }): Diagnostic => {
      const near = nearest(name, known[kind])
      const declare = kind === 'fault' ? 'Declare it under "faults".' : 'Give a step this id.'
      return {
        ...at(path),
        code: kind === 'fault' ? 'SC2003' : 'SC2004',
        message: `no ${kind} is called "${name}"`,
        hint: near === undefined ? declare : `Did you mean "${near}"?`,
      }
    })
  const twice = ids.flatMap((id, index): Diagnostic[] =>
    ids.indexOf(id) === index
      ? []
      : [
          {
            ...at(['steps', index]),
            code: 'SC2005',
            message: `two steps are called "${id}"`,
            hint: 'Give one of them another id.',
          },
        ],
  )
  return [...missing, ...twice]
}

/** Returns the `fault`, `clearFault`, `since` and `step` references at any depth. */
function referencesIn(value: unknown, path: Path): readonly Reference[] {
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return []
  const own = Array.isArray(value) ? [] : ownReferences(value, path)
  // Call parameters and inline faults have keys of their own.
  const below = Object.entries(value).filter(([key]) => key !== 'params' && key !== 'inline' && key !== 'equals')
  return [
    ...own,
    ...below.flatMap(([key, one]) => referencesIn(one, [...path, Array.isArray(value) ? Number(key) : key])),
  ]
}

function ownReferences(value: object, path: Path): readonly Reference[] {
  const { fault, clearFault, since, step } = value as Readonly<Record<string, unknown>>
  const used = typeof fault === 'object' && fault !== null && 'use' in fault ? fault.use : fault
  const named = (kind: Reference['kind'], name: unknown): readonly Reference[] =>
    typeof name === 'string' ? [{ kind, name, path }] : []
  return [...named('fault', used), ...named('fault', clearFault), ...named('step', since), ...named('step', step)]
}

/** Names of the faults that `app`, `node` and similar actions use internally. */
const nodeFaults = ['app-slow', 'node-behind', 'node-index', 'node-listen', 'node-process']

/** Returns the names of inline faults. */
function inlineNames(value: unknown): readonly string[] {
  if (typeof value !== 'object' || value === null) return []
  const own = 'inline' in value ? ['as' in value && typeof value.as === 'string' ? value.as : 'inline'] : []
  return [...nodeFaults, ...own, ...Object.values(value).flatMap(inlineNames)]
}
