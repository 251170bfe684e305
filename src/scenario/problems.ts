/** Converts schema issues to diagnostics with a position and the nearest known name. */
import { z } from 'zod'
import { nearest } from '../data/nearest.ts'
import type { Diagnostic } from './diagnostic.ts'
import { receivedText } from './issueText.ts'
import { valueIn } from './jsonPath.ts'
import { scenario } from './schema.ts'
import { lateKey } from './shapes.ts'
import type { Path, ScenarioSource } from './source.ts'

type Issue = z.core.$ZodIssue

/** Returns a diagnostic for every issue. */
export function schemaProblems(file: string, source: ScenarioSource, issues: readonly Issue[]): readonly Diagnostic[] {
  return problemsIn(issues, { at: [], whole: 'the file', value: source.value }).map(({ path, isKey, ...problem }) => ({
    file,
    ...source.placeOf(path, isKey ? 'key' : 'value'),
    ...problem,
  }))
}

type Problem = Pick<Diagnostic, 'code' | 'message' | 'hint'> & { readonly path: Path; readonly isKey: boolean }

/** The path of a value in a scenario file, the name of the value in messages, and the value itself. */
type Part = { readonly at: Path; readonly whole: string; readonly value: unknown }

/** Returns the problems of a part of a scenario, with paths in that part. */
export function problemsIn(issues: readonly Issue[], part: Part): readonly Problem[] {
  const all = issues.flatMap((issue) => innermostOf(issue))
  const misspelt = new Set(
    all.filter(({ issue }) => issue.code === 'unrecognized_keys').map(({ path }) => path.join('\n')),
  )
  return all.filter((one) => !followsFromKey(one, misspelt, part.value)).flatMap((one) => problemsOf(one, part))
}

/** Returns whether an issue is only that an object with an unknown key breaks a rule or lacks a key. */
function followsFromKey({ issue, path }: Located, misspelt: ReadonlySet<string>, value: unknown): boolean {
  const of = issue.code === 'custom' ? path : isMissing(issue, valueIn(value, path)) ? path.slice(0, -1) : undefined
  return of !== undefined && misspelt.has(of.join('\n'))
}

function isMissing({ code }: Issue, received: unknown): boolean {
  return code === 'invalid_type' && received === undefined
}

type Located = { readonly issue: Issue; readonly path: Path }

/**
 * Returns the most helpful issue and its path. In a union, this is the branch that the value comes
 * closest to.
 */
export function innermost(issue: Issue): Located {
  return innermostOf(issue)[0] ?? { issue, path: issue.path as Path }
}

/** Returns all issues of that branch. */
function innermostOf(issue: Issue, prefix: Path = []): readonly Located[] {
  const path = [...prefix, ...(issue.path as Path)]
  if (issue.code !== 'invalid_union') return [{ issue, path }]
  const [kind, ...kinds] = issue.errors.flatMap(([first]) => (first !== undefined && isOtherKind(first) ? [first] : []))
  if (kind !== undefined && kinds.length === issue.errors.length - 1)
    return [{ issue: ofEither([kind, ...kinds]), path }]
  const [closest = []] = issue.errors.toSorted((a, b) => distance(a) - distance(b))
  return closest.length === 0 ? [{ issue, path }] : closest.flatMap((one) => innermostOf(one, path))
}

function isOtherKind({ code, path }: Issue): boolean {
  return code === 'invalid_type' && path.length === 0
}

/** Returns the issue of a value that has none of the kinds: `expected a list or an object`. */
function ofEither(kinds: readonly [Issue, ...Issue[]]): Issue {
  const texts = new Set(kinds.map(({ message }) => message.replace(/^expected |, received .*$/g, '')))
  return { ...kinds[0], message: `expected ${[...texts].join(' or ')}` }
}

/**
 * Returns how far a value is from a branch. Each issue adds distance. A wrong type adds most; a key that the
 * branch does not have adds more than an issue inside the value of a key that it has.
 */
function distance(branch: readonly Issue[]): number {
  const unknown = branch.flatMap((issue) =>
    issue.code === 'unrecognized_keys' && issue.path.length === 0 ? issue.keys : [],
  )
  return branch.length * 4 + unknown.length * 20 + (branch[0] !== undefined && isOtherKind(branch[0]) ? 100 : 0)
}

