/**
 * Makes a plan of a scenario and the files it imports: every name resolved, every unit turned into a
 * number, every problem found at once. Pure: the shell has read the files.
 */
import { membersOf } from '../data/members.ts'
import { canonicalJson } from '../data/canonicalJson.ts'
import { hexOf } from '../codec/hex.ts'
import { sha256 } from '../crypto/hash.ts'
import type { Plan, PlanStep } from '../node/plan.ts'
import type { Settings } from '../settings/settings.ts'
import { parseTime } from '../codec/time.ts'
import { createRandom } from '../data/random.ts'
import { timeToMs } from '../data/time.ts'
import { profileSettings } from '../settings/profiles.ts'
import { withContracts } from './fixtures/contractCalls.ts'
import { castOf, namesOf, type Cast, type KeySource } from './fixtures/cast.ts'
import { compileFixtures, type Fake } from './fixtures/compileFixtures.ts'
import { artifactsOf } from './imports.ts'
import { readSource } from './source.ts'
import { InvalidScenario } from './diagnostic.ts'
import { drawingFunctions } from './expression.ts'
import { compileFault } from './compileFault.ts'
import { compileAction } from './compileAction.ts'
import { compileRule, compileStep } from './compileStep.ts'
import { compileTrigger, countersIn } from './compileTrigger.ts'
import { loadClosure } from './closure.ts'
import { lateNameProblems } from './lateNameProblems.ts'
import { referenceProblems } from './references.ts'
import type { ScenarioFile } from './schema.ts'

/** `settings` are what the file says of chain and clock; `closure` are the files it was made of. */
export type Compiled = {
  readonly plan: Plan
  readonly settings: Partial<Settings>
  readonly closure: readonly string[]
  readonly tags: readonly string[]
}

/**
 * What a run says beside the files: `vars` are values for vars that the scenario declares, as texts;
 * `seed` and `mnemonic` win over those of the file; `fake` is needed where a text says `faker`.
 */
export type Given = {
  readonly vars?: ReadonlyMap<string, string>
  readonly seed?: string | undefined
  readonly mnemonic?: string | undefined
  readonly fake?: Fake | undefined
  /** How long to go on, and when to give up, in place of what the file says. */
  readonly until?: Until | undefined
  readonly timeoutMs?: bigint | undefined
}

/** So long since the start, or so many blocks after the last step. */
export type Until = { readonly ms: bigint } | { readonly blocks: bigint }

const dayMs = 86_400_000n

/**
 * Returns the compiled scenario `entry`. `files` has the text of every file by path; imports are paths
 * relative to the file that names them. Throws `InvalidScenario` with every problem.
 */
export function compileScenario(
  files: ReadonlyMap<string, string>, entry: string, { vars = new Map(), fake, until, timeoutMs, ...given }: Given = {},
): Compiled {
  const start = startOf(files, entry, given)
  let cast: Cast = { accounts: new Map(), groups: new Map(), contracts: new Map(), artifacts: new Map() }
  const loaded = loadClosure(files, entry, {
    vars, functions: drawingFunctions((label, below) => start.random.below(`expression:${label}`, 0, below) as bigint),
    namesOf: (blocks) => { cast = castOf(blocks, start); return namesOf(cast) },
  })
  const { fixtures, problems: badFixtures } = compileFixtures(loaded.fixtures, { files, cast, fake, ...start })
  const spelled = loaded.file === undefined ? undefined
    : withContracts(loaded.file, { entry, files, cast, source: loaded.source })
  const problems = [...loaded.problems, ...badFixtures, ...spelled?.problems ?? [], ...referenceProblems(entry, loaded), ...lateNameProblems(entry, loaded)]
  if (spelled === undefined || problems.length > 0) throw new InvalidScenario(problems, files)
  const { file } = spelled
  const { faults, paths } = loaded
  const steps = (file.steps ?? []).flatMap((step, index) => step.if === false ? [] : compileStep(step, index, {
    place: (path) => `${entry}:${loaded.source.placeOf(['steps', index, ...path]).line}`,
  }))
  const compiled = {
    name: file.name, description: file.description ?? '', seed: start.seed, fixtures,
    faults: [...faults].map(([name, { value }]) => compileFault(name, value)),
    steps: [...steps, ...untilStep(until ?? spanIn(file), `${entry}:${loaded.source.placeOf(['run']).line}`)],
    ...besideSteps(file, (path) => `${entry}:${loaded.source.placeOf(path).line}`),
    timeoutMs: timeoutMs ?? file.run?.timeout ?? dayMs,
  }
  const artifacts = paths.flatMap((path) => artifactsOf(path, files.get(path) ?? ''))
  return {
    plan: { ...compiled, counters: countersIn(compiled), digest: digestOf(compiled) }, settings: settingsOf(file, start.seed),
    closure: [...new Set([...paths, ...artifacts])], tags: file.tags ?? [],
  }
}

type Beside = Pick<Plan, 'rules' | 'finally' | 'until' | 'onUnused' | 'onMaskedFault'>

