/** The flags of `chainstage start`, and their defaults from the working folder. */
import { resolve } from 'node:path'
import { Option, type Command } from 'commander'
import { SimError } from '../../errors.ts'
import type { Simulation } from '../../simulation/turn.ts'
import { packagePath } from '../packageFiles.ts'
import { historyPolicies, type OnHistoryChange } from '../reloader.ts'
import { withFleet, type FleetFlags } from './fleetFlags.ts'
import { withFork, type ForkOptions } from './forkFlags.ts'
import { detail } from './help.ts'
import { withSettings } from './options.ts'
import { withPlayback, type PlaybackOptions } from './playbackFlags.ts'
import { isBare, usualScenario } from './usualScenario.ts'

export type StartOptions = PlaybackOptions &
  ForkOptions &
  FleetFlags & {
    readonly watch?: boolean
    readonly force?: boolean
    readonly onHistoryChange?: OnHistoryChange
    readonly json?: boolean
    readonly silent?: boolean
    readonly open?: boolean
    readonly profile?: string
    readonly home?: string
    readonly detach?: boolean
    readonly state?: string
    readonly loadState?: string
    readonly dumpState?: string
    readonly durability?: 'fsync' | 'write' | 'none'
    readonly logRequests?: boolean
  }

/** Adds the flags of `start` in the order of its help. */
export function withStartFlags(command: Command): Command {
  withFleet(withFork(withPlayback(withSettings(command))))
  for (const [group, options] of Object.entries(groups())) {
    for (const option of options) command.addOption(option.helpGroup(`${group}:`))
  }
  return command.addHelpOption(
    new Option('-h, --help [all]', 'Show this help, or all flags with their defaults.').helpGroup('State and output:'),
  )
}

/**
 * Options in help order. `--no-mining`, `--port` and `--host` appear only for the help; they have
 * already been rewritten (`rewriteFlags.ts`).
 */
function groups(): Readonly<Record<string, readonly Option[]>> {
  return {
    Chain: [new Option('--no-mining', 'Mine on demand only: --blocks manual.')],
    Network: [
      new Option('-p, --port <port>', 'Port of Ethereum JSON-RPC (default: 8545).'),
      new Option('--host <address>', 'Address of all ports but control and metrics (default: 127.0.0.1).'),
    ],
    'State and output': [
      new Option('--state <file>', 'Keep the node in a file. If the file exists, continue from it.'),
      detail(
        new Option(
          '--durability <mode>',
          'How --state and --home keep changes. fsync: on disk before the response (default); write: handed to the operating system before the response; none: --state on exit, --home not at all.',
        ).choices(['fsync', 'write', 'none']),
      ),
      detail(new Option('--load-state <file>', 'Load the node from a file.')),
      detail(new Option('--dump-state <file>', 'Save the node to a file on exit.')),
      new Option('--silent', 'Print nothing but errors.'),
      new Option('--json', 'Print banner and log as JSON.'),
      new Option('--log-requests', 'Log every request with its method, status and duration.'),
      new Option('--open', 'Open the dashboard in a browser.'),
      new Option('--detach', 'Serve in the background; see chainstage instances.'),
      detail(new Option('--watch', 'Reload saved files (default unless CI is set).')),
      detail(new Option('--no-watch', 'Do not reload saved files (default if CI is set).')),
      detail(new Option('--force', 'Reload saved files even if CI is set.')),
      detail(
        new Option(
          '--on-history-change <policy>',
          'When a saved scenario needs a new genesis: restart the chain, keep it (default if CI is set), or rebase: replay all earlier inputs on the new genesis.',
        ).choices(historyPolicies),
      ),
    ],
  }
}

/**
 * Resolves with the scenario to start: the given one, the one in the working folder, or the
 * built-in one. Undefined if profile, home or fork define the chain. Throws `SeveralScenarios`.
 */
export async function scenarioOf(given: string | undefined, options: StartOptions): Promise<string | undefined> {
  if (given !== undefined) return resolve(given)
  if (!isBare(options)) return undefined
  const usual = await usualScenario()
  return usual === undefined ? packagePath('scenarios/local.json5') : resolve(usual)
}

type States = {
  readonly load: (() => Promise<Simulation | undefined>) | undefined
  readonly save: { readonly path: string; readonly write: (simulation: Simulation) => Promise<void> } | undefined
}

/**
 * Resolves with how the node is loaded, and with the file to save to on exit. With `isKept`, `--state`
 * saves every change already and needs neither. Rejects with `TwoStates`.
 */
export async function statesOf({ state, loadState, dumpState }: StartOptions, isKept: boolean): Promise<States> {
  if (state !== undefined && (loadState ?? dumpState) !== undefined) throw new TwoStates()
  const before = isKept ? undefined : state
  const to = before ?? dumpState
  if (before === undefined && loadState === undefined && to === undefined) return { load: undefined, save: undefined }
  // Loaded only for a file, and not at the exit: the package may have been replaced by then.
  const { readState, stateAt, writeState } = await import('../stateFile.ts')
  const load = loadState === undefined ? undefined : () => stateAt(loadState)
  return {
    load: before === undefined ? load : () => readState(before),
    save: to === undefined ? undefined : { path: to, write: (simulation) => writeState(to, simulation) },
  }
}

/** Thrown for `--state` with `--load-state` or `--dump-state`. */
export class TwoStates extends SimError {
  constructor() {
    super('BAD_SETTING', '--state loads and saves, so it cannot be combined with --load-state and --dump-state', {
      hint: 'Give --state alone, or --load-state and --dump-state without it.',
    })
  }
}
