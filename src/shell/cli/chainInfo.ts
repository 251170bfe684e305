import { Option, Command } from 'commander'
import { latestBlock } from '../../chain/view.ts'
import { createSimulation, simulate } from '../../simulation.ts'
import { chainInfo as describe, chainInfoFormats } from '../wallets/chainInfo.ts'
import { createWorld } from '../world.ts'
import { withParts } from '../loadPart.ts'
import { callControl, type ClientOptions } from './client.ts'
import { choose, withSettings } from './options.ts'
import type { Verb } from './verb.ts'
import { plannedUrls } from '../urls.ts'
import { noPlan } from '../../plan/plan.ts'

type Options = ClientOptions & { readonly format: string; readonly offline?: boolean }

/** `chainstage chain-info`: prints the description of a chain for wallets and registries. */
export const chainInfo: Verb = () =>
  withSettings(new Command('chain-info'))
    .description(
      'Print the chain description that wallets and registries read. ' +
        'With --offline, describe the chain that start would serve.',
    )
    .argument('[scenario]', 'Scenario file, with --offline.')
    .addOption(
      new Option('--format <format>', 'Wallet or registry that reads the description.')
        .choices(chainInfoFormats)
        .default('keplr'),
    )
    .option('--offline', 'Read the settings instead of asking a running chain.')
    .option('--url <url>', 'Control port of the running chain as a URL. [CHAINSTAGE_CONTROL_URL]')
    .option('--session <name>', 'Session to use instead of the main chain.')
    .action(async (path: string | undefined, options: Options, command: Command) => {
      const info =
        options.offline === true || path !== undefined
          ? await describePlanned(command, path, options.format)
          : await callControl(options, 'GET', `/chain-info?format=${options.format}`)
      process.stdout.write(`${JSON.stringify(info, null, 2)}\n`)
    })

/** Describes the chain without starting a server, as it is after its first block. */
async function describePlanned(command: Command, path: string | undefined, format: string) {
  const { settings, scenario, genesis: document } = await choose(command, path)
  const { world, genesis } = createWorld(settings, document)
  const plan = scenario?.plan ?? noPlan
  const stamp = { seq: 1, timeMs: BigInt(settings.startTimeMs), session: '' }
  const first = createSimulation(world, { settings, genesis, plan })
  const { simulation } = await withParts(() => simulate(world, first, { kind: 'tick', ...stamp }))
  const { simulation: mined } =
    latestBlock(simulation.node.chain) !== undefined
      ? { simulation }
      : simulate(world, simulation, {
          kind: 'operator',
          by: 'chain-info',
          command: { type: 'produceBlock' },
          ...stamp,
        })
  return describe({ world, simulation: () => mined }, plannedUrls(settings), format)
}
