import { Command } from 'commander'
import { SimError } from '../../errors.ts'
import { settingsToContinue } from '../continuing.ts'
import { lockPath } from '../durable/lock.ts'
import { leaveExitCode } from '../exitFile.ts'
import { createLog } from '../log.ts'
import { packageVersion } from '../packageFiles.ts'
import type { Opened } from '../recordings/openPlaying.ts'
import type { Settings } from '../../settings/settings.ts'
import type { Running } from '../server.ts'
import type { Simulation } from '../../simulation/turn.ts'
import { serve } from '../serving.ts'
import { releaseStartMemory } from '../process/startMemory.ts'
import { stopRequest } from '../process/stopSignals.ts'
import { watchHome, watchRecording } from '../watch.ts'
import { accountsOf, bannerText, listeningText } from './banner.ts'
import { assertFleetFits, fleetOf } from './fleetFlags.ts'
import { assertForkFits, chooseFork, endFork } from './forkFlags.ts'
import { keptPath, openKeptChain, StateIsKept, untilNotKept, whyNotContinued, type KeptChain } from './keptChain.ts'
import { openInBrowser } from '../browser.ts'
import { choose } from './options.ts'
import { choosePlayback, endPlayback, recordFlags, type Recording } from './playbackFlags.ts'
import type { Addresses, RecordNode } from './recordNode.ts'
import { scenarioOf, statesOf, withStartFlags, type StartOptions } from './startFlags.ts'
import { untilStopped } from './stop.ts'
import type { Verb } from './verb.ts'

/** `chainstage start`: starts a chain that serves until it is stopped. */
export const start: Verb = (exit) =>
  withStartFlags(new Command('start'))
    .summary('Start a chain (also without a command).')
    .description(
      'Start a chain and serve it until Ctrl-C. Scenario files hot-reload on save.\n' +
        'Without a scenario: chainstage.json5 or scenarios/ in this folder, else ten funded accounts.',
    )
    .argument('[scenario]')
    .action(async (given: string | undefined, options: StartOptions, command: Command) => {
      if (options.detach === true) return startDetached(options)
      const isDetached = leaveExitCode()
      const fleet = fleetOf(options)
      if (fleet !== undefined) assertFleetFits(options)
      await assertForkFits(options)
      const path = await scenarioOf(given, options)
      const chosen = await choose(command, path)
      const { scenario, home } = chosen
      const keptAt = keptPath(options, home)
      const { load, save } = await statesOf(options, keptAt !== undefined)
      const playing = await choosePlayback(options, scenario?.maxDegraded)
      if (playing?.kind === 'record') {
        const { recordNode } = await import('./recordNode.ts')
        return exit(await recordNode(recordingOf(options, command, playing)))
      }
      const stop = stopRequest()
      const stopped = untilStopped(stop)
      const log = createLog({ isJson: options.json === true, isSilent: options.silent === true })
      const lock = save === undefined ? undefined : lockPath(save.path)
      for (const text of await chosen.warnings()) log.write('warn', text)
      const kept = keptAt === undefined ? undefined : await openKeptChain(keptAt, options, log.write)
      const state = await loaded(kept, load)
      const begun = settingsToContinue(chosen.settings, state?.node).settings
      const fork = await chooseFork(options, begun, { saved: state, stop }).catch((error: unknown) => {
        kept?.release()
        throw error
      })
      const settings = { ...chosen.settings, ...fork?.settings }
      const watches = watchesOf(options)
      let ended: 'failed' | undefined
      const serving = await serve({
        ...(playing === undefined ? {} : { playing: playing.opened }),
        settings: playing === undefined ? settings : settingsOfPlayback(settings, playing.opened),
        scenario: path === undefined || scenario === undefined ? undefined : { path, loaded: scenario },
        ...(fork === undefined ? {} : { forking: fork.forking, genesisOf: fork.genesisOf }),
        genesis: fork?.genesis ?? chosen.genesis,
        home,
        log: log.write,
        record: () => {},
        ...{ fleet, keeping: kept?.keeping, state },
        watches,
        onHistoryChange: options.onHistoryChange ?? (isCi() ? 'keep' : 'restart'),
        settingsOf: async (said) => ({ ...(await chosen.again(said)), ...fork?.settings }),
        ...(options.logRequests === true ? { onAnswer: log.request } : {}),
        stop: (why) => {
          ended = why
          process.emit('SIGTERM')
        },
      }).catch((error: unknown) => {
        kept?.release()
        throw kept === undefined ? error : whyNotContinued(error, kept, { settings, isFork: fork !== undefined })
      })
      const running = serving.running()
      const watching =
        watches && home !== undefined ? await watchHome(home, chosen, serving.running, log.write) : undefined
      const replaying =
        watches && playing !== undefined ? await watchRecording(playing.opened, serving.running, log.write) : undefined
      if (options.silent !== true || isDetached) process.stdout.write(startText(running, options))
      if (options.open === true) openInBrowser(running.urls.control)
      log.open()
      const keepStartMemory = releaseStartMemory(running.main.idleMs)
      const failure = await (kept === undefined ? stopped : untilNotKept(stopped, kept))
      keepStartMemory()
      watching?.close()
      replaying?.close()
      await serving.close()
      if (failure !== undefined) {
        kept?.release()
        throw failure
      }
      if (kept !== undefined) await finish(kept, serving.running(), options)
      if (save !== undefined) {
        const last = serving.running().simulation()
        saySaving(save.path, last, options)
        await save.write(last)
      }
      lock?.release()
      if (fork !== undefined) exit(endFork(fork))
      if (playing !== undefined) exit(await endPlayback(playing.opened, options))
      if (ended === 'failed') exit(1)
    })

