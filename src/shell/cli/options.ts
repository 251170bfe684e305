/** Flags of commands that run a chain, generated from the table of settings. */
import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { Option, type Command } from 'commander'
import { SimError } from '../../errors.ts'
import type { Setting, SettingValue } from '../../settings/setting.ts'
import { profileSettings } from '../../settings/profiles.ts'
import { type Settings, settings, settingTable } from '../../settings/settings.ts'
import type { CompileInput, Until } from '../../scenario/compile.ts'
import { misspeltMethods } from '../../scenario/misspeltMethods.ts'
import { blockCount, durationMs } from '../../scenario/units.ts'
import { readHome, UnreadableFile } from '../config/home.ts'
import { detail, firstSentence, showsAll } from './help.ts'
import {
  environmentName,
  fileWarnings,
  ofEnvironment,
  ofFlags,
  resolveSettings,
  varPrefix,
  type SettingSources,
} from '../config/resolve.ts'
import { emptyScenario, loadScenario, type Alone, type LoadedScenario } from '../scenarios/scenarioFiles.ts'

/**
 * Adds a flag for every setting. Short help shows the settings that have a help group or, if given,
 * only those in `shown`; `--help all` shows all.
 */
export function withSettings(command: Command, shown?: readonly string[]): Command {
  for (const [, one] of settings) {
    const option = new Option(`--${one.flag} ${argumentOf(one)}`, helpOf(one))
    const isDetail = one.group === undefined || shown?.includes(one.flag) === false
    command.addOption(isDetail ? detail(option) : option.helpGroup(`${one.group}:`))
    for (const alias of one.aliases ?? []) command.addOption(new Option(`--${alias} <value>`).hideHelp())
  }
  return command
    .addOption(detail(new Option('--genesis <file>', 'Start from this genesis document.')))
    .addOption(detail(varOption()))
}

/** Settings in the short help of `run`, `test` and `record`; scenarios define the others. */
export const runSettings = ['profile', 'quirks', 'chain-id']

/** Adds the options of commands that run a scenario to its end. */
export function withRunOptions(command: Command): Command {
  return command
    .addOption(
      new Option('--until <span>', 'End after this time, like 30s, or "5 blocks" after the last step.').argParser(
        spanOf,
      ),
    )
    .addOption(
      new Option(
        '--timeout <duration>',
        'Time after which the run fails (default: the timeout of the scenario).',
      ).argParser(timeoutOf),
    )
}

function spanOf(text: string): Until {
  const [ms, blocks] = [durationMs(text), blockCount(text)]
  if (ms !== undefined) return { ms }
  if (blocks !== undefined) return { blocks }
  throw new BadOption('--until DURATION or "N blocks"', text)
}

function timeoutOf(text: string): bigint {
  const ms = durationMs(text)
  if (ms === undefined) throw new BadOption('--timeout DURATION like 30s', text)
  return ms
}

/** Returns `--var NAME=VALUE`, which may be repeated. */
export function varOption(): Option {
  return new Option('--var <name=value>', 'Value for a var of the scenario. [CHAINSTAGE_VAR_NAME]').argParser(
    (text: string, before: ReadonlyMap<string, string> | undefined) => {
      const [, name, value] = /^([^=]+)=(.*)$/s.exec(text) ?? []
      if (name === undefined || value === undefined) throw new BadOption('--var NAME=VALUE', text)
      return new Map([...(before ?? []), [name, value]])
    },
  )
}

/**
 * Returns the values of the scenario's vars; command line values take precedence over the
 * environment.
 */
export function givenVars(given: ReadonlyMap<string, string> | undefined): ReadonlyMap<string, string> {
  const named = Object.entries(process.env).flatMap(([name, value]) =>
    name.startsWith(varPrefix) && value !== undefined ? [[name.slice(varPrefix.length), value] as const] : [],
  )
  return new Map([...named, ...(given ?? [])])
}

/**
 * Returns the argument of a setting's flag. A Boolean flag without a value means true, so it must
 * not consume the next word.
 */
function argumentOf({ value }: Setting<SettingValue>): string {
  return typeof value === 'boolean' ? '[true|false]' : Array.isArray(value) ? '<list>' : '<value>'
}

/** Returns the help text of a setting, with the default of profile `local`. */
function helpOf(one: Setting<SettingValue>): string {
  if (!showsAll()) return firstSentence(one.help)
  const { help, choices, flag, live } = one
  const among = choices === undefined || help.includes(choices[0] ?? '') ? '' : ` One of ${choices.join(', ')}.`
  const isLive = live === true ? ' A saved file changes it while the chain runs.' : ''
  return `${help}${among}${isLive} (default: ${defaultText(one)}) [${environmentName(flag)}]`
}

