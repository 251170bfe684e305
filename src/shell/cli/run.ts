import { Command } from 'commander'
import { exitCode, reportText } from '../../scenario/report.ts'
import { createLog } from '../log.ts'
import { runToEnd } from '../runToEnd.ts'
import { choose, withSettings } from './options.ts'
import type { Verb } from './verb.ts'

/** `chainstage run`: a scenario from its first step to its report. */
export const run: Verb = (exit) => withSettings(new Command('run'))
  .description('Run a scenario to its end and report; exit code 0 passed, 1 an expectation failed, 3 not finished.')
  .argument('<scenario>', 'a scenario file')
  .option('--json', 'print the report as JSON')
  .action(async (path: string, { json }: { json?: boolean }, command: Command) => {
    const chosen = await choose(command, path)
    const log = createLog()
    log.open()
    const { plan, progress } = await runToEnd(chosen, { log: log.write, record: () => {} })
    process.stdout.write(`${json === true
      ? JSON.stringify({ name: plan.name, state: progress.state, steps: plan.steps.map(({ id }) => id), reached: progress.step, failures: progress.failures })
      : reportText(plan, progress)}\n`)
    exit(exitCode(progress))
  })
