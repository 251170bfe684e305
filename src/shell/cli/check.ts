import { Command, Option } from 'commander'
import { InvalidScenario, type Diagnostic } from '../../scenario/diagnostic.ts'
import { SimError } from '../../errors.ts'
import { filesOf } from '../glob.ts'
import { NoScenario } from '../runToEnd.ts'
import { loadScenario } from '../scenarioFiles.ts'
import { varOption, varsOf } from './options.ts'
import type { Verb } from './verb.ts'

type Format = 'text' | 'json' | 'github'
type Options = {
  readonly json?: boolean; readonly format: Format; readonly var?: ReadonlyMap<string, string>
}

/** `chainstage check`: whether scenarios are sound, without running them. */
export const check: Verb = (exit) => new Command('check')
  .description(
    'Check scenario files without running them; every problem of every file is named with its line.'
  )
  .argument('<scenarios...>', "scenario files, or patterns like 'scenarios/**/*.json5'")
  .option('--json', 'print as JSON, a line for each')
  .addOption(new Option(
    '--format <format>', 'github: as annotations of a pull request'
  ).choices(['text', 'json', 'github']).default('text'))
  .addOption(varOption())
  .action(async (patterns: readonly string[], { json, format, var: given }: Options) => {
    const files = [...new Set((await Promise.all(patterns.map(filesOf))).flat())]
    if (files.length === 0) throw new NoScenario(patterns[0])
    for (const file of files) {
      const isSound = await checkOne(
        file, { format: json === true ? 'json' : format, vars: varsOf(given) }
      )
      if (!isSound) exit(2)
    }
  })

async function checkOne(
  path: string, { format, vars }: { format: Format; vars: ReadonlyMap<string, string> },
): Promise<boolean> {
  try {
    const { plan, closure } = await loadScenario(path, { vars })
    const counts = { steps: plan.steps.length, faults: plan.faults.length, files: closure.length }
    if (format === 'json') say({ path, name: plan.name, ...counts })
    if (
      format === 'text'
    ) process.stdout.write(`${path}: ${plan.name}: ${counts.steps} steps, ${counts.faults} faults, ${counts.files} files\n`)
    return true
  } catch (error) {
    if (!(error instanceof SimError)) throw error
    const problems = error instanceof InvalidScenario ? error.diagnostics : [unplaced(path, error)]
    if (format === 'text') process.stderr.write(`${error.message}\n`)
    if (format === 'json') say({ path, problems })
    if (format === 'github') process.stdout.write(`${problems.map(annotation).join('\n')}\n`)
    return false
  }
}

function say(value: object): void {
  process.stdout.write(`${JSON.stringify(value)}\n`)
}

function unplaced(file: string, { code, message, hint }: SimError): Diagnostic {
  return { file, line: 1, column: 1, code, message, hint }
}

function annotation({ file, line, column, code, message, hint }: Diagnostic): string {
  const text = `${message}${hint === undefined ? '' : ` (${hint})`}`.replace(/%/g, '%25').replace(
    /\r/g, '%0D'
  ).replace(/\n/g, '%0A')
  return `::error file=${file},line=${line},col=${column},title=${code}::${text}`
}
