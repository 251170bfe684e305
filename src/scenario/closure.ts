/** A scenario with everything it imports, as one: names worked out, keys checked, who declares what. */
import type { z } from 'zod'
import { nearest } from '../data/nearest.ts'
import type { Diagnostic } from './diagnostic.ts'
import type { Names, Scalar } from './expression.ts'
import { importsIn, ownVars, valueLike, type Import } from './imports.ts'
import { schemaProblems } from './problems.ts'
import { part, scenario, type FaultFile, type ScenarioFile } from './schema.ts'
import { readSource, type Path, type Source } from './source.ts'
import { substitute } from './substitute.ts'

type Files = ReadonlyMap<string, string>

/** Something with a name; `file` and `path` say where it stands. */
export type Declared<Value> = {
  readonly value: Value
  readonly file: string
  readonly source: Source
  readonly path: Path
}

export type Closure = {
  /** The entry, where its keys are sound. */
  readonly file: ScenarioFile | undefined
  readonly source: Source
  readonly names: Names
  readonly faults: ReadonlyMap<string, Declared<FaultFile>>
  /** The entry first, each file once. */
  readonly paths: readonly string[]
  readonly problems: readonly Diagnostic[]
}

/** Returns the entry with its parts. `vars` are values for vars that it declares, as texts. */
export function loadClosure(files: Files, entry: string, vars: ReadonlyMap<string, string>): Closure {
  const source = readSource(entry, files.get(entry) ?? '')
  const given = givenVars(files, entry, vars)
  const names = prefixed('vars', varsOf(files, entry, { given: given.values, trail: [] }))
  const own = checked(scenario, entry, { source, names })
  const parts: Parts = { faults: new Map(), seen: new Set(), paths: [], problems: [] }
  readParts(files, entry, { scope: { names, prefix: '', trail: [entry] }, parts })
  const faults = new Map([...parts.faults, ...declaredIn(entry, source, { values: own.data?.faults, prefix: '' })])
  return {
    file: own.data, source, names, faults, paths: [...new Set([entry, ...parts.paths])],
    problems: [...own.problems, ...given.problems, ...parts.problems],
  }
}

type Checking = { readonly source: Source; readonly names: Names }

/** Returns what a schema makes of a file, and what is wrong with it; nothing is told twice. */
function checked<Shape extends z.ZodType>(
  shape: Shape, file: string, { source, names }: Checking,
): { readonly data: z.output<Shape> | undefined; readonly problems: readonly Diagnostic[] } {
  const worked = substitute(file, source, names)
  const before = [...source.problems, ...worked.problems]
  if (source.value === undefined) return { data: undefined, problems: before }
  const result = shape.safeParse(worked.value)
  if (result.success) return { data: result.data, problems: before }
  const isNew = ({ line, column }: Diagnostic) =>
    !before.some((other) => other.line === line && other.column === column)
  const found = schemaProblems(file, source, result.error.issues).filter(isNew)
  return { data: undefined, problems: [...before, ...found] }
}

type Given = { readonly given: ReadonlyMap<string, Scalar>; readonly trail: readonly string[] }

/** Returns the constants of a file and of what it imports by name; the importing file's win, then those given. */
function varsOf(files: Files, file: string, { given, trail }: Given): ReadonlyMap<string, Scalar> {
  const text = files.get(file)
  if (text === undefined || trail.includes(file)) return new Map()
  const source = readSource(file, text)
  const below = importsIn(file, source).flatMap(({ path, as, values }) => {
    const found = varsOf(files, path, { given: values, trail: [...trail, file] })
    return [...(as === undefined ? found : prefixed(as, found))]
  })
  const own = [...ownVars(source)].map(([name, value]) => [name.slice('vars.'.length), value] as const)
  const all = new Map([...below, ...own])
  return new Map([...all].map(([name, value]) => [name, given.get(name) ?? value]))
}

function prefixed<Value>(prefix: string, names: ReadonlyMap<string, Value>): ReadonlyMap<string, Value> {
  return new Map([...names].map(([name, value]) => [`${prefix}.${name}`, value]))
}

