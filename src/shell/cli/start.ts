import { isAbsolute, resolve } from 'node:path'
import { Command, Option } from 'commander'
import { SimError } from '../../errors.ts'
import { detach } from '../instances.ts'
import { createLog } from '../log.ts'
import { packagePath, packageVersion } from '../packageFiles.ts'
import type { Mode } from '../recordings/modes.ts'
import { historyPolicies, type OnHistoryChange } from '../reloader.ts'
import type { Running } from '../server.ts'
import { serve } from '../serving.ts'
import { readState, writeState } from '../stateFile.ts'
import { watchHome } from '../watch.ts'
import { accountsOf, bannerText, listeningText } from './banner.ts'
import { chooseFork, endFork, withFork, type ForkOptions } from './forkFlags.ts'
import { choose, withSettings } from './options.ts'
import { choosePlayback, endPlayback, withPlayback, type PlaybackOptions } from './playbackFlags.ts'
import { recordNode, type Addresses, type RecordNode } from './recordNode.ts'
import { untilStopped } from './stop.ts'
import type { Verb } from './verb.ts'

type Options = PlaybackOptions & ForkOptions & {
  readonly watch?: boolean; readonly force?: boolean; readonly onHistoryChange?: OnHistoryChange
  readonly json?: boolean; readonly profile?: string; readonly home?: string;
  readonly detach?: boolean
  readonly state?: string; readonly logRequests?: boolean
}

/** `chainstage start`: a chain that serves until it is stopped. */
export const start: Verb = (exit) => withFork(withPlayback(withSettings(new Command('start'))))
  .description(
    'Start a chain and serve it until Ctrl-C. A saved scenario takes effect while it runs.'
  )
  .argument(
    '[scenario]',
    'a scenario file; scenarios/local.json5 when neither it nor --profile nor --home is given',
  )
  .option('--watch', 'look for saved files, as it does unless CI is set')
  .option('--no-watch', 'do not look for saved files')
  .option('--force', 'look for saved files even where CI is set')
  .addOption(
    new Option(
      '--on-history-change <policy>',
      'what to do when a saved scenario needs a new genesis; restart, keep (where CI is set) or rebase: enter again what was entered',
    ).choices(historyPolicies)
  )
  .option(
    '--state <file>',
    'go on from this file where there is one, and save the whole node there at the end',
  )
  .option('--json', 'print the banner and the log as JSON')
  .option(
    '--log-requests', 'log every request that is answered: its method, status and milliseconds'
  )
  .option(
    '--detach',
    'serve in a process of its own and return; chainstage instances lists and stops them'
  )
  .action(async (given: string | undefined, options: Options, command: Command) => {
    if (options.detach === true) return startDetached(options)
    const path = scenarioOf(given, options)
    const chosen = await choose(command, path)
    const { scenario, home } = chosen
    const playing = await choosePlayback(options, scenario?.maxDegraded)
    if (playing?.kind === 'record') return exit(
      await recordNode(recordingOf(options, command, playing))
    )
    const stopped = untilStopped()
    const fork = await chooseFork(options, chosen.settings)
    const settings = { ...chosen.settings, ...fork?.settings }
    const log = createLog({ isJson: options.json === true })
    const state = options.state === undefined ? undefined : await readState(options.state)
    const watches = watchesOf(options)
    const serving = await serve({
      ...(playing === undefined ? {} : { playing: playing.opened }),
      settings: playing === undefined ? settings : { ...settings, blocks: 'manual' },
      scenario: path === undefined || scenario === undefined
        ? undefined
        : { path, loaded: scenario },
      ...(fork === undefined ? {} : { forking: fork.forking }),
      genesis: fork?.genesis ?? chosen.genesis, home, log: log.write, record: () => {}, state,
      watches,
      onHistoryChange: options.onHistoryChange ?? (isCi() ? 'keep' : 'restart'),
      settingsOf: async (said) => ({ ...await chosen.again(said), ...fork?.settings }),
      ...(options.logRequests === true ? { onAnswer: log.request } : {}),
      stop: () => { process.emit('SIGTERM') },
    })
    const running = serving.running()
    const watching = watches && home !== undefined
      ? await watchHome(home, chosen, serving.running, log.write)
      : undefined
    process.stdout.write(
      options.json === true
        ? `${jsonText(running)}\n`
        : `${bannerText(running)}\n${listeningText(running)}\n`
    )
    log.open()
    await stopped
    await watching?.close()
    await serving.close()
    if (options.state !== undefined) await saveOnExit(options.state, serving.running())
    if (fork !== undefined) exit(endFork(fork))
    if (playing !== undefined) exit(await endPlayback(playing.opened, options))
  })

