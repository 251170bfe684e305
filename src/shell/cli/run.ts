import { Command } from 'commander'
import { exitCode } from '../../scenario/report/outcome.ts'
import { createLog } from '../log.ts'
import { runToEnd, type Ran } from '../runToEnd.ts'
import { stopRequest } from '../process/stopSignals.ts'
import { withFork, type ForkOptions } from './forkFlags.ts'
import { runSettings, withRunOptions, withSettings } from './options.ts'
import { withPlayback, type PlaybackOptions } from './playbackFlags.ts'
import { createProgress } from './progress.ts'
import { isOnScreen, notRun, report, reporterOption, reportersOf, type Reporter } from './reporting.ts'
import { aloneOf, chooseRun, operandsOf, recordInstead, reportPlaybacks, type RunRequest } from './runPlan.ts'
import type { Verb } from './verb.ts'

type Options = PlaybackOptions &
  ForkOptions & {
    readonly json?: boolean
    readonly reporter?: readonly Reporter[]
  }

/** `chainstage run`: runs a scenario from its first step to its report. */
export const run: Verb = (exit) =>
  withFork(withPlayback(withRunOptions(withSettings(new Command('run'), runSettings))))
    .summary('Run one scenario to its end, with a program against it.')
    .description(
      'Run a scenario to its end and report. The program after -- runs against the chain, with its addresses in ' +
        'CHAINSTAGE_ETH_URL, CHAINSTAGE_ETH_WS_URL, CHAINSTAGE_COMET_URL, CHAINSTAGE_COMET_WS_URL, ' +
        'CHAINSTAGE_REST_URL, CHAINSTAGE_GRPC_URL and CHAINSTAGE_CONTROL_URL. Without a scenario: chainstage.json5 or ' +
        'scenarios/ in this folder, else ten funded accounts.\n\n' +
        'Exit codes: 0 passed, 1 an expectation failed, 3 not finished in time, 4 calls that were not recorded, ' +
        "5 different responses (--mode diff), 6 unused or masked faults where they count; the program's own if " +
        'it failed first.',
    )
    .argument('[scenario]', 'Scenario file.')
    .argument('[command...]', 'Program to run, with its arguments, after --.')
    .addOption(reporterOption())
    .option('--json', 'Print the report and the log as JSON.')
    .action(async (given: string | undefined, more: readonly string[], options: Options, command: Command) => {
      const operands = operandsOf(given === undefined ? more : [given, ...more])
      const recorded = await recordInstead(command, operands, options)
      if (recorded !== undefined) return exit(recorded)
      const [file, ...words] = operands.files
      const request = { program: [...words, ...operands.program], options, stop: stopRequest() }
      const reporters = reportersOf(options)
      const outcome = await runOne(command, file, request).catch(async (error: unknown) => {
        // Replace old reports now, so that none is mistaken for a report of this run.
        const path = file ?? aloneOf(request.program, options).file
        await report(
          [notRun(path, error)],
          reporters.filter((one) => one.path !== undefined),
        )
        throw error
      })
      await report([outcome], reporters)
      await reportPlaybacks([outcome], options)
      exit(exitCode(outcome))
    })

async function runOne(
  command: Command,
  file: string | undefined,
  request: RunRequest & { readonly options: Options },
): Promise<Ran> {
  const { options } = request
  const toRun = await chooseRun(command, file, request)
  const log = createLog({ isJson: options.json === true })
  log.open()
  const progress = createProgress(reportersOf(options).some(isOnScreen) && request.program.length === 0, 1)
  const outcome = await runToEnd(toRun, {
    log: (level, text) => {
      progress.clear()
      log.write(level, text)
    },
    record: (_input, _outputs, simulation) => progress.at(simulation),
  })
  progress.stop()
  return outcome
}