/** Reads the values of the command line; only what is declared can be given. */
function givenVars(files: Files, entry: string, vars: ReadonlyMap<string, string>) {
  const declared = varsOf(files, entry, { given: new Map(), trail: [] })
  const values = new Map<string, Scalar>()
  const problems: Diagnostic[] = []
  for (const [name, text] of vars) {
    const like = declared.get(name)
    const value = like === undefined ? undefined : valueLike(like, text)
    if (value !== undefined) values.set(name, value)
    else problems.push({ file: entry, line: 1, column: 1, code: 'SC2006', ...whyNot(name, text, { like, declared }) })
  }
  return { values, problems }
}

type Wanted = { readonly like: Scalar | undefined; readonly declared: ReadonlyMap<string, Scalar> }

function whyNot(name: string, text: string, { like, declared }: Wanted): Pick<Diagnostic, 'message' | 'hint'> {
  if (like !== undefined) {
    const kind = typeof like === 'bigint' ? 'an integer' : 'true or false'
    return { message: `the var "${name}" is ${kind}, received "${text}"`, hint: undefined }
  }
  return { message: `no var is called "${name}"`, hint: advice(name, declared.keys(), 'Declare it under "vars".') }
}

function declaredIn<Value>(
  file: string, source: Source,
  { values, prefix }: { values: Readonly<Record<string, Value>> | undefined; prefix: string },
): readonly (readonly [string, Declared<Value>])[] {
  return Object.entries(values ?? {}).map(([name, value]) =>
    [`${prefix}${name}`, { value, file, source, path: ['faults', name] }])
}

type Scope = { readonly names: Names; readonly prefix: string; readonly trail: readonly string[] }

type Refuse = (code: string, message: string, hint: string) => void

type Parts = {
  readonly faults: Map<string, Declared<FaultFile>>
  /** Path and namespace of what was read: what two files import is read once. */
  readonly seen: Set<string>
  readonly paths: string[]
  readonly problems: Diagnostic[]
}

/** Gathers what the imports of a file declare, depth first; `trail` are the files on the way here. */
function readParts(files: Files, from: string, { scope, parts }: { scope: Scope; parts: Parts }): void {
  const source = readSource(from, files.get(from) ?? '')
  for (const one of importsIn(from, source)) {
    const refuse: Refuse = (code, message, hint) => {
      parts.problems.push({ file: from, ...source.placeOf(['imports', one.index]), code, message, hint })
    }
    if (scope.trail.includes(one.path)) {
      const circle = [...scope.trail, one.path].join(' → ')
      refuse('SC2002', `imports go in a circle: ${circle}`, 'Remove one of the imports.')
    } else if (!files.has(one.path)) {
      refuse('SC2001', `the import ${one.path} cannot be read`, 'Paths are relative to this file.')
    } else readPart(files, one, { scope, parts, refuse })
  }
}

function readPart(
  files: Files, { path, as, values, override }: Import,
  { scope, parts, refuse }: { scope: Scope; parts: Parts; refuse: Refuse },
): void {
  const prefix = as === undefined ? scope.prefix : `${scope.prefix}${as}.`
  const key = JSON.stringify([path, prefix])
  if (parts.seen.has(key)) return
  parts.seen.add(key)
  const vars = varsOf(files, path, { given: values, trail: [] })
  for (const name of [...values.keys()].filter((one) => !vars.has(one))) {
    refuse('SC2005', `${path} declares no var "${name}"`, advice(name, vars.keys(), 'Declare it there.'))
  }
  const own = prefixed('vars', vars)
  const names = as === undefined ? new Map([...own, ...scope.names]) : own
  const source = readSource(path, files.get(path) ?? '')
  const { data, problems } = checked(part, path, { source, names })
  readParts(files, path, { scope: { names, prefix, trail: [...scope.trail, path] }, parts })
  for (const [name, fault] of declaredIn(path, source, { values: data?.faults, prefix })) {
    const other = parts.faults.get(name)
    if (other !== undefined && !override) {
      refuse('SC2004', `${path} and ${other.file} both declare the fault "${name}"`,
        'Import one of them with { from, as }, or with override: true.')
    }
    parts.faults.set(name, fault)
  }
  parts.paths.push(path)
  parts.problems.push(...problems)
}

function advice(name: string, known: Iterable<string>, otherwise: string): string {
  const near = nearest(name, known)
  return near === undefined ? otherwise : `Did you mean "${near}"?`
}
