/**
 * Compiles a scenario and its imports to a plan: resolves every name, converts every unit to a
 * number, and reports all problems at once. It is pure, because the shell has read the files.
 */
import { membersOf } from '../data/members.ts'
import { nearest } from '../data/nearest.ts'
import { canonicalJson } from '../data/canonicalJson.ts'
import { hexOf } from '../codec/hex.ts'
import { sha256 } from '../crypto/hash.ts'
import type { Fixtures } from '../plan/fixtures.ts'
import type { Action } from '../plan/action.ts'
import type { Plan, PlanRule, PlanStep } from '../plan/plan.ts'
import type { Trigger } from '../plan/trigger.ts'
import type { Settings } from '../settings/settings.ts'
import { parseTime, TimeSyntaxError } from '../codec/time.ts'
import { createRandom } from '../data/random.ts'
import { timeToMs } from '../data/time.ts'
import { profileSettings } from '../settings/profiles.ts'
import { withContracts } from './fixtures/contractCalls.ts'
import { castOf, namesOf, type Cast, type KeySource } from './fixtures/cast.ts'
import { compileFixtures } from './fixtures/compileFixtures.ts'
import type { Fake, FakeWith } from './fixtures/fakedText.ts'
import { withUnits } from './fixtures/balanceUnits.ts'
import { pastRules } from './fixtures/pastRules.ts'
import { withLabels } from './fixtures/labels.ts'
import { artifactsOf } from './imports.ts'
import { readSource, type Path } from './source.ts'
import { InvalidScenario, type Diagnostic } from './diagnostic.ts'
import { drawingFunctions, type Draw } from './expression.ts'
import { compileFault } from './compileFault.ts'
import { compileAction } from './actions/index.ts'
import { compileRule, compileStep } from './compileStep.ts'
import { compileTrigger, countersIn } from './compileTrigger.ts'
import { accountProblems } from './accountProblems.ts'
import { loadClosure, type Closure } from './closure.ts'
import { lateNameProblems } from './lateNameProblems.ts'
import { referenceProblems } from './references.ts'
import type { TriggerFile } from './triggerSchema.ts'
import type { ScenarioFile } from './schema.ts'
import { durationMs } from './units.ts'
import { settingsOf } from './scenarioSettings.ts'

/**
 * A compiled scenario; `settings` are those of chain and clock, `closure` lists the files it was
 * made of.
 */
export type Compiled = {
  readonly plan: Plan
  readonly settings: Partial<Settings>
  readonly closure: readonly string[]
  readonly tags: readonly string[]
  /** The maximum number of approximate responses of a playback, if the file sets one. */
  readonly maxDegraded?: number | undefined
}

/**
 * Options of a run that override the files. `vars` are values, as texts, for declared vars. `seed`
 * and `mnemonic` replace those of the file. `fake` is required if a text uses `faker`.
 */
export type CompileInput = {
  readonly vars?: ReadonlyMap<string, string>
  readonly seed?: string | undefined
  readonly mnemonic?: string | undefined
  readonly fake?: Fake | undefined
  /** End condition and timeout that replace those of the file. */
  readonly until?: Until | undefined
  readonly timeoutMs?: bigint | undefined
}

/** A time since the start, or a number of blocks after the last step. */
export type Until = { readonly ms: bigint } | { readonly blocks: bigint }

const dayMs = 86_400_000n

/**
 * Returns the compiled scenario `entry`. `files` maps paths to texts; import paths are relative to
 * the importing file. Throws `InvalidScenario` with all problems if there are any.
 */
