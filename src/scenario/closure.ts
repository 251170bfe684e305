/**
 * A scenario with everything it imports, as one: names worked out, keys checked, who declares what.
 */
import { membersOf } from '../data/members.ts'
import type { z } from 'zod'
import type { Diagnostic } from './diagnostic.ts'
import type { Names } from './expression.ts'
import { fixtures as fixturesSchema, type FixturesFile } from './fixtures/fixtureSchema.ts'
import { withLateActions } from './lateAction.ts'
import { importsIn, type Import } from './imports.ts'
import { parsed } from './parsed.ts'
import { schemaProblems } from './problems.ts'
import { part, scenario, type FaultFile, type ScenarioFile } from './schema.ts'
import { readSource, type Path, type Source } from './source.ts'
import { substitute, type Substituting } from './substitute.ts'
import { advice, givenVars, prefixed, varsOf, type Files } from './vars.ts'

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
  /** Constants of the entry. */
  readonly names: Names
  readonly faults: ReadonlyMap<string, Declared<FaultFile>>
  /** What every file says of fixtures, parts first. */
  readonly fixtures: readonly FixtureBlock[]
  /** The entry first, each file once. */
  readonly paths: readonly string[]
  readonly problems: readonly Diagnostic[]
}

/** A file of the closure; what it declares is known elsewhere under `prefix`. */
export type Member = {
  readonly file: string
  readonly source: Source
  readonly names: Names
  readonly prefix: string
  readonly isFinal: boolean
}

export type FixtureBlock = Member & { readonly fixtures: FixturesFile }

/** `namesOf` are the names that fixtures give to the rest of the files. */
export type Loading = {
  readonly vars: ReadonlyMap<string, string>
  readonly namesOf: (blocks: readonly FixtureBlock[]) => Names
  readonly functions?: Substituting['functions']
}

/** Returns the entry with its parts. `vars` are values for vars that it declares, as texts. */
export function loadClosure(files: Files, entry: string, { vars, namesOf, functions }: Loading): Closure {
  const source = readSource(entry, files.get(entry) ?? '')
  const given = givenVars(files, entry, vars)
  const own: Member = {
    file: entry,
    source,
    prefix: '',
    isFinal: true,
    names: prefixed('vars', varsOf(files, entry, { given: given.values, trail: [] })),
  }
  const parts: Parts = { members: [], seen: new Set(), problems: [] }
  readParts(files, own, { trail: [entry], parts })
  const fixtures = [...parts.members, own].flatMap((member) => fixturesIn(member, functions))
  const more = { names: namesOf(fixtures), functions }
  const checkedParts = parts.members.map((member) => ({ member, ...checked(part, member, more) }))
  const { data, problems } = checked(scenario, own, more)
  const faults = new Map<string, Declared<FaultFile>>()
  const twice: Diagnostic[] = []
  for (const { member, data: partData } of checkedParts) {
    for (const [name, fault] of faultsIn(member, partData?.faults)) {
      const other = faults.get(name)
      if (other !== undefined && !member.isFinal) twice.push(declaredTwice(name, fault, other))
      faults.set(name, fault)
    }
  }
  for (const [name, fault] of faultsIn(own, data?.faults)) faults.set(name, fault)
  return {
    file: data,
    source,
    faults,
    fixtures,
    names: own.names,
    paths: [...new Set([entry, ...parts.members.map(({ file }) => file)])],
    problems: [
      ...problems,
      ...given.problems,
      ...parts.problems,
      ...twice,
      ...checkedParts.flatMap((one) => one.problems),
    ],
  }
}

function declaredTwice(name: string, { file, source, path }: Declared<unknown>, other: Declared<unknown>): Diagnostic {
  return {
    file,
    ...source.placeOf(path, 'key'),
    code: 'SC2004',
    message: `${other.file} declares the fault "${name}" too`,
    hint: 'Import one of them with { from, as }, or with override: true.',
  }
}

function faultsIn(
  { file, source, prefix }: Member,
  faults: Readonly<Record<string, FaultFile>> | undefined,
): readonly (readonly [string, Declared<FaultFile>])[] {
  return Object.entries(faults ?? {}).map(([name, value]) => [
    `${prefix}${name}`,
    { value, file, source, path: ['faults', name] },
  ])
}

