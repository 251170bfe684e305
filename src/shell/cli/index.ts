/** The command line: one file per command, loaded on use. Help is generated from declarations. */
import { styleText } from 'node:util'
import { escaped } from '../../data/printable.ts'
import { Command, CommanderError } from 'commander'
import { nearest } from '../../data/nearest.ts'
import { isExpected, thrownInFull } from '../../errors.ts'
import { packageVersion } from '../packageFiles.ts'
import { codeOfError } from './exitCodes.ts'
import { readHelpWords, withShortHelp } from './help.ts'
import { settingTable } from '../../settings/settings.ts'
import { rewriteFlags, rewriteOwnFlags, type Rewritten } from './rewriteFlags.ts'
import { verbGroups, verbs, verbSummaries } from './verbs.ts'

/** Executes a command line and resolves with the exit code (`mocks.md` §3.9). */
export async function main(given: readonly string[]): Promise<number> {
  const words = wordsOf(given)
  const [first = ''] = words
  let code = 0
  const quiet = (command: Command): Command => {
    command.commands.forEach(quiet)
    if (command.name() !== 'start') command.helpOption('-h, --help', 'Show this help.')
    return command
      .exitOverride()
      .configureOutput({ outputError: () => {} })
      .showSuggestionAfterError(false)
  }
  const program = quiet(new Command('chainstage'))
    .description('A deterministic local Cosmos EVM chain for testing dApps. Without a command, chainstage starts one.')
    .helpCommand(false)
    .version(packageVersion())
    .enablePositionalOptions()
  for (const [name, load] of Object.entries(verbs)) {
    if (!Object.hasOwn(verbs, first)) {
      // For the overview or an error message: no command runs.
      program
        .command(name)
        .description(verbSummaries[name] ?? '')
        .helpGroup(`${groupOf(name)}:`)
      continue
    }
    if (name !== first) continue
    const verb = await load()
    program.addCommand(
      quiet(
        verb((result) => {
          code = result
        }).helpGroup(`${groupOf(name)}:`),
      ),
    )
  }
  withShortHelp(program, 'chainstage')
  program.configureHelp({ ...program.configureHelp(), visibleOptions: () => [] })
  program.addHelpText('after', 'Flags of a command: chainstage COMMAND --help, or --help all')
  try {
    const { words: own, notes } = rewrittenFor(
      program.commands.find((command) => command.name() === first),
      words,
    )
    for (const note of notes) process.stderr.write(`${note}\n`)
    await program.parseAsync(own, { from: 'user' })
    return code
  } catch (error) {
    return complain(error, program, words)
  }
}

/** Returns the words with the flags of other tools rewritten, as far as a command takes them. */
function rewrittenFor(command: Command | undefined, words: readonly string[]): Rewritten {
  if (command?.name() === 'start') return rewriteFlags(words)
  const hasSettings = command?.options.some(({ long }) => long === `--${settingTable.chainId.flag}`) === true
  return hasSettings ? rewriteOwnFlags(words) : { words, notes: [] }
}

function wordsOf(given: readonly string[]): readonly string[] {
  const words = readHelpWords(given)
  return isBare(words[0]) ? ['start', ...words] : words
}

function groupOf(name: string): string {
  return Object.entries(verbGroups).find(([, names]) => names.includes(name))?.[0] ?? 'Other'
}

/**
 * Returns whether the command `start` is implied: by a leading flag or scenario, or by no
 * arguments.
 */
function isBare(first: string | undefined): boolean {
  if (first === undefined || /\.(json5|jsonc|[cm]?[jt]s)$/.test(first)) return true
  return first.startsWith('-') && !['-h', '--help', '-V', '--version'].includes(first)
}

/** Prints an error in a sentence or two, and returns the exit code. */
function complain(error: unknown, program: Command, words: readonly string[]): number {
  const say = (text: string) => process.stderr.write(`${text}\n`)
  const sayInRed = (text: string) => say(styleText('red', escaped(text), { stream: process.stderr }))
  if (error instanceof CommanderError) {
    if (error.exitCode === 0) return 0
    // Commands such as `recording` without a subcommand: commander has printed their help.
    if (error.code === 'commander.help') return 2
    sayInRed(error.message)
    say(escaped(advice(error.message, program, words)))
    return 2
  }
  if (isExpected(error)) {
    sayInRed(`${error.code}: ${error.message}`)
    const hint = error.code === 'BAD_REQUEST' ? helpOf(program, words) : error.hint
    if (hint !== undefined) say(escaped(hint))
    return codeOfError(error)
  }
  sayInRed(`A bug in chainstage: ${thrownInFull(error)}`)
  return codeOfError(error)
}

/** Returns the hint for a value that the control API refused; its own hint is for callers of the API. */
function helpOf(program: Command, words: readonly string[]): string {
  return `${calledCommand(program, words).name} --help lists its arguments and flags.`
}

/** Suggests the nearest flag of the called command, the nearest command, or `--help`. */
function advice(message: string, program: Command, words: readonly string[]): string {
  const { called, name } = calledCommand(program, words)
  const flag = /unknown option '--([^'=]+)/.exec(message)?.[1]
  if (flag !== undefined) {
    const near = nearest(
      flag,
      called.options.map(({ long }) => long?.slice(2) ?? ''),
    )
    if (near !== undefined) return `Did you mean --${near}?`
  }
  const command = /unknown command '([^']+)'/.exec(message)?.[1]
  const near = command === undefined ? undefined : nearest(command, Object.keys(verbs))
  return near === undefined
    ? `${name} --help lists ${called === program ? 'the commands' : 'its arguments and flags'}.`
    : `Did you mean chainstage ${near}?`
}

/**
 * Returns the command that the words call, including subcommands (`recording merge`), and its full
 * name.
 */
function calledCommand(program: Command, words: readonly string[]) {
  let [called, name] = [program, program.name()]
  for (const word of words) {
    const next = called.commands.find((one) => one.name() === word)
    if (next === undefined) break
    called = next
    name += ` ${word}`
  }
  return { called, name }
}