export function compileScenario(
  files: ReadonlyMap<string, string>,
  entry: string,
  { vars = new Map(), fake, until, timeoutMs, ...given }: CompileInput = {},
): Compiled {
  const start = startOf(files, entry, given)
  let cast: Cast = {
    accounts: new Map(),
    groups: new Map(),
    contracts: new Map(),
    artifacts: new Map(),
  }
  const draw: Draw = (label, below) => start.random.below(`expression:${label}`, 0, below) as bigint
  const loaded = loadClosure(files, entry, {
    vars,
    functions: drawingFunctions(draw),
    namesOf: (blocks) => {
      cast = castOf(blocks, start)
      return namesOf(cast)
    },
  })
  const { file, fixtures, problems } = spelledOut(loaded, { entry, files, cast, fake, start })
  if (file === undefined || problems.length > 0) throw new InvalidScenario(problems, files)
  const place = (path: Path) => `${entry}:${loaded.source.placeOf(path).line}`
  const steps = (file.steps ?? []).flatMap((step, index) =>
    step.if === false ? [] : compileStep(step, index, { place: (path) => place(['steps', index, ...path]) }),
  )
  const compiled = {
    name: file.name,
    description: file.description ?? '',
    seed: start.seed,
    fixtures,
    faults: [...loaded.faults].map(([name, { value }]) => compileFault(name, value)),
    steps,
    ...besideSteps({ ...file, run: { ...file.run, until: until ?? file.run?.until } }, place),
    timeoutMs: timeoutMs ?? file.run?.timeout ?? dayMs,
  }
  const artifacts = loaded.paths.flatMap((path) => artifactsOf(path, files.get(path) ?? ''))
  return {
    plan: { ...compiled, counters: countersIn(compiled), digest: digestOf(compiled) },
    settings: settingsOf(file, start.seed),
    closure: [...new Set([...loaded.paths, ...artifacts])],
    tags: file.tags ?? [],
    maxDegraded: file.run?.maxDegraded,
  }
}

type Spelling = {
  readonly entry: string
  readonly files: ReadonlyMap<string, string>
  readonly cast: Cast
  readonly fake: Fake | undefined
  readonly start: Start
}

type Spelled = {
  readonly file: ScenarioFile | undefined
  readonly fixtures: Fixtures
  readonly problems: readonly Diagnostic[]
}

/**
 * Returns the scenario with contract calls, labels and token units resolved, its fixtures, and all
 * problems.
 */
function spelledOut(loaded: Closure, { entry, files, cast, fake, start }: Spelling): Spelled {
  const { source, names } = loaded
  const { faked, problems: badFaker } = fakedIn(loaded, fake)
  const { rules, problems: badRules } = pastRules(loaded, { names, blockMs: start.blockMs })
  const { fixtures, problems: badFixtures } = compileFixtures(loaded.fixtures, {
    files,
    cast,
    fake,
    faked,
    rules,
    ...start,
  })
  const called = loaded.file && withContracts(loaded.file, { entry, files, cast, source })
  const labelled = called && withLabels(called.file, { entry, source, fake: { fake, faked }, ...start })
  const measured = labelled && withUnits(labelled.file, { entry, cast, source })
  const problemsOfNames = () => [
    ...badRules,
    ...badFixtures,
    ...(called?.problems ?? []),
    ...(labelled?.problems ?? []),
    ...(measured?.problems ?? []),
    ...referenceProblems(entry, loaded),
    ...lateNameProblems(entry, loaded),
    ...accountProblems(entry, loaded, cast),
  ]
  const problems = [...loaded.problems, ...badFaker, ...(loaded.hasAllParts ? problemsOfNames() : [])]
  return { file: measured?.file, fixtures, problems }
}

/** Returns the faker settings; the last file that has some wins. */
function fakedIn(
  { fixtures }: Closure,
  fake: Fake | undefined,
): Pick<FakeWith, 'faked'> & { readonly problems: readonly Diagnostic[] } {
  const block = fixtures.findLast((one) => one.fixtures.faker !== undefined)
  const { locale = 'en', refDate } = block?.fixtures.faker ?? {}
  const known = fake?.locales() ?? [locale]
  const near = nearest(locale, known)
  return {
    faked: { locale, refDate },
    problems:
      block === undefined || known.includes(locale)
        ? []
        : [
            {
              file: block.file,
              ...block.source.placeOf(['fixtures', 'faker', 'locale']),
              code: 'SC2020',
              message: `faker has no locale "${locale}"`,
              hint: near === undefined ? "For example 'de'." : `Did you mean "${near}"?`,
            },
          ],
  }
}

type Beside = Pick<Plan, 'rules' | 'finally' | 'until' | 'onUnused' | 'onMaskedFault'>