/**
 * Fixtures give names to all that follows, so they are read first; what is wrong with them is told
 * later.
 */
function fixturesIn(member: Member, functions: Loading['functions']): readonly FixtureBlock[] {
  const { fixtures: said } = membersOf(substitute(member.file, member.source, { ...member, functions }).value)
  if (said === undefined) return []
  const result = fixturesSchema.safeParse(said)
  const sound = result.success ? result : fixturesSchema.safeParse(withoutBad(said, result.error.issues))
  return sound.success ? [{ ...member, fixtures: sound.data }] : []
}

/**
 * What is wrong with one of them is told by the schema: the names of the others are known all the
 * same.
 */
function withoutBad(said: unknown, issues: readonly z.core.$ZodIssue[]): unknown {
  const kinds = { ...membersOf(said) }
  for (const {
    path: [kind, name],
  } of issues) {
    const named = String(kind)
    const { [String(name)]: _, ...rest } = membersOf(kinds[named])
    const list = kinds[named]
    if (Array.isArray(list))
      kinds[named] = list.filter((_one, at) => !issues.some(({ path }) => path[0] === kind && path[1] === at))
    else if (name === undefined || named === 'history' || named === 'faker') delete kinds[named]
    else kinds[named] = named === 'accounts' ? { ...rest, [String(name)]: {} } : rest
  }
  return kinds
}

/** Returns what a schema makes of a file, and what is wrong with it; nothing is told twice. */
function checked<Shape extends z.ZodType>(
  shape: Shape,
  { file, source, names }: Member,
  more: Substituting,
): { readonly data: z.output<Shape> | undefined; readonly problems: readonly Diagnostic[] } {
  const worked = substitute(file, source, { names: new Map([...names, ...more.names]), functions: more.functions })
  const before = [...source.problems, ...worked.problems]
  if (source.value === undefined) return { data: undefined, problems: before }
  const { value, issues } = withLateActions(worked.value)
  const result = parsed(shape, value, source.value)
  const all = [...(result.error?.issues ?? []), ...issues]
  const isNew = ({ line, column }: Diagnostic) =>
    !before.some((other) => other.line === line && other.column === column)
  const found = schemaProblems(file, source, all).filter(isNew)
  return { data: all.length === 0 ? result.data : undefined, problems: [...before, ...found] }
}

type Refuse = (code: string, message: string, hint: string) => void

type Parts = {
  readonly members: Member[]
  /** Path and namespace of what was read: what two files import is read once. */
  readonly seen: Set<string>
  readonly problems: Diagnostic[]
}

/** Gathers what a file imports, depth first; `trail` are the files on the way here. */
function readParts(files: Files, from: Member, { trail, parts }: { trail: readonly string[]; parts: Parts }): void {
  for (const one of importsIn(from.file, from.source)) {
    const refuse: Refuse = (code, message, hint) => {
      const place = from.source.placeOf(['imports', one.index])
      parts.problems.push({ file: from.file, ...place, code, message, hint })
    }
    if (trail.includes(one.path)) {
      refuse('SC2002', `imports go in a circle: ${[...trail, one.path].join(' → ')}`, 'Remove one of the imports.')
    } else if (!files.has(one.path)) {
      refuse('SC2001', `the import ${one.path} cannot be read`, 'Paths are relative to this file.')
    } else {
      const member = memberOf(files, one, { from, refuse })
      const key = JSON.stringify([member.file, member.prefix])
      if (parts.seen.has(key)) continue
      parts.seen.add(key)
      readParts(files, member, { trail: [...trail, one.path], parts })
      parts.members.push(member)
    }
  }
}

function memberOf(
  files: Files,
  { path, as, values, override }: Import,
  {
    from,
    refuse,
  }: {
    from: Member
    refuse: Refuse
  },
): Member {
  const vars = varsOf(files, path, { given: values, trail: [] })
  for (const name of [...values.keys()].filter((one) => !vars.has(one))) {
    refuse('SC2005', `${path} declares no var "${name}"`, advice(name, vars.keys(), 'Declare it there.'))
  }
  const own = prefixed('vars', vars)
  return {
    file: path,
    source: readSource(path, files.get(path) ?? ''),
    isFinal: override,
    prefix: as === undefined ? from.prefix : `${from.prefix}${as}.`,
    names: as === undefined ? new Map([...own, ...from.names]) : own,
  }
}
