/** The page of every command with its arguments and flags, from the commands themselves. */
import type { Command, Option } from 'commander'
import { settings } from '../../src/settings/settings.ts'
import { showAll } from '../../src/shell/cli/help.ts'
import { verbGroups, verbs } from '../../src/shell/cli/verbs.ts'

showAll()
const named = Object.entries(verbs).map(async ([name, load]) => [name, (await load())(() => {})] as const)
const commands = new Map(await Promise.all(named))

const cell = (text: string) =>
  text
    .replaceAll('|', '\\|')
    .replaceAll('<', '&lt;')
    .replace(/\s*\n\s*/g, ' ')

const ofSettings = new Set(settings.map(([, { flag }]) => `--${flag}`))

/** Returns the page of every command's arguments and flags but the settings, which have a page. */
export function flagsText(): string {
  const names = Object.values(verbGroups).flat()
  const parts = names.flatMap((name) => partsOf(commands.get(name), 'chainstage'))
  return `# Flags of each command

This page lists the arguments and flags of every command. Commands that run a chain also take every [setting](settings.md) as a flag.

${parts.join('\n\n')}
`
}

function partsOf(command: Command | undefined, before: string): readonly string[] {
  if (command === undefined) return []
  const name = `${before} ${command.name()}`
  const words = command.registeredArguments.map((one) => {
    const more = one.variadic ? '…' : ''
    return one.required ? `&lt;${one.name()}${more}>` : `\\[${one.name()}${more}]`
  })
  const own = command.options.filter(({ long, hidden }) => !hidden && !ofSettings.has(long ?? ''))
  const takesSettings = command.options.some(({ long }) => ofSettings.has(long ?? ''))
  const rows = [
    ...command.registeredArguments
      .filter(({ description }) => description !== '')
      .map((one) => `| \`${one.name()}\` | ${cell(one.description)} | |`),
    ...own.map((one) => `| \`${one.flags.replaceAll('|', '\\|')}\` | ${meaningOf(one)} | ${defaultOf(one)} |`),
    ...(takesSettings ? ['| every [setting](settings.md) | | |'] : []),
  ]
  const about = command.description().split('\n\n')[0] ?? ''
  const table = rows.length === 0 ? [] : ['', '| argument or flag | meaning | default |', '|---|---|---|', ...rows]
  const part = [`## ${name}`, '', cell(about), ...(words.length === 0 ? [] : ['', `Usage: ${name} ${words.join(' ')}`])]
  return [[...part, ...table].join('\n'), ...command.commands.flatMap((one) => partsOf(one, name))]
}

function meaningOf({ description, argChoices = [] }: Option): string {
  return argChoices.length === 0 ? cell(description) : `${cell(description)} One of ${argChoices.join(', ')}.`
}

function defaultOf({ defaultValue, defaultValueDescription }: Option): string {
  if (defaultValue === undefined || defaultValue === false) return ''
  return `\`${cell(defaultValueDescription ?? String(defaultValue))}\``
}
