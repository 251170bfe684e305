/** The flags of commands that run a chain, made from the table of settings. */
import { readFile } from 'node:fs/promises'
import { Option, type Command } from 'commander'
import type { Setting, SettingValue } from '../../settings/setting.ts'
import type { Settings } from '../../settings/settings.ts'
import { readHome, UnreadableFile } from '../config/home.ts'
import { environmentName, resolveSettings, settings, type Sources } from '../config/resolve.ts'
import { loadScenario, type Loaded } from '../scenarioFiles.ts'

/** Adds a flag for every setting. */
export function withSettings(command: Command): Command {
  for (const [, one] of settings) {
    command.addOption(new Option(`--${one.flag} ${argumentOf(one)}`, helpOf(one)))
    for (const alias of one.aliases ?? []) command.addOption(new Option(`--${alias} <value>`).hideHelp())
  }
  return command
    .option('--home <folder>', 'read config/config.toml and config/app.toml there, as a real node does [NODE_HOME]')
    .option('--genesis <file>', 'start from this genesis document')
}

/** A flag without a value is on, so that it must not take the word after it. */
function argumentOf({ value }: Setting<SettingValue>): string {
  return typeof value === 'boolean' ? '[true|false]' : Array.isArray(value) ? '<list>' : '<value>'
}

function helpOf({ help, choices, flag, live }: Setting<SettingValue>): string {
  const among = choices === undefined ? '' : ` One of ${choices.join(', ')}.`
  return `${help}${among}${live === true ? ' A saved file changes it while it runs.' : ''} [${environmentName(flag)}]`
}

export type Chosen = {
  readonly settings: Settings
  readonly scenario: Loaded | undefined
  readonly genesis: string | undefined
  readonly home: string | undefined
  /** Resolves the settings again, with what the files of the home say now. */
  readonly again: () => Promise<Settings>
}

/** Resolves what a command was told, from every source in order. */
export async function choose(
  command: Command, scenarioPath: string | undefined, defaults: Partial<Settings> = {},
): Promise<Chosen> {
  const flags = flagsOf(command)
  const home = flags.get('home') ?? process.env['NODE_HOME']
  const scenario = scenarioPath === undefined ? undefined : await loadScenario(scenarioPath)
  const sources: Omit<Sources, 'files'> = { flags, environment: process.env, scenario: scenario?.settings, defaults }
  const again = async () => resolveSettings({ ...sources, files: home === undefined ? undefined : await readHome(home) })
  const path = flags.get('genesis')
  const genesis = path === undefined ? undefined
    : await readFile(path, 'utf8').catch((error: unknown) => { throw new UnreadableFile(path, error) })
  return { settings: await again(), scenario, home, genesis, again }
}

function flagsOf(command: Command): ReadonlyMap<string, string> {
  const given = command.opts<Record<string, string | boolean | undefined>>()
  return new Map(command.options.flatMap((option) => {
    const value = given[option.attributeName()]
    return value === undefined || option.long === undefined ? [] : [[option.long.slice(2), String(value)] as const]
  }))
}
