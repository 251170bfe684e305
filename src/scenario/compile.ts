/**
 * Makes a plan of a scenario and the files it imports: every name resolved, every unit turned into a
 * number, every problem found at once. Pure: the shell has read the files.
 */
import { canonicalJson } from '../data/canonicalJson.ts'
import { hexOf } from '../codec/hex.ts'
import { sha256 } from '../crypto/hash.ts'
import { nearest } from '../data/nearest.ts'
import type { Plan } from '../node/plan.ts'
import type { Settings } from '../settings/settings.ts'
import { InvalidScenario, type Diagnostic } from './diagnostic.ts'
import { compileFault } from './compileFault.ts'
import { compileAction } from './compileAction.ts'
import { compileRule, compileStep } from './compileStep.ts'
import { compileTrigger, countersIn } from './compileTrigger.ts'
import { schemaProblems } from './problems.ts'
import { actions, type ActionFile } from './actionSchema.ts'
import { part, scenario, type FaultFile, type ScenarioFile } from './schema.ts'
import type { Names } from './expression.ts'
import { readSource, type Source } from './source.ts'
import { substitute } from './substitute.ts'

/** `settings` are what the file says of chain and clock; `closure` are the files it was made of. */
export type Compiled = {
  readonly plan: Plan
  readonly settings: Partial<Settings>
  readonly closure: readonly string[]
}

/**
 * Returns the compiled scenario `entry`. `files` has the text of every file by path; imports are paths
 * relative to the file that names them. Throws `InvalidScenario` with every problem.
 */
export function compileScenario(files: ReadonlyMap<string, string>, entry: string): Compiled {
  const loaded = loadClosure(files, entry)
  const problems = [...loaded.problems, ...(loaded.file === undefined ? [] : referenceProblems(entry, loaded))]
  if (loaded.file === undefined || problems.length > 0) throw new InvalidScenario(problems, files)
  const { file, faults, closure } = loaded
  const seed = file.run?.seed ?? file.seed ?? entry.split('/').at(-1) ?? entry
  const steps = (file.steps ?? []).flatMap((step, index) => step.if === false ? [] : compileStep(step, index, {
    place: (path) => `${entry}:${loaded.source.placeOf(['steps', index, ...path]).line}`,
  }))
  const compiled = {
    name: file.name, description: file.description ?? '', seed,
    faults: [...faults].map(([name, fault]) => compileFault(name, fault)),
    steps, ...besideSteps(file, (path) => `${entry}:${loaded.source.placeOf(path).line}`),
    timeoutMs: file.run?.timeout ?? 24n * 3_600_000n,
    ...(file.run?.onMaskedFault && { onMaskedFault: file.run.onMaskedFault }),
  }
  const digest = hexOf(sha256(new TextEncoder().encode(canonicalJson(compiled))))
  return { plan: { ...compiled, counters: countersIn(compiled), digest }, settings: settingsOf(file, seed), closure }
}

type Beside = Pick<Plan, 'rules' | 'finally' | 'until' | 'strict'>

/** What a scenario has beside steps and faults. */
function besideSteps(file: ScenarioFile, placeOf: (path: readonly (string | number)[]) => string): Beside {
  const { rules = [], run } = file
  const compiled = rules.flatMap((rule, index) => rule.if === false ? [] : compileRule(rule, index, {
    place: (path) => placeOf(['rules', index, ...path]),
  }))
  return {
    ...(compiled.length > 0 && { rules: compiled }),
    ...(file.finally !== undefined && { finally: file.finally.map(compileAction) }),
    ...(run?.until !== undefined && { until: compileTrigger(run.until) }),
    ...(run?.strict === true && { strict: true }),
  }
}

/** Returns the imports of a file as paths, so that the shell knows what else to read. */
export function importsOf(file: string, text: string): readonly string[] {
  const value = readSource(file, text).value
  const imports = typeof value === 'object' && value !== null && 'imports' in value ? value.imports : []
  return Array.isArray(imports) ? imports.filter((one) => typeof one === 'string').map((one) => relative(file, one)) : []
}

type Loaded = {
  readonly file: ScenarioFile | undefined
  readonly source: Source
  readonly faults: ReadonlyMap<string, FaultFile>
  readonly closure: readonly string[]
  readonly problems: readonly Diagnostic[]
}

function loadClosure(files: ReadonlyMap<string, string>, entry: string): Loaded {
  const source = readSource(entry, files.get(entry) ?? '')
  const names = varsOf(files, entry, [])
  const worked = substitute(entry, source, names)
  const checked = scenario.safeParse(worked.value)
  const own = [
    ...source.problems, ...worked.problems,
    ...(checked.success || source.value === undefined ? []
      : schemaProblems(entry, source, checked.error.issues, knownKeys).filter(isNewTo([...source.problems, ...worked.problems]))),
  ]
  const parts = loadParts(files, { from: entry, names, trail: [entry] })
  const faults = new Map([...parts.faults, ...Object.entries(checked.data?.faults ?? {})])
  return { file: checked.data, source, faults, closure: [entry, ...parts.closure], problems: [...own, ...parts.problems] }
}

