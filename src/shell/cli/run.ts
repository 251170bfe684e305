import { Command } from 'commander'
import { exitCode, reportText } from '../../scenario/report.ts'
import { maskedText } from '../../fault/openCalls.ts'
import { createLog } from '../log.ts'
import { freePorts, runToEnd } from '../runToEnd.ts'
import { choose, withSettings } from './options.ts'
import type { Verb } from './verb.ts'

/** `chainstage run`: a scenario from its first step to its report. */
export const run: Verb = (exit) => withSettings(new Command('run'))
  .summary('Run a scenario to its end and report.')
  .description('Run a scenario to its end and report; exit code 0 passed, 1 an expectation failed, 3 not finished.\n'
    + 'What stands after -- is run against it, with CHAINSTAGE_ETH_URL and CHAINSTAGE_COMET_URL in its environment;\n'
    + 'its own exit code counts first.')
  .argument('<scenario>', 'a scenario file')
  .argument('[command...]', 'a program with its arguments, after --')
  .option('--json', 'print the report and the log as JSON')
  .action(async (path: string, words: readonly string[], { json }: { json?: boolean }, command: Command) => {
    const chosen = await choose(command, path, freePorts)
    const log = createLog({ isJson: json === true })
    log.open()
    const { plan, progress, childCode, masked } = await runToEnd({ ...chosen, command: words }, { log: log.write, record: () => {} })
    const { state, step: reached, failures } = progress
    process.stdout.write(`${json === true
      ? JSON.stringify({ name: plan.name, state, steps: plan.steps.map(({ id }) => id), reached, failures, childCode, masked: masked.map(maskedText) })
      : [reportText(plan, progress), ...masked.map(maskedText)].join('\n')}\n`)
    exit(childCode === 0 ? exitCode(progress) : childCode)
  })
