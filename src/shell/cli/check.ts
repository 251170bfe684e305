import { Command, Option } from 'commander'
import { counted } from '../../data/counted.ts'
import { isExpected, messageAndHint, type SimError } from '../../errors.ts'
import { InvalidScenario, problemsOf } from '../../scenario/diagnostic.ts'
import { githubProblem, githubWarning } from '../../scenario/report/reporters.ts'
import { allOf } from '../../data/work.ts'
import { begin } from '../beginning.ts'
import { filesOf, NoScenario } from '../glob.ts'
import { freePorts } from '../runToEnd.ts'
import { choose, varOption } from './options.ts'
import type { Verb } from './verb.ts'

type Format = 'text' | 'json' | 'github'
type Options = { readonly json?: boolean; readonly format: Format }

/** `chainstage check`: validates scenarios without running them. */
export const check: Verb = (exit) =>
  new Command('check')
    .description('Check scenario files without running them.')
    .argument('<scenarios...>', "Scenario files, or patterns like 'scenarios/**/*.json5'.")
    .option('--json', 'Print as JSON, a line for each file.')
    .addOption(
      new Option('--format <format>', 'Output format; github: annotations of a pull request.')
        .choices(['text', 'json', 'github'])
        .default('text'),
    )
    .addOption(varOption())
    .action(async (patterns: readonly string[], { json, format }: Options, command: Command) => {
      for (const file of await filesOf(patterns)) {
        const isSound = await checkOne(file, { format: json === true ? 'json' : format, command })
        if (!isSound) exit(2)
      }
    })

async function checkOne(path: string, { format, command }: { format: Format; command: Command }): Promise<boolean> {
  try {
    const { scenario, settings, genesis, warnings: warningsOf } = await choose(command, path, freePorts)
    if (scenario === undefined) throw new NoScenario([path])
    const { plan, closure } = scenario
    // Creates the chain as `run` does, to find errors that only the chain detects.
    allOf(begin({ settings, plan, genesis }))
    const counts = { steps: plan.steps.length, faults: plan.faults.length, files: closure.length }
    const warnings = await warningsOf()
    if (format === 'json') say({ path, name: plan.name, ...counts, warnings })
    if (format === 'text') {
      process.stdout.write(
        `${path}: ${plan.name}: ${counted(counts.steps, 'step')}, ${counted(counts.faults, 'fault')}, ${counted(counts.files, 'file')}\n`,
      )
      for (const text of warnings) process.stderr.write(`${path}: warning: ${text}\n`)
    }
    if (format === 'github')
      for (const text of warnings) process.stdout.write(`${githubWarning(path, plan.name, text)}\n`)
    return true
  } catch (error) {
    if (!isExpected(error)) throw error
    const problems = problemsOf(path, error)
    if (format === 'text') process.stderr.write(`${problemText(path, error)}\n`)
    if (format === 'json') say({ path, problems })
    if (format === 'github') process.stdout.write(`${problems.map(githubProblem).join('\n')}\n`)
    return false
  }
}

/**
 * Returns the error as text. Scenario errors name their location; chain errors get the file name.
 */
function problemText(path: string, error: SimError): string {
  if (error instanceof InvalidScenario) return error.message
  return `${path}: ${messageAndHint(error)}`
}

function say(value: object): void {
  process.stdout.write(`${JSON.stringify(value)}\n`)
}
