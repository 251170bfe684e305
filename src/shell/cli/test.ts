import { Command } from 'commander'
import { isExpected, SimError } from '../../errors.ts'
import { exitCode, failureLine, isNotRun, skipped, type NotRun } from '../../scenario/report/outcome.ts'
import { textReport, textSummary } from '../../scenario/report/reporters.ts'
import { writeFileWhole } from '../durable/writeFile.ts'
import { filesOf, NoScenario } from '../glob.ts'
import { createLog } from '../log.ts'
import { startRecording } from '../recorder.ts'
import { runToEnd, type Ran } from '../runToEnd.ts'
import { loadScenario } from '../scenarios/scenarioFiles.ts'
import { stopCode, stopRequest, type StopSignal } from '../process/stopSignals.ts'
import { inShard, withCaseFlags, type CaseFlags } from './caseFlags.ts'
import { caseOutput, runCases, type CaseOutput } from './caseRuns.ts'
import { withFork, type ForkOptions } from './forkFlags.ts'
import { runSettings, givenVars, withRunOptions, withSettings } from './options.ts'
import { withPlayback, type PlaybackOptions } from './playbackFlags.ts'
import { createProgress, type RunProgress } from './progress.ts'
import { isOnScreen, notRun, report, reporterOption, reportersOf, screenPaint, type Reporter } from './reporting.ts'
import { aloneOf, chooseRun, operandsOf, recordInstead, reportPlaybacks, type RunRequest } from './runPlan.ts'
import type { Verb } from './verb.ts'

type Options = PlaybackOptions &
  ForkOptions &
  CaseFlags & {
    readonly json?: boolean
    readonly reporter?: readonly Reporter[]
    readonly tag?: string
    readonly log: string
    readonly var?: ReadonlyMap<string, string>
  }

/** `chainstage test`: runs scenarios, each on a separate chain. */
export const test: Verb = (exit) =>
  withCaseFlags(withFork(withPlayback(withRunOptions(withSettings(new Command('test'), runSettings)))))
    .summary('Run scenarios, each on a chain of its own, and report.')
    .description(
      'Run scenarios, each on a chain of its own, and report. The program after -- runs against each chain, with its ' +
        'addresses in the variables that chainstage run sets. ' +
        'A run that fails is written to a file for chainstage replay. Without scenarios, the program runs once, as with ' +
        'chainstage run.\n\n' +
        'The exit code is that of the first scenario that failed: 1 an expectation, 2 an invalid file or a pattern ' +
        'without files, 3 not finished in time, 4 calls that were not recorded, 5 different responses (--mode diff), ' +
        "6 unused or masked faults where they count, or the program's own.",
    )
    .argument('[patterns...]', "Scenario files, or patterns like 'scenarios/**/*.json5'.")
    .addOption(reporterOption())
    .option('--tag <tag>', 'Run only scenarios with this tag.')
    .option('--log <file>', 'File that records a failed run, for chainstage replay.', 'chainstage-run.log')
    .option('--json', 'Print the reports and the log as JSON, a line for each.')
    .action(async (words: readonly string[], options: Options, command: Command) => {
      const operands = operandsOf(words)
      const recorded = await recordInstead(command, operands, options)
      if (recorded !== undefined) return exit(recorded)
      if (options.jobs > 1 && options.playback !== undefined && options.mode === 'missing') throw new OneJob()
      const { files: patterns, program } = operands
      const reporters = reportersOf(options)
      // Text for stdout is printed after each scenario; all other reports are written at the end.
      const isText = reporters.some(isOnScreen)
      const stop = stopRequest()
      const began = performance.now()
      let outcomes: readonly (Ran | NotRun)[] = []
      try {
        const files = patterns.length > 0 ? inShard(await chosenFiles(patterns, options), options.shard) : [undefined]
        // A progress bar would mix with the output of a program.
        const progress = createProgress(isText && program.length === 0, files.length)
        const suite: Suite = { command, program, options, progress, stop, isText, failed: 0, attempts: 0 }
        outcomes = await runSuite(suite, files)
        progress.stop()
      } catch (error) {
        outcomes = [notRun(patterns.join(' '), error)]
        throw error
      } finally {
        await report(
          outcomes,
          reporters.filter((one) => !isOnScreen(one)),
        )
      }
      await reportPlaybacks(
        outcomes.flatMap((one) => (isNotRun(one) ? [] : [one])),
        options,
      )
      if (isText && (outcomes.length !== 1 || options.shard !== undefined)) {
        process.stdout.write(`\n${textSummary(outcomes, screenPaint(), performance.now() - began)}\n`)
      }
      // Skipping scenarios because of a stop request is not a success.
      const otherwise = stop.aborted ? stopCode(stop.reason as StopSignal) : 0
      exit(outcomes.map(exitCode).find((code) => code !== 0) ?? otherwise)
    })