/** Returns the parts of a plan besides steps and faults. */
function besideSteps(file: ScenarioFile, placeOf: (path: Path) => string): Beside {
  const { rules = [], run } = file
  const compiled = rules.flatMap((rule, index) => {
    const place = (path: Path) => placeOf(['rules', index, ...path])
    return rule.if === false ? [] : compileRule(rule, index, { place })
  })
  const strict = run?.strict === true ? 'error' : undefined
  const [onUnused, onMaskedFault] = [run?.onUnused ?? strict, run?.onMaskedFault ?? strict]
  const until = run?.until === undefined ? undefined : untilOf(run.until)
  return {
    ...(compiled.length > 0 && { rules: compiled }),
    ...(file.finally !== undefined && { finally: file.finally.map(compileAction) }),
    ...(until !== undefined && { until }),
    ...(onUnused !== undefined && { onUnused }),
    ...(onMaskedFault !== undefined && { onMaskedFault }),
  }
}

/**
 * Returns the trigger of `until`: a time counts from the start, blocks count from the last step.
 */
function untilOf(until: NonNullable<NonNullable<ScenarioFile['run']>['until']>): Trigger {
  if ('ms' in until) return { type: 'time', ms: until.ms }
  if ('blocks' in until && typeof until.blocks === 'bigint') {
    return { type: 'blocks', count: until.blocks }
  }
  return compileTrigger(until as TriggerFile)
}

type Start = KeySource & {
  readonly seed: string
  readonly startMs: bigint
  readonly blockMs: bigint
}

/** Returns the settings that keys and draws depend on, which are read before everything else. */
function startOf(
  files: ReadonlyMap<string, string>,
  entry: string,
  given: Pick<CompileInput, 'seed' | 'mnemonic'>,
): Start {
  const { seed: own, run, chain, clock } = membersOf(readSource(entry, files.get(entry) ?? '').value)
  const said = membersOf(run)['seed'] ?? own
  const defaults = profileSettings('local')
  const { mnemonic, accounts } = membersOf(chain)
  const { genesisTime, blockTime } = membersOf(clock)
  const seed = given.seed ?? (typeof said === 'string' || typeof said === 'number' ? String(said) : nameOf(entry))
  return {
    seed,
    random: createRandom(sha256(new TextEncoder().encode(seed)), sha256),
    mnemonic: given.mnemonic ?? (typeof mnemonic === 'string' ? mnemonic : defaults.mnemonic),
    funded: typeof accounts === 'number' ? accounts : defaults.accounts,
    blockMs: durationMs(typeof blockTime === 'string' ? blockTime : defaults.blockTime) ?? 1000n,
    startMs: timeOf(typeof genesisTime === 'string' ? genesisTime : defaults.genesisTime),
  }
}

/**
 * Returns the name of a file without its extension, so that a module and a JSON5 file of the same
 * name have the same seed.
 */
function nameOf(entry: string): string {
  return (entry.split('/').at(-1) ?? entry).replace(/(\.scenario)?\.(json5|jsonc?|[cm]?[jt]s)$/, '')
}

function timeOf(text: string): bigint {
  try {
    return timeToMs(parseTime(text))
  } catch (error) {
    if (!(error instanceof TimeSyntaxError)) throw error
    return 0n
  }
}

/** Returns the digest of a plan. What only reports show, such as positions in files, does not change it. */
function digestOf({ steps, rules, finally: last, ...plan }: Omit<Plan, 'digest'>): string {
  const plain = {
    ...plan,
    steps: steps.map((step) => ({ ...plainOf(step), expectations: step.expectations.map(withoutSource) })),
    rules: rules?.map(plainOf),
    finally: last?.map(withoutName),
  }
  return hexOf(sha256(new TextEncoder().encode(canonicalJson(plain))))
}

function plainOf(one: PlanStep | PlanRule): object {
  return { ...withoutSource(one), actions: one.actions.map(withoutName) }
}

function withoutSource({ source: _, ...one }: { readonly source: string }): object {
  return one
}

function withoutName({ written: _, ...action }: Action): object {
  return action
}
