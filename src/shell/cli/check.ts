import { Command } from 'commander'
import { loadScenario } from '../scenarioFiles.ts'
import { varOption, varsOf } from './options.ts'
import type { Verb } from './verb.ts'

type Options = { readonly json?: boolean; readonly var?: ReadonlyMap<string, string> }

/** `chainstage check`: whether scenarios are sound, without running them. */
export const check: Verb = () => new Command('check')
  .description('Check scenario files without running them; every problem is named with its line.')
  .argument('<scenarios...>', 'scenario files')
  .option('--json', 'print as JSON, a line for each')
  .addOption(varOption())
  .action(async (paths: readonly string[], { json, var: given }: Options) => {
    for (const path of paths) {
      const { plan, closure } = await loadScenario(path, { vars: varsOf(given) })
      const counts = { steps: plan.steps.length, faults: plan.faults.length, files: closure.length }
      process.stdout.write(json === true ? `${JSON.stringify({ path, name: plan.name, ...counts })}\n` : `${path}: ${plan.name}: ${plan.steps.length} steps, ${plan.faults.length} faults, ${closure.length} files\n`)
    }
  })