type Suite = RunRequest & {
  readonly command: Command
  readonly options: Options
  readonly progress: RunProgress
  readonly isText: boolean
  /** Number of failed scenarios and of failed attempts. */
  failed: number
  attempts: number
}

async function runSuite(suite: Suite, files: readonly (string | undefined)[]): Promise<readonly (Ran | NotRun)[]> {
  const { options, progress, stop, isText } = suite
  const outcomes = await runCases<Ran | NotRun | undefined>({
    files,
    jobs: options.jobs,
    isOver: () => stop.aborted || (options.bail === true && suite.failed > 0),
    leftOut: () => undefined,
    run: async (file) => {
      const output = caseOutput(options.jobs === 1, progress.clear)
      const outcome = await runCase(suite, file, output)
      if (exitCode(outcome) !== 0) suite.failed += 1
      output.flush()
      progress.told(isNotRun(outcome) ? outcome.file : outcome.plan.name)
      if (isText) progress.print(textReport(outcome, screenPaint()))
      return outcome
    },
  })
  const isKept = !stop.aborted && options.bail === true
  return outcomes.flatMap((one, index) => one ?? (isKept ? [skipped(files[index] ?? '')] : []))
}

/** Runs a scenario until it passes or its retries are used up. */
async function runCase(suite: Suite, file: string | undefined, output: CaseOutput): Promise<Ran | NotRun> {
  const retried: string[] = []
  for (;;) {
    const outcome = await runOne(suite, file, output).catch((error: unknown) =>
      notRun(file ?? aloneOf(suite.program, suite.options).file, error),
    )
    if (isNotRun(outcome)) return outcome
    const isLast = exitCode(outcome) === 0 || retried.length === suite.options.retries || suite.stop.aborted
    if (isLast) return retried.length === 0 ? outcome : { ...outcome, retried }
    retried.push(failureLine(outcome))
  }
}

async function runOne(suite: Suite, file: string | undefined, output: CaseOutput): Promise<Ran> {
  const { command, options, progress } = suite
  const recorder = startRecording(await chooseRun(command, file, suite))
  const log = createLog({ isJson: options.json === true, out: output.log })
  log.open()
  const outcome = await runToEnd(
    { ...recorder.chosen, ...(output.program !== undefined && { printed: output.program }) },
    {
      log: log.write,
      record: (input, outputs, simulation) => {
        recorder.record(input, outputs, simulation)
        progress.at(simulation)
      },
    },
  )
  if (exitCode(outcome) !== 0) {
    suite.attempts += 1
    const path = suite.attempts === 1 ? options.log : `${options.log}.${suite.attempts}`
    try {
      await writeFileWhole(path, recorder.text())
      log.write('info', `written to ${path}; chainstage replay ${path} repeats it`)
    } catch (error) {
      if (!isExpected(error)) throw error
      // The report of the failed scenario matters more than its recording.
      log.write('warn', `${error.message}; choose another file with --log FILE`)
    }
  }
  return outcome
}

/**
 * Returns the files with the given tag. A file whose tags cannot be read is included; its run
 * reports the error.
 */
async function chosenFiles(patterns: readonly string[], { tag, var: vars }: Options): Promise<readonly string[]> {
  const found = await filesOf(patterns)
  if (tag === undefined) return found
  const isTagged = await Promise.all(
    found.map((file) =>
      loadScenario(file, { vars: givenVars(vars) }).then(
        ({ tags }) => tags.includes(tag),
        () => true,
      ),
    ),
  )
  const tagged = found.filter((_file, index) => isTagged[index])
  if (tagged.length === 0) throw new NoScenario([`the tag "${tag}"`])
  return tagged
}

/** Thrown for parallel runs that would write to the same recording. */
export class OneJob extends SimError {
  constructor() {
    super('CONTRADICTION', '--mode missing adds to the recording, so only one scenario can run at a time', {
      hint: 'Leave --jobs out, or play the recording with --mode strict.',
    })
  }
}
