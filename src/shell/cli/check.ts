import { Command } from 'commander'
import { loadScenario } from '../scenarioFiles.ts'
import type { Verb } from './verb.ts'

/** `chainstage check`: whether scenarios are sound, without running them. */
export const check: Verb = () => new Command('check')
  .description('Check scenario files without running them; every problem is named with its line.')
  .argument('<scenarios...>', 'scenario files')
  .action(async (paths: readonly string[]) => {
    for (const path of paths) {
      const { plan, closure } = await loadScenario(path)
      process.stdout.write(`${path}: ${plan.name}: ${plan.steps.length} steps, ${plan.faults.length} faults, ${closure.length} files\n`)
    }
  })
