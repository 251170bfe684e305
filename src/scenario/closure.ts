/**
 * A closure: a scenario merged with its imports. Names are resolved, keys checked, and declarations
 * traced to their files.
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
import type { FaultFile } from './faultSchema.ts'
import { part, scenario, type ScenarioFile } from './schema.ts'
import { readSource, type Path, type ScenarioSource } from './source.ts'
import { substitute, type Substituting } from './substitute.ts'
import { advice, givenVars, prefixed, scenarioVars, type Files } from './vars.ts'

/** A named declaration; `file` and `path` give its position. */
export type Declared<Value> = {
  readonly value: Value
  readonly file: string
  readonly source: ScenarioSource
  readonly path: Path
}

export type Closure = {
  /** The main file, unless its keys are invalid. */
  readonly file: ScenarioFile | undefined
  readonly source: ScenarioSource
  /** Constants of the main file. */
  readonly names: Names
  readonly faults: ReadonlyMap<string, Declared<FaultFile>>
  /** The fixtures of all files, imported parts first. */
  readonly fixtures: readonly FixtureBlock[]
  /** All files without duplicates, the main file first. */
  readonly paths: readonly string[]
  readonly problems: readonly Diagnostic[]
  /** Whether all parts were read. Without one of them, the names that it declares are not known. */
  readonly hasAllParts: boolean
}

/** A file of the closure; other files see its declarations under `prefix`. */
export type Member = {
  readonly file: string
  readonly source: ScenarioSource
  readonly names: Names
  readonly prefix: string
  readonly isFinal: boolean
}

export type FixtureBlock = Member & { readonly fixtures: FixturesFile }

/** `namesOf` returns the names that fixtures define for the other sections. */
export type Loading = {
  readonly vars: ReadonlyMap<string, string>
  readonly namesOf: (blocks: readonly FixtureBlock[]) => Names
  readonly functions?: Substituting['functions']
}

/**
 * Returns the main file merged with its parts. `vars` are values, as texts, for the vars that it
 * declares.
 */
export function loadClosure(files: Files, entry: string, { vars, namesOf, functions }: Loading): Closure {
  const source = readSource(entry, files.get(entry) ?? '')
  const given = givenVars(files, entry, vars)
  const own: Member = {
    file: entry,
    source,
    prefix: '',
    isFinal: true,
    names: prefixed('vars', scenarioVars(files, entry, { given: given.values, trail: [] })),
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
    hasAllParts: parts.problems.length === 0 && checkedParts.every((one) => one.data !== undefined),
  }
}

function declaredTwice(name: string, { file, source, path }: Declared<unknown>, other: Declared<unknown>): Diagnostic {
  return {
    file,
    ...source.placeOf(path, 'key'),
    code: 'SC2004',
    message: `${other.file} also declares the fault "${name}"`,
    hint: 'Import one of the files with { from, as } or override: true.',
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
 * Returns the fixtures of a file. They are read first, because other sections use their names;
 * problems in them are reported later.
 */
function fixturesIn(member: Member, functions: Loading['functions']): readonly FixtureBlock[] {
  const { fixtures: said } = membersOf(substitute(member.file, member.source, { ...member, functions }).value)
  if (said === undefined) return []
  const result = fixturesSchema.safeParse(said)
  const sound = result.success ? result : fixturesSchema.safeParse(withoutBad(said, result.error.issues))
  return sound.success ? [{ ...member, fixtures: sound.data }] : []
}

/**
 * Removes invalid fixtures, so that the names of valid ones are still known. The schema reports the
 * invalid ones.
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

/** Returns the parsed file and its problems, one per position. */
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
  /** Path and namespace of files already read; a file imported twice is read once. */
  readonly seen: Set<string>
  readonly problems: Diagnostic[]
}

/** Collects the imports of a file, depth first; `trail` lists the files that lead to it. */
function readParts(files: Files, from: Member, { trail, parts }: { trail: readonly string[]; parts: Parts }): void {
  for (const one of importsIn(from.file, from.source)) {
    const refuse: Refuse = (code, message, hint) => {
      const place = from.source.placeOf(['imports', one.index])
      parts.problems.push({ file: from.file, ...place, code, message, hint })
    }
    if (trail.includes(one.path)) {
      refuse('SC2002', `circular import: ${[...trail, one.path].join(' → ')}`, 'Remove one of these imports.')
    } else if (!files.has(one.path)) {
      refuse('SC2001', `cannot read the import ${one.path}`, 'Paths are relative to this file.')
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
  const source = readSource(path, files.get(path) ?? '')
  const vars = scenarioVars(files, path, { given: values, trail: [] })
  // The vars of a file that cannot be parsed are not known.
  const unknown = source.value === undefined ? [] : [...values.keys()].filter((one) => !vars.has(one))
  for (const name of unknown) {
    refuse('SC2005', `${path} declares no var "${name}"`, advice(name, vars.keys(), 'Declare it in that file.'))
  }
  const own = prefixed('vars', vars)
  return {
    file: path,
    source,
    isFinal: override,
    prefix: as === undefined ? from.prefix : `${from.prefix}${as}.`,
    names: as === undefined ? new Map([...own, ...from.names]) : own,
  }
}
