/** Names that steps and rules use and nothing declares. */
import { nearest } from '../data/nearest.ts'
import type { Closure } from './closure.ts'
import type { Diagnostic } from './diagnostic.ts'
import type { Path } from './source.ts'

type Reference = { readonly kind: 'fault' | 'step'; readonly name: string; readonly path: Path }

/**
 * Returns a problem for every name of a fault or step that there is not, and for ids that stand
 * twice.
 */
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

/** Finds `fault`, `clearFault`, `since` and `step` wherever they stand. */
function referencesIn(value: unknown, path: Path): readonly Reference[] {
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return []
  const own = Array.isArray(value) ? [] : ownReferences(value, path)
  // What is sent or matched has keys of its own.
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

/** Faults that actions of other names are carried out with. */
const nodeFaults = ['app-slow', 'node-behind', 'node-index', 'node-listen', 'node-process']

/** Names that faults written in place are given. */
function inlineNames(value: unknown): readonly string[] {
  if (typeof value !== 'object' || value === null) return []
  const own = 'inline' in value ? ['as' in value && typeof value.as === 'string' ? value.as : 'inline'] : []
  return [...nodeFaults, ...own, ...Object.values(value).flatMap(inlineNames)]
}
