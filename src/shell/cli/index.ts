/**
 * The command line: one file a verb, loaded when it is asked for; help is made from declarations.
 */
import { Command, CommanderError } from 'commander'
import picocolors from 'picocolors'
import { nearest } from '../../data/nearest.ts'
import { SimError } from '../../errors.ts'
import { packageVersion } from '../packageFiles.ts'
import { verbs } from './verbs.ts'

/** Carries out a command line and resolves with the exit code (`mocks.md` §3.9). */
export async function main(given: readonly string[]): Promise<number> {
  const words = isBare(given[0]) ? ['start', ...given] : [...given]
  const [first = ''] = words
  let code = 0
  const quiet = (command: Command): Command => {
    command.commands.forEach(quiet)
    return command.exitOverride().configureOutput({ outputError: () => {} })
      .showSuggestionAfterError(false)
  }
  const program = quiet(new Command('chainstage'))
    .description('A deterministic simulated Cosmos EVM chain for people who test dApps.\nWithout a command it starts one.')
    .version(packageVersion())
    .enablePositionalOptions()
  for (const [name, load] of Object.entries(verbs)) {
    if (Object.hasOwn(verbs, first) && name !== first) continue
    const verb = await load()
    program.addCommand(quiet(verb((result) => { code = result })))
  }
  try {
    await program.parseAsync(words, { from: 'user' })
    return code
  } catch (error) {
    return complain(error, program)
  }
}

/** Flags alone, or a scenario alone, mean `start`. */
function isBare(first: string | undefined): boolean {
  if (first === undefined || /\.(json5|jsonc|[cm]?[jt]s)$/.test(first)) return true
  return first.startsWith('-') && !['-h', '--help', '-V', '--version'].includes(first)
}

/**
 * Says what was wrong in a sentence or two; 2 is wrong usage, 1 what stopped a good command, 70 a
 * bug.
 */
function complain(error: unknown, program: Command): number {
  const say = (text: string) => process.stderr.write(`${text}\n`)
  if (error instanceof CommanderError) {
    if (error.exitCode === 0) return 0
    say(picocolors.red(error.message))
    say(advice(error.message, program))
    return 2
  }
  if (error instanceof SimError) {
    say(picocolors.red(`${error.code}: ${error.message}`))
    if (error.hint !== undefined) say(error.hint)
    return usageCodes.has(error.code) ? 2 : 1
  }
  say(picocolors.red(
    `A bug in chainstage: ${error instanceof Error ? error.stack ?? error.message : String(error)}`
  ))
  return 70
}

const usageCodes = new Set([
  'BAD_SETTING', 'UNKNOWN_KEY', 'CONTRADICTION', 'BAD_ADDRESS', 'INVALID_SCENARIO',
  'UNREADABLE_SCENARIO', 'NO_SCENARIO',
  'INVALID_RECORDING', 'UNREADABLE_FILE', 'INVALID_GENESIS', 'INVALID_MNEMONIC',
])

/** The nearest flag of the command, or the nearest command. */
function advice(message: string, program: Command): string {
  const flag = /unknown option '--([^'=]+)/.exec(message)?.[1]
  if (flag !== undefined) {
    const known =
      program.commands.flatMap((one) => one.options.map(({ long }) => long?.slice(2) ?? ''))
    const near = nearest(flag, known)
    return near === undefined
      ? 'chainstage start --help lists what there is.'
      : `Did you mean --${near}?`
  }
  const command = /unknown command '([^']+)'/.exec(message)?.[1]
  const near = command === undefined ? undefined : nearest(command, Object.keys(verbs))
  return near === undefined
    ? 'chainstage --help lists what there is.'
    : `Did you mean chainstage ${near}?`
}
