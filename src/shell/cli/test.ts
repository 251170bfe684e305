import { writeFile } from 'node:fs/promises'
import { Command } from 'commander'
import { exitCode, type RunOutcome } from '../../scenario/report/outcome.ts'
import { textReport, textSummary } from '../../scenario/report/reporters.ts'
import { filesOf } from '../glob.ts'
import { createLog } from '../log.ts'
import { startRecording } from '../recorder.ts'
import { freePorts, freePortsWithControl, NoScenario, runToEnd } from '../runToEnd.ts'
import { loadScenario } from '../scenarioFiles.ts'
import { choose, varsOf, withRunOptions, withSettings } from './options.ts'
import { createProgress, type Progress } from './progress.ts'
import { report, reporterOption, reportersOf, type Reporter } from './reporting.ts'
import type { Verb } from './verb.ts'

type Options = {
  readonly json?: boolean
  readonly reporter?: readonly Reporter[]
  readonly tag?: string
  readonly log: string
  readonly var?: ReadonlyMap<string, string>
}

/** `chainstage test`: scenarios one after the other, each with a chain of its own. */
export const test: Verb = (exit) => withRunOptions(withSettings(new Command('test')))
  .summary('Run scenarios, each on a chain of its own, and report.')
  .description('Run scenarios one after the other, each on a chain of its own, and report; the exit code is that of the\n'
    + 'first that failed: 1 an expectation, 3 not finished, 6 unused or masked faults where they count, or the program\'s.\n'
    + 'What stands after -- is run against each, with CHAINSTAGE_ETH_URL, CHAINSTAGE_COMET_URL, CHAINSTAGE_WS_URL\n'
    + 'and CHAINSTAGE_ADMIN_URL in its environment. A run that failed is written to a file that replays.')
  .argument(
    '<patterns...>',
    "files, or patterns like 'scenarios/**/*.json5'; then -- and a program with its arguments"
  )
  .addOption(reporterOption())
  .option('--tag <tag>', 'only scenarios with this tag')
  .option(
    '--log <file>', 'where to write a run that failed, for chainstage replay', 'chainstage-run.log'
  )
  .option('--json', 'print the reports and the log as JSON, a line for each')
  .action(async (words: readonly string[], options: Options, command: Command) => {
    const program = wordsAfterDashes()
    const files = await chosenFiles(words.slice(0, words.length - program.length), options)
    const reporters = reportersOf(options)
    const isText = reporters.some(({ kind, path }) => kind === 'text' && path === undefined)
    const progress = createProgress(isText, files.length)
    const outcomes: RunOutcome[] = []
    for (const file of files) {
      const outcome = await runOne(
        command, file,
        { program, options, progress, failed: outcomes.filter((one) => exitCode(one) !== 0).length }
      )
      outcomes.push(outcome)
      progress.told(outcome.plan.name)
      if (isText) progress.print(textReport(outcome))
    }
    progress.stop()
    if (isText && outcomes.length > 1) process.stdout.write(`\n${textSummary(outcomes)}\n`)
    await report(
      outcomes, reporters.filter(({ kind, path }) => kind !== 'text' || path !== undefined)
    )
    exit(outcomes.map(exitCode).find((code) => code !== 0) ?? 0)
  })

type Running = {
  readonly program: readonly string[]; readonly options: Options; readonly failed: number;
  readonly progress: Progress
}

async function runOne(
  command: Command, file: string, { program, options, failed, progress }: Running,
): Promise<RunOutcome> {
  const chosen = await choose(command, file, program.length > 0 ? freePortsWithControl : freePorts)
  const recorder = startRecording({ ...chosen, command: program })
  const log = createLog({ isJson: options.json === true })
  log.open()
  const outcome = await runToEnd(recorder.chosen, {
    log: (level, text) => { progress.clear(); log.write(level, text) },
    record: (input, outputs, simulation) => {
      recorder.record(input, outputs, simulation)
      progress.at(simulation)
    },
  })
  if (exitCode(outcome) !== 0) {
    const path = failed === 0 ? options.log : `${options.log}.${failed + 1}`
    await writeFile(path, recorder.text())
    log.write('info', `written to ${path}; chainstage replay ${path} repeats it`)
  }
  return outcome
}

/** The operands do not say where the dashes stood; the command line does. */
function wordsAfterDashes(): readonly string[] {
  const at = process.argv.indexOf('--')
  return at < 0 ? [] : process.argv.slice(at + 1)
}

async function chosenFiles(
  patterns: readonly string[], { tag, var: vars }: Options,
): Promise<readonly string[]> {
  const found = [...new Set((await Promise.all(patterns.map(filesOf))).flat())]
  const [pattern = ''] = patterns
  if (found.length === 0) throw new NoScenario(pattern)
  if (tag === undefined) return found
  const tagged: string[] = []
  for (const file of found) {
    const { tags } = await loadScenario(file, { vars: varsOf(vars) })
    if (tags.includes(tag)) tagged.push(file)
  }
  if (tagged.length === 0) throw new NoScenario(`the tag "${tag}"`)
  return tagged
}