function defaultText({ flag, value }: Setting<SettingValue>): string {
  const name = settings.find(([, one]) => one.flag === flag)?.[0]
  const text = String(name === undefined ? value : profileSettings('local')[name])
  return text === '' ? 'empty' : text
}

type RunOptions = {
  readonly var?: ReadonlyMap<string, string>
  readonly until?: Until
  readonly timeout?: bigint
}

export type Chosen = {
  readonly settings: Settings
  readonly scenario: LoadedScenario | undefined
  readonly genesis: string | undefined
  readonly home: string | undefined
  /**
   * Resolves the settings again from the current files of the home and, if given, another scenario.
   */
  readonly again: (scenario?: Partial<Settings>) => Promise<Settings>
  /** Resolves with warnings about keys and settings without effect, and misspelt methods in the scenario. */
  readonly warnings: () => Promise<readonly string[]>
}

/**
 * Resolves the settings, scenario and genesis of a command from all sources. Without a scenario, `alone`
 * names one without steps.
 */
export async function choose(
  command: Command,
  scenarioPath: string | undefined,
  defaults: Partial<Settings> = {},
  alone?: Alone,
): Promise<Chosen> {
  const given = flagsOf(command)
  const { NODE_HOME } = process.env
  const home = given.get('home') ?? process.env[environmentName('home')] ?? NODE_HOME
  const flags = home === undefined ? given : new Map([...given, ['home', resolve(home)]])
  const { var: vars, until, timeout } = command.opts<RunOptions>()
  const said = (flag: string) => flags.get(flag) ?? process.env[environmentName(flag)]
  const told: CompileInput = {
    vars: givenVars(vars),
    seed: said('seed'),
    mnemonic: said('mnemonic'),
    until,
    timeoutMs: timeout,
  }
  const scenario =
    scenarioPath !== undefined
      ? await loadScenario(scenarioPath, told)
      : alone !== undefined
        ? await emptyScenario(alone, { ...told, vars: new Map() })
        : undefined
  const path = flags.get('genesis')
  const genesis =
    path === undefined
      ? undefined
      : await readFile(path, 'utf8').catch((error: unknown) => {
          throw new UnreadableFile(path, error)
        })
  const ofDocument = genesis === undefined ? undefined : await besideGenesis()
  const decided = ofDocument?.settingsOfGenesis(genesis)
  const sources: Omit<SettingSources, 'files' | 'scenario'> = { flags, environment: process.env, defaults }
  const filesNow = async () => (home === undefined ? undefined : readHome(home))
  const again = async (other: Partial<Settings> | undefined = scenario?.settings) => ({
    ...resolveSettings({ ...sources, scenario: other, files: await filesNow() }),
    ...decided,
  })
  const resolved = await again()
  // A fork brings its genesis, and has checks of its own.
  const isFork = flags.has('fork')
  const beside = (given: () => Partial<Settings>) => ({
    given: isFork ? () => ({}) : given,
    document: genesis,
    profile: resolved.profile,
  })
  const checks = ofDocument ?? (resolved.profile === 'evmd' ? await besideGenesis() : undefined)
  checks?.assertBesideGenesis(
    beside(() => ofFlags(flags)),
    (name) => `--${settingTable[name].flag}`,
  )
  return {
    settings: resolved,
    scenario,
    home,
    genesis,
    again,
    warnings: async () => [
      ...fileWarnings(await filesNow()),
      ...(checks?.warningsBesideGenesis(
        beside(() => scenario?.settings ?? {}),
        (name) => `the scenario sets ${name}`,
      ) ?? []),
      ...(checks?.warningsBesideGenesis(
        beside(() => ofEnvironment(process.env)),
        (name) => `${environmentName(settingTable[name].flag)} is set`,
      ) ?? []),
      ...(scenario === undefined ? [] : misspeltMethods(scenario.plan)),
    ],
  }
}

/** Loads the checks of settings that a genesis document decides, which other chains do not need. */
const besideGenesis = () => import('../config/besideGenesis.ts')

function flagsOf(command: Command): ReadonlyMap<string, string> {
  const given = command.opts<Record<string, string | boolean | undefined>>()
  return new Map(
    command.options.flatMap((option) => {
      const value = given[option.attributeName()]
      return value === undefined || option.long === undefined ? [] : [[option.long.slice(2), String(value)] as const]
    }),
  )
}

/** Thrown for an invalid option value. */
export class BadOption extends SimError {
  constructor(expected: string, received: string) {
    super('BAD_SETTING', `expected ${expected}, received ${JSON.stringify(received)}`)
  }
}