/** Returns settings for a playback: the chain ids of the recording, and no mining. */
function settingsOfPlayback(settings: Settings, { chainIds: { cosmos, evm } }: Opened): Settings {
  return {
    ...settings,
    blocks: 'manual',
    ...(cosmos === undefined ? {} : { chainId: cosmos }),
    ...(evm === undefined ? {} : { evmChainId: Number(evm) }),
  }
}

function startText(running: Running, { json }: StartOptions): string {
  return json === true ? `${jsonText(running)}\n` : `${bannerText(running)}\n${listeningText(running)}\n`
}

async function finish({ path, finish: save }: KeptChain, { simulation }: Running, options: StartOptions) {
  saySaving(path, simulation(), options)
  await save(simulation())
}

function saySaving(path: string, { node }: Simulation, { silent }: StartOptions): void {
  if (silent !== true) process.stderr.write(`saving height ${node.chain.height} to ${path} …\n`)
}

/** Resolves with the simulation to continue from. Throws `StateIsKept` if both sources have one. */
async function loaded(kept: KeptChain | undefined, load: (() => Promise<Simulation | undefined>) | undefined) {
  if (load === undefined) return kept?.state
  if (kept?.state === undefined) return load()
  kept.release()
  throw new StateIsKept(kept.path)
}

/**
 * Returns whether saved files are reloaded. Throws `BadWatch` for `--watch` in CI, where nobody
 * saves files.
 */
function watchesOf({ watch, force, fleet }: StartOptions): boolean {
  // A saved file would take effect only on this member.
  if (fleet !== undefined) return false
  if (watch === true && isCi() && force !== true) throw new BadWatch()
  return watch ?? (!isCi() || force === true)
}

function isCi(): boolean {
  return ![undefined, '', '0', 'false'].includes(process.env['CI'])
}

/** Starts the same command line in the background, without `--detach` and `--json`. */
async function startDetached({ json, silent }: StartOptions): Promise<void> {
  const words = process.argv.slice(2).filter((word) => word !== '--detach' && word !== '--json')
  const { detach } = await import('../instances.ts')
  const record = await detach(words[0] === 'start' ? words.slice(1) : words)
  if (silent === true) return
  process.stdout.write(
    json === true
      ? `${JSON.stringify(record)}\n`
      : `${listeningText(record)}\nIt runs as ${record.pid} and writes to ${record.log}; chainstage instances stop ${record.pid} ends it.\n`,
  )
}

/** Returns the options of a recording mode, which serves at the same addresses as a chain. */
function recordingOf(options: StartOptions, command: Command, recording: Recording): RecordNode {
  const addresses = command.opts<Addresses>()
  return {
    ...recordFlags(options, recording),
    words: [],
    'rpc.laddr': addresses['rpc.laddr'] ?? 'tcp://127.0.0.1:26657',
    'jsonRpc.address': addresses['jsonRpc.address'] ?? '127.0.0.1:8545',
    'jsonRpc.wsAddress': addresses['jsonRpc.wsAddress'] ?? '127.0.0.1:8546',
    'api.address': addresses['api.address'] ?? '127.0.0.1:1317',
    'grpc.address': addresses['grpc.address'] ?? '127.0.0.1:9090',
  }
}

function jsonText({ settings, keys, simulation, listeners, urls }: Running): string {
  const { node, plan } = simulation()
  return JSON.stringify({
    chainstage: packageVersion(),
    listening: listeners,
    urls,
    evmChainId: settings.evmChainId,
    chainId: node.chain.genesis.chainId,
    scenario: plan.name,
    seed: settings.seed,
    mnemonic: settings.mnemonic,
    accounts: accountsOf(keys, settings),
  })
}

/** Thrown for `--watch` in CI. */
export class BadWatch extends SimError {
  constructor() {
    super('BAD_SETTING', '--watch has no use while CI is set', { hint: 'Remove --watch, or add --force.' })
  }
}