/** What follows from a problem at the same place is not told again. */
function isNewTo(problems: readonly Diagnostic[]): (one: Diagnostic) => boolean {
  return ({ line, column }) => !problems.some((other) => other.line === line && other.column === column)
}

/** Returns the constants of a file and of what it imports as `vars.NAME`; the importing file's win. */
function varsOf(files: ReadonlyMap<string, string>, file: string, trail: readonly string[]): Names {
  const text = files.get(file)
  if (text === undefined || trail.includes(file)) return new Map()
  const below = importsOf(file, text).flatMap((path) => [...varsOf(files, path, [...trail, file])])
  const given = part.shape.vars.safeParse(membersOf(readSource(file, text).value)['vars'])
  const own = Object.entries(given.data ?? {})
    .map(([name, value]) => [`vars.${name}`, typeof value === 'number' ? BigInt(value) : value] as const)
  return new Map([...below, ...own])
}

function membersOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {}
}

type Import = { readonly from: string; readonly names: Names; readonly trail: readonly string[] }

type Parts = { faults: (readonly [string, FaultFile])[]; closure: string[]; problems: Diagnostic[] }

/** Reads imported parts depth first; `trail` are the files on the way here, to find a cycle. */
function loadParts(files: ReadonlyMap<string, string>, { from, names, trail }: Import): Parts {
  const source = readSource(from, files.get(from) ?? '')
  const found: Parts = { faults: [], closure: [], problems: [] }
  importsOf(from, files.get(from) ?? '').forEach((path, index) => {
    const place = source.placeOf(['imports', index])
    const text = files.get(path)
    const refuse = (code: string, message: string, hint: string) =>
      found.problems.push({ file: from, ...place, code, message, hint })
    if (trail.includes(path)) return void refuse('SC2002', `imports go in a circle: ${[...trail, path].join(' → ')}`, 'Remove one of the imports.')
    if (text === undefined) return void refuse('SC2001', `the import ${path} cannot be read`, 'Paths are relative to this file.')
    const imported = readSource(path, text)
    const worked = substitute(path, imported, names)
    const checked = part.safeParse(worked.value)
    found.problems.push(...imported.problems, ...worked.problems)
    if (!checked.success && imported.value !== undefined) {
      found.problems.push(...schemaProblems(path, imported, checked.error.issues, knownKeys).filter(isNewTo([...imported.problems, ...worked.problems])))
    }
    const below = loadParts(files, { from: path, names, trail: [...trail, path] })
    found.faults.push(...below.faults, ...Object.entries(checked.data?.faults ?? {}))
    found.closure.push(path, ...below.closure)
    found.problems.push(...below.problems)
  })
  return found
}

/** Names that steps use and nothing declares. */
function referenceProblems(entry: string, { file, faults, source }: Loaded): readonly Diagnostic[] {
  return (file?.steps ?? []).flatMap((step, index) => [
    ...(step.do ?? []).flatMap((action, at) => unknownFault(usedFault(action), ['do', at])),
    ...(step.expect ?? []).flatMap((one, at) => unknownFault('fault' in one ? one.fault : undefined, ['expect', at])),
  ].map(({ name, path }) => {
    const near = nearest(name, faults.keys())
    return {
      file: entry, ...source.placeOf(['steps', index, ...path]), code: 'SC2003', message: `no fault is called "${name}"`,
      hint: near === undefined ? 'Declare it under "faults".' : `Did you mean "${near}"?`,
    }
  }))

  function unknownFault(name: string | undefined, path: readonly (string | number)[]) {
    return name === undefined || name === '*' || faults.has(name) ? [] : [{ name, path }]
  }
}

/** A fault without a declaration may be cleared by its own name. */
function usedFault({ fault, clearFault }: ActionFile): string | undefined {
  return fault === undefined ? clearFault : 'use' in fault ? fault.use : undefined
}

/** Every key the format knows, for "did you mean". */
const knownKeys: readonly string[] = [
  ...Object.keys(scenario.shape), ...Object.keys(actions),
  'pace', 'blocks', 'lazy', 'interval', 'time', 'blockTime', 'genesisTime', 'profile', 'chainId',
  'evmChainId', 'app', 'accounts', 'balance', 'validators', 'mnemonic', 'quirks', 'id', 'when', 'do',
  'expect', 'timeout', 'onFail', 'match', 'select', 'at', 'effect', 'cors', 'latency', 'http',
  'rpcError', 'hang', 'reset',
  'nullResult', 'mutate', 'drop', 'prunedBelow', 'remove', 'replace', 'empty', 'truncate', 'malformed', 'dribble', 'every', 'height', 'after', 'request', 'signal', 'method', 'params', 'iface',
  'transport', 'except', 'session', 'probability', 'rate', 'skip', 'count', 'within', 'applied',
]

function settingsOf(file: ScenarioFile, seed: string): Partial<Settings> {
  const { app, ...chain } = file.chain ?? {}
  const given = { ...chain, ...(app === undefined ? {} : { application: app }), ...file.app, ...file.clock, seed }
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
}

function relative(from: string, target: string): string {
  const parts = from.split('/').slice(0, -1)
  for (const piece of target.split('/')) {
    if (piece === '..') parts.pop()
    else if (piece !== '.' && piece !== '') parts.push(piece)
  }
  return parts.join('/')
}