/** What a scenario has beside steps and faults. */
function besideSteps(file: ScenarioFile, placeOf: (path: readonly (string | number)[]) => string): Beside {
  const { rules = [], run } = file
  const compiled = rules.flatMap((rule, index) => rule.if === false ? [] : compileRule(rule, index, {
    place: (path) => placeOf(['rules', index, ...path]),
  }))
  const strict = run?.strict === true ? 'error' : undefined
  const [onUnused, onMaskedFault] = [run?.onUnused ?? strict, run?.onMaskedFault ?? strict]
  const until = run?.until === undefined || isSpan(run.until) ? undefined : compileTrigger(run.until)
  return {
    ...(compiled.length > 0 && { rules: compiled }),
    ...(file.finally !== undefined && { finally: file.finally.map(compileAction) }),
    ...(until !== undefined && { until }),
    ...(onUnused !== undefined && { onUnused }),
    ...(onMaskedFault !== undefined && { onMaskedFault }),
  }
}

function spanIn({ run }: ScenarioFile): Until | undefined {
  return run?.until !== undefined && isSpan(run.until) ? run.until : undefined
}

/** A time or a number of blocks, not a trigger: those come out of the schema with other members. */
function isSpan(until: NonNullable<NonNullable<ScenarioFile['run']>['until']>): until is Until {
  return 'ms' in until || ('blocks' in until && typeof until.blocks === 'bigint')
}

/** Going on for longer is one more step, which waits and does nothing. */
function untilStep(until: Until | undefined, place: string): readonly PlanStep[] {
  if (until === undefined) return []
  const when = 'ms' in until ? { time: until.ms } : { blocks: Number(until.blocks) }
  return [{ ...compileStep({ id: 'until', when }, 0, { place: () => place }), timeoutMs: dayMs * 365n }]
}

type Start = KeySource & { readonly seed: string; readonly startMs: bigint }

/** What keys and draws depend on is read before all else. */
function startOf(files: ReadonlyMap<string, string>, entry: string, given: Pick<Given, 'seed' | 'mnemonic'>): Start {
  const { seed: own, run, chain, clock } = membersOf(readSource(entry, files.get(entry) ?? '').value)
  const said = membersOf(run)['seed'] ?? own
  const defaults = profileSettings('local')
  const { mnemonic, accounts } = membersOf(chain)
  const { genesisTime } = membersOf(clock)
  const seed = given.seed ?? (typeof said === 'string' || typeof said === 'number' ? String(said) : nameOf(entry))
  return {
    seed, random: createRandom(sha256(new TextEncoder().encode(seed)), sha256),
    mnemonic: given.mnemonic ?? (typeof mnemonic === 'string' ? mnemonic : defaults.mnemonic),
    funded: typeof accounts === 'number' ? accounts : defaults.accounts,
    startMs: timeOf(typeof genesisTime === 'string' ? genesisTime : defaults.genesisTime),
  }
}

/** Returns the name of a file without what says its kind: a module and its twin have the same seed. */
function nameOf(entry: string): string {
  return (entry.split('/').at(-1) ?? entry).replace(/(\.scenario)?\.(json5|jsonc?|[cm]?[jt]s)$/, '')
}

function timeOf(text: string): bigint {
  try {
    return timeToMs(parseTime(text))
  } catch {
    return 0n
  }
}

/** Where something stands in a file is no part of what it does. */
function digestOf(plan: Omit<Plan, 'digest'>): string {
  return hexOf(sha256(new TextEncoder().encode(canonicalJson(withoutSources(plan)))))
}

function withoutSources(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutSources)
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return value
  return Object.fromEntries(Object.entries(value).flatMap(([key, one]) =>
    key === 'source' ? [] : [[key, withoutSources(one)]]))
}

function validatorsOf(validators: NonNullable<ScenarioFile['chain']>['validators']): Partial<Settings> {
  if (validators === undefined || typeof validators === 'number') return { ...(validators !== undefined && { validators }) }
  return {
    validators: validators.length, validatorNames: validators.map(({ name }) => name),
    validatorPowers: validators.map(({ power }) => String(power ?? 1000)),
  }
}

type Clock = NonNullable<ScenarioFile['clock']>

/** What a mode of the clock means in settings; what is said beside it wins. */
function modeOf(mode: Clock['mode'], blockTime: string | undefined): Partial<Settings> {
  switch (mode) {
    case undefined: return {}
    case 'manual': return { blocks: 'manual' }
    case 'instant': return { pace: 'instant' }
    case 'interval': return { blocks: 'interval', ...(blockTime !== undefined && { interval: blockTime }), lazy: true }
  }
}

function settingsOf(file: ScenarioFile, seed: string): Partial<Settings> {
  const { app, mempool, cosmosChainId, validators, ...chain } = file.chain ?? {}
  const { mode, ...clock } = file.clock ?? {}
  const mempoolMaxTxs = mempool === undefined ? undefined : mempool === 'evm' ? 0 : -1
  const given = { ...modeOf(mode, clock.blockTime), chainId: cosmosChainId, ...chain, ...validatorsOf(validators), mempoolMaxTxs, ...(app === undefined ? {} : { application: app }), ...file.app, ...clock, seed }
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
}