async function saveOnExit(path: string, { simulation }: Running): Promise<void> {
  process.stderr.write(`saving height ${simulation().node.chain.height} to ${path} …\n`)
  await writeState(path, simulation())
}

/** A run in CI that waits for somebody to save a file is a mistake. */
function watchesOf({ watch, force }: Options): boolean {
  if (watch === true && isCi() && force !== true) throw new BadWatch()
  return watch ?? (!isCi() || force === true)
}

function isCi(): boolean {
  return ![undefined, '', '0', 'false'].includes(process.env['CI'])
}

/** The same words without --detach; every flag is passed on as it was written. */
async function startDetached({ json }: Options): Promise<void> {
  const words = process.argv.slice(2).filter((word) => word !== '--detach' && word !== '--json')
  const record = await detach(words[0] === 'start' ? words.slice(1) : words)
  process.stdout.write(json === true ? `${JSON.stringify(record)}\n`
    : `${listeningText(record)}\nIt runs as ${record.pid} and writes to ${record.log}; chainstage instances stop ${record.pid} ends it.\n`)
}

/** Modes that record serve where a chain would. */
function recordingOf(
  options: Options, command: Command, { out, mode }: { out: string; mode: Mode },
): RecordNode {
  const { upstreamComet: comet, upstreamEth: eth, upstreamWs: ws, json, allowWrites } = options
  const addresses = command.opts<Addresses>()
  return {
    out, words: [], level: 'blocks', poll: '500', keep: mode === 'all',
    allowWrites: allowWrites === true,
    ...(json === undefined ? {} : { json }),
    ...(comet === undefined ? {} : { comet }), ...(eth === undefined ? {} : { eth }),
    ...(ws === undefined ? {} : { ws }),
    'rpc.laddr': addresses['rpc.laddr'] ?? 'tcp://127.0.0.1:26657',
    'jsonRpc.address': addresses['jsonRpc.address'] ?? '127.0.0.1:8545',
    'jsonRpc.wsAddress': addresses['jsonRpc.wsAddress'] ?? '127.0.0.1:8546',
  }
}

/** Nothing said at all is the scenario that ships; a fork needs none. */
function scenarioOf(
  given: string | undefined, { profile, home, fork }: Options,
): string | undefined {
  if (given !== undefined) return isAbsolute(given) ? given : resolve(given)
  const { NODE_HOME, CHAINSTAGE_PROFILE } = process.env
  const isBare = (profile ?? home ?? fork ?? NODE_HOME ?? CHAINSTAGE_PROFILE) === undefined
  return isBare ? packagePath('scenarios/local.json5') : undefined
}

function jsonText({ settings, keys, simulation, listeners, urls }: Running): string {
  const { node, plan } = simulation()
  return JSON.stringify({
    chainstage: packageVersion(), listening: listeners, urls, evmChainId: settings.evmChainId,
    chainId: node.chain.genesis.chainId,
    scenario: plan.name, seed: settings.seed, mnemonic: settings.mnemonic,
    accounts: accountsOf(keys, settings),
  })
}

/** Watching files where nobody saves any. */
export class BadWatch extends SimError {
  constructor() {
    super(
      'BAD_SETTING', 'CI is set, and nobody saves files there',
      { hint: 'Leave --watch out, or add --force.' },
    )
  }
}