function problemsOf({ issue, path }: Located, { at, whole, value }: Part): readonly Problem[] {
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({
      path: [...path, key],
      isKey: true,
      code: 'SC1010',
      message: `unknown key "${key}"`,
      hint: keyHint(key, [...at, ...path]),
    }))
  }
  const received = valueIn(value, path)
  const missing = isMissing(issue, received)
  const message = missing
    ? `"${String(path.at(-1) ?? whole)}" is missing`
    : `${path.join('.') || whole}: ${withReceived(issue.message, received)}`
  return [
    {
      path,
      isKey: false,
      code: missing ? 'SC1011' : 'SC1012',
      message,
      hint: kindHint(issue, received, [...at, ...path]),
    },
  ]
}

/**
 * Returns the hint for a value of another kind: for a number in quotes how to write it, and where an object can be
 * its keys. A module is read as JSON, in which a bigint is such a text.
 */
function kindHint(issue: Issue, received: unknown, path: Path): string | undefined {
  if (issue.code !== 'invalid_type' || received === undefined) return undefined
  const isNumber =
    ['number', 'int'].includes(issue.expected) && typeof received === 'string' && /^-?\d+$/.test(received)
  return isNumber ? `Write ${received} without quotes; in JavaScript, not ${received}n.` : listed(knownKeys(path).here)
}

function withReceived(message: string, value: unknown): string {
  return !message.startsWith('expected ') || message.includes(' received ')
    ? message
    : `${message}, ${receivedText(value)}`
}

type JsonSchema = z.core.JSONSchema.JSONSchema

let known: { readonly schema: JsonSchema; readonly keys: readonly string[] } | undefined

/** Returns all keys of the format, and those of the object at a path. */
function knownKeys(path: Path): { readonly keys: readonly string[]; readonly here: readonly string[] } {
  if (known === undefined) {
    const schema = z.toJSONSchema(scenario, { io: 'input', unrepresentable: 'any' })
    known = { schema, keys: [...new Set(keysIn(schema))] }
  }
  const { schema, keys } = known
  const { $defs = {} } = schema
  const places = path.reduce<readonly JsonSchema[]>(
    (at, piece) => at.flatMap((one) => below(one, piece)).flatMap((one) => ways(one, $defs)),
    ways(schema, $defs),
  )
  const here = new Set(places.flatMap(({ properties }) => Object.keys(properties ?? {})))
  here.delete(lateKey)
  return { keys, here: [...here] }
}

/** Maximum number of keys that a hint lists. */
const listedMost = 40

/** Returns the hint that lists the keys of a place, or undefined if there are none or too many. */
function listed(keys: readonly string[]): string | undefined {
  return keys.length > 0 && keys.length <= listedMost ? `Keys of this place: ${keys.join(', ')}.` : undefined
}

/** Returns a hint for an unknown key: the key that was probably meant, or the keys of its place. */
function keyHint(key: string, path: Path): string | undefined {
  const { keys, here } = knownKeys(path)
  // The keys of the root are those of a scenario, of which a part has only some.
  const isOfScenarios = path.length === 0 && here.includes(key)
  if (!isOfScenarios) {
    if (here.includes(key)) return 'This key exists here, but not beside the other keys.'
    const near = nearest(key, here)
    const hint = near === undefined ? listed(here) : `Did you mean "${near}"?`
    if (hint !== undefined) return hint
  }
  if (keys.includes(key)) return 'This key exists, but not at this place.'
  const other = nearest(key, keys)
  return other === undefined ? undefined : `Did you mean "${other}"?`
}

type Definitions = NonNullable<JsonSchema['$defs']>

/** Returns the schemas of a value: the schema itself, what it refers to, and all branches of its unions. */
function ways(schema: JsonSchema, definitions: Definitions): readonly JsonSchema[] {
  const { $ref = '', anyOf = [], allOf = [] } = schema
  const referred = definitions[$ref.replace('#/$defs/', '')]
  const branches = [...(referred === undefined ? [] : [referred]), ...anyOf, ...allOf]
  return [schema, ...branches.flatMap((one) => ways(one, definitions))]
}

function below({ properties, items, additionalProperties }: JsonSchema, piece: Path[number]): readonly JsonSchema[] {
  const next = [properties?.[String(piece)], typeof piece === 'number' ? items : undefined, additionalProperties]
  return next.flatMap((one) => (typeof one === 'object' && !Array.isArray(one) ? [one] : []))
}

function keysIn(schema: unknown): readonly string[] {
  if (typeof schema !== 'object' || schema === null) return []
  const { properties } = schema as { properties?: object }
  return [...Object.keys(properties ?? {}), ...Object.values(schema).flatMap(keysIn)]
}
