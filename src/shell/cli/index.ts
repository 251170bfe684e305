/** The command line: one file a verb; help is made from the declarations. */
import { Command, CommanderError } from 'commander'
import picocolors from 'picocolors'
import { SimError } from '../../errors.ts'
import { nearest } from '../../data/nearest.ts'
import { packageVersion } from '../packageFiles.ts'
import { accounts } from './accounts.ts'
import { check } from './check.ts'
import { init } from './init.ts'
import { methods } from './methods.ts'
import { record } from './record.ts'
import { replay } from './replay.ts'
import { run } from './run.ts'
import { start } from './start.ts'

/** Carries out a command line and resolves with the exit code (`mocks.md` §3.9). */
export async function main(words: readonly string[]): Promise<number> {
  let code = 0
  const program = new Command('chainstage')
    .description('A deterministic simulated Cosmos EVM chain for people who test dApps.')
    .version(packageVersion())
    .exitOverride()
    .configureOutput({ outputError: () => {} })
  for (const verb of [start, run, record, replay, check, init, methods, accounts]) {
    program.addCommand(verb((result) => { code = result }).exitOverride().configureOutput({ outputError: () => {} }))
  }
  try {
    await program.parseAsync(words.length === 0 ? ['start'] : [...words], { from: 'user' })
    return code
  } catch (error) {
    return complain(error, program)
  }
}

/** Says what was wrong in a sentence or two; 2 is wrong usage, 1 what stopped a good command, 70 a bug. */
function complain(error: unknown, program: Command): number {
  const say = (text: string) => process.stderr.write(`${text}\n`)
  if (error instanceof CommanderError) {
    if (error.exitCode === 0) return 0
    say(picocolors.red(error.message) + advice(error.message, program))
    return 2
  }
  if (error instanceof SimError) {
    say(picocolors.red(`${error.code}: ${error.message}`))
    if (error.hint !== undefined) say(error.hint)
    return isUsage(error) ? 2 : 1
  }
  say(picocolors.red(`a bug in chainstage: ${error instanceof Error ? error.stack ?? error.message : String(error)}`))
  return 70
}

function isUsage({ code }: SimError): boolean {
  return ['BAD_SETTING', 'UNKNOWN_KEY', 'CONTRADICTION', 'BAD_ADDRESS', 'INVALID_SCENARIO', 'UNREADABLE_SCENARIO', 'INVALID_RECORDING', 'UNREADABLE_FILE'].includes(code)
}

/** Commander compares whole words; ours compares the edits, and knows every flag of every verb. */
function advice(message: string, program: Command): string {
  const unknown = /unknown option '--([^'=]+)/.exec(message)?.[1] ?? /unknown command '([^']+)'/.exec(message)?.[1]
  if (unknown === undefined || message.includes('Did you mean')) return ''
  const known = program.commands.flatMap((one) => [one.name(), ...one.options.map(({ long }) => long?.slice(2) ?? '')])
  const near = nearest(unknown, known)
  return near === undefined ? '\nchainstage --help lists what there is.' : `\n(Did you mean ${message.includes('option') ? '--' : ''}${near}?)`
}
