import { Command } from 'commander'
import { exitCode } from '../../scenario/report/outcome.ts'
import { createLog } from '../log.ts'
import { freePorts, freePortsWithControl, runToEnd } from '../runToEnd.ts'
import { choose, withRunOptions, withSettings } from './options.ts'
import { createProgress } from './progress.ts'
import { report, reporterOption, reportersOf, type Reporter } from './reporting.ts'
import type { Verb } from './verb.ts'

type Options = { readonly json?: boolean; readonly reporter?: readonly Reporter[] }

/** `chainstage run`: a scenario from its first step to its report. */
export const run: Verb = (exit) => withRunOptions(withSettings(new Command('run')))
  .summary('Run a scenario to its end and report.')
  .description('Run a scenario to its end and report; exit code 0 passed, 1 an expectation failed, 3 not finished,\n'
    + '6 unused or masked faults where the scenario says that they count.\n'
    + 'What stands after -- is run against it, with CHAINSTAGE_ETH_URL, CHAINSTAGE_COMET_URL, CHAINSTAGE_WS_URL and\n'
    + 'CHAINSTAGE_ADMIN_URL in its environment; its own exit code counts if it fails first.')
  .argument('<scenario>', 'a scenario file')
  .argument('[command...]', 'a program with its arguments, after --')
  .addOption(reporterOption())
  .option('--json', 'print the report and the log as JSON')
  .action(async (path: string, words: readonly string[], options: Options, command: Command) => {
    const chosen = await choose(command, path, words.length > 0 ? freePortsWithControl : freePorts)
    const log = createLog({ isJson: options.json === true })
    log.open()
    const reporters = reportersOf(options)
    const isText = reporters.some((one) => one.kind === 'text' && one.path === undefined)
    const progress = createProgress(isText, 1)
    const outcome = await runToEnd({ ...chosen, command: words }, {
      log: (level, text) => { progress.clear(); log.write(level, text) },
      record: (_input, _outputs, simulation) => progress.at(simulation),
    })
    progress.stop()
    await report([outcome], reporters)
    exit(exitCode(outcome))
  })
