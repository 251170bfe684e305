/** The flags of commands that run a chain, made from the table of settings. */
import { readFile } from 'node:fs/promises'
import { Option, type Command } from 'commander'
import { SimError } from '../../errors.ts'
import type { Setting, SettingValue } from '../../settings/setting.ts'
import type { Settings } from '../../settings/settings.ts'
import type { Until } from '../../scenario/compile.ts'
import { blockCount, durationMs } from '../../scenario/units.ts'
import { readHome, UnreadableFile } from '../config/home.ts'
import {
  environmentName, resolveSettings, settings, varPrefix, type Sources,
} from '../config/resolve.ts'
import { loadScenario, type Loaded } from '../scenarioFiles.ts'

/** Adds a flag for every setting. */
export function withSettings(command: Command): Command {
  for (const [, one] of settings) {
    command.addOption(new Option(`--${one.flag} ${argumentOf(one)}`, helpOf(one)))
    for (const alias of one.aliases ?? []) command.addOption(
      new Option(`--${alias} <value>`).hideHelp()
    )
  }
  return command
    .option(
      '--home <folder>',
      'read config/config.toml and config/app.toml there, as a real node does [NODE_HOME]',
    )
    .option('--genesis <file>', 'start from this genesis document')
    .addOption(varOption())
}

/** Adds what a run to the end can be told. */
export function withRunOptions(command: Command): Command {
  return command
    .addOption(
      new Option(
        '--until <span>',
        'go on for so long since the start, or so many blocks after the last step, like 30s or "5 blocks"',
      ).argParser(spanOf)
    )
    .addOption(
      new Option(
        '--timeout <duration>', 'when to give up, in place of what the scenario says',
      ).argParser(timeoutOf)
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

/** Returns `--var NAME=VALUE`, which may stand more than once. */
export function varOption(): Option {
  return new Option(
    '--var <name=value>', 'a value for a var that the scenario declares [CHAINSTAGE_VAR_NAME]',
  )
    .argParser((text: string, before: ReadonlyMap<string, string> | undefined) => {
      const [, name, value] = /^([^=]+)=(.*)$/s.exec(text) ?? []
      if (name === undefined || value === undefined) throw new BadOption('--var NAME=VALUE', text)
      return new Map([...before ?? [], [name, value]])
    })
}

/** Returns the values for vars that a command was given; those of the environment come second. */
export function varsOf(
  given: ReadonlyMap<string, string> | undefined,
): ReadonlyMap<string, string> {
  const named = Object.entries(process.env).flatMap(([name, value]) =>
    name.startsWith(varPrefix) && value !== undefined ? [
      [name.slice(varPrefix.length), value] as const,
    ] : [])
  return new Map([...named, ...given ?? []])
}

/** A flag without a value is on, so that it must not take the word after it. */
function argumentOf({ value }: Setting<SettingValue>): string {
  return typeof value === 'boolean' ? '[true|false]' : Array.isArray(value) ? '<list>' : '<value>'
}

function helpOf({ help, choices, flag, live }: Setting<SettingValue>): string {
  const among = choices === undefined ? '' : ` One of ${choices.join(', ')}.`
  return `${help}${among}${live === true ? ' A saved file changes it while it runs.' : ''} [${environmentName(flag)}]`
}

type RunOptions = {
  readonly var?: ReadonlyMap<string, string>
  readonly until?: Until
  readonly timeout?: bigint
}

export type Chosen = {
  readonly settings: Settings
  readonly scenario: Loaded | undefined
  readonly genesis: string | undefined
  readonly home: string | undefined
  /** Resolves the settings again, with what the files of the home and another scenario say now. */
  readonly again: (scenario?: Partial<Settings>) => Promise<Settings>
}

/** Resolves what a command was told, from every source in order. */
export async function choose(
  command: Command, scenarioPath: string | undefined, defaults: Partial<Settings> = {},
): Promise<Chosen> {
  const flags = flagsOf(command)
  const home = flags.get('home') ?? process.env['NODE_HOME']
  const { var: given, until, timeout } = command.opts<RunOptions>()
  const said = (flag: string) => flags.get(flag) ?? process.env[environmentName(flag)]
  const scenario = scenarioPath === undefined ? undefined
    : await loadScenario(scenarioPath, {
      vars: varsOf(given), seed: said('seed'), mnemonic: said('mnemonic'), until,
      timeoutMs: timeout,
    })
  const sources: Omit<Sources, 'files' | 'scenario'> = { flags, environment: process.env, defaults }
  const again = async (other: Partial<Settings> | undefined = scenario?.settings) =>
    resolveSettings(
      { ...sources, scenario: other, files: home === undefined ? undefined : await readHome(home) }
    )
  const path = flags.get('genesis')
  const genesis = path === undefined ? undefined
    : await readFile(path, 'utf8').catch(
      (error: unknown) => { throw new UnreadableFile(path, error) }
    )
  return { settings: await again(), scenario, home, genesis, again }
}

function flagsOf(command: Command): ReadonlyMap<string, string> {
  const given = command.opts<Record<string, string | boolean | undefined>>()
  return new Map(command.options.flatMap((option) => {
    const value = given[option.attributeName()]
    return value === undefined || option.long === undefined
      ? []
      : [[option.long.slice(2), String(value)] as const]
  }))
}

/** A value of an option that cannot be understood. */
export class BadOption extends SimError {
  constructor(expected: string, received: string) {
    super('BAD_SETTING', `expected ${expected}, received ${JSON.stringify(received)}`)
  }
}
