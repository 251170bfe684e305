/** The flags of commands that run a chain, made from the table of settings. */
import { Option, type Command } from 'commander'
import { loadScenario, type Loaded } from '../scenarioFiles.ts'
import type { Settings } from '../../settings/settings.ts'
import { readHome } from '../config/home.ts'
import { environmentName, resolveSettings, settings } from '../config/resolve.ts'

/** Adds a flag for every setting. */
export function withSettings(command: Command): Command {
  for (const [, one] of settings) {
    for (const flag of [one.flag, ...(one.aliases ?? [])]) {
      const argument = typeof one.value === 'boolean' ? '[true|false]' : '<value>'
      const choices = one.choices === undefined ? '' : ` (${one.choices.join(', ')})`
      const option = new Option(`--${flag} ${argument}`, `${one.help}${choices} [${environmentName(one.flag)}]`)
      command.addOption(flag === one.flag ? option : option.hideHelp())
    }
  }
  return command
    .option('--home <folder>', "read config/config.toml and config/app.toml there, as a real node does [NODE_HOME]")
    .option('--genesis <file>', 'start from this genesis document')
}

export type Chosen = { readonly settings: Settings; readonly scenario: Loaded | undefined; readonly genesis: string | undefined; readonly home: string | undefined }

/** Resolves what a command was told, from every source in order. */
export async function choose(command: Command, scenarioPath: string | undefined): Promise<Chosen> {
  const given = command.opts<Record<string, string | boolean | undefined>>()
  const flags = new Map<string, string>()
  for (const option of command.options) {
    const value = given[option.attributeName()]
    if (value !== undefined && option.long !== undefined) flags.set(option.long.slice(2), value === true ? 'true' : String(value))
  }
  const home = flags.get('home') ?? process.env['NODE_HOME']
  const scenario = scenarioPath === undefined ? undefined : await loadScenario(scenarioPath)
  const files: Awaited<ReturnType<typeof readHome>> = home === undefined ? new Map() : await readHome(home)
  const { readFile } = await import('node:fs/promises')
  const genesisPath = flags.get('genesis')
  return {
    settings: resolveSettings({ flags, environment: process.env, files, scenario: scenario?.settings ?? {} }),
    scenario, home, genesis: genesisPath === undefined ? undefined : await readFile(genesisPath, 'utf8'),
  }
}
