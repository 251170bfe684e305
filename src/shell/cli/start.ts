import { isAbsolute, resolve } from 'node:path'
import { Command } from 'commander'
import { detach } from '../instances.ts'
import { createLog } from '../log.ts'
import { packagePath, packageVersion } from '../packageFiles.ts'
import type { Mode } from '../recordings/modes.ts'
import { run as serve, type Running } from '../server.ts'
import { noPlan } from '../start.ts'
import { watchHome, watchScenario } from '../watch.ts'
import { accountsOf, bannerText, listeningText } from './banner.ts'
import { choose, withSettings } from './options.ts'
import { choosePlayback, endPlayback, withPlayback, type PlaybackOptions } from './playbackFlags.ts'
import { recordNode, type Addresses, type RecordNode } from './recordNode.ts'
import { untilStopped } from './stop.ts'
import type { Verb } from './verb.ts'

type Options = PlaybackOptions & {
  readonly watch: boolean; readonly json?: boolean; readonly profile?: string; readonly home?: string; readonly detach?: boolean
}

/** `chainstage start`: a chain that serves until it is stopped. */
export const start: Verb = (exit) => withPlayback(withSettings(new Command('start')))
  .description('Start a chain and serve it until Ctrl-C. A saved scenario takes effect while it runs.')
  .argument('[scenario]', 'a scenario file; scenarios/local.json5 when neither it nor --profile nor --home is given')
  .option('--no-watch', 'do not look for saved files')
  .option('--json', 'print the banner and the log as JSON')
  .option('--detach', 'serve in a process of its own and return; chainstage instances lists and stops them')
  .action(async (given: string | undefined, options: Options, command: Command) => {
    if (options.detach === true) return startDetached(options)
    const playing = await choosePlayback(options)
    if (playing?.kind === 'record') return exit(await recordNode(recordingOf(options, command, playing)))
    const stopped = untilStopped()
    const path = scenarioOf(given, options)
    const chosen = await choose(command, path)
    const { settings, scenario, genesis, home } = chosen
    const log = createLog({ isJson: options.json === true })
    const running = await serve({
      ...(playing === undefined ? {} : { playing: playing.opened }),
      settings: playing === undefined ? settings : { ...settings, blocks: 'manual' }, plan: scenario?.plan ?? noPlan, genesis, home, log: log.write, record: () => {},
      stop: () => { process.emit('SIGTERM') },
    })
    const watching = await Promise.all(options.watch ? [
      ...(path === undefined ? [] : [watchScenario(path, scenario?.closure ?? [], running, log.write)]),
      ...(home === undefined ? [] : [watchHome(home, chosen, running, log.write)]),
    ] : [])
    process.stdout.write(options.json === true ? `${jsonText(running)}\n` : `${bannerText(running)}\n${listeningText(running)}\n`)
    log.open()
    await stopped
    await Promise.all(watching.map((one) => one.close()))
    await running.close()
    if (playing !== undefined) exit(await endPlayback(playing.opened, options))
  })

/** The same words without --detach; every flag is passed on as it was written. */
async function startDetached({ json }: Options): Promise<void> {
  const words = process.argv.slice(2).filter((word) => word !== '--detach' && word !== '--json')
  const record = await detach(words[0] === 'start' ? words.slice(1) : words)
  process.stdout.write(json === true ? `${JSON.stringify(record)}\n`
    : `${listeningText(record)}\nIt runs as ${record.pid} and writes to ${record.log}; chainstage instances stop ${record.pid} ends it.\n`)
}

/** Modes that record serve where a chain would. */
function recordingOf(options: Options, command: Command, { out, mode }: { out: string; mode: Mode }): RecordNode {
  const { upstreamComet: comet, upstreamEth: eth, upstreamWs: ws, json } = options
  const addresses = command.opts<Addresses>()
  return {
    out, words: [], level: 'calls', poll: '500', keep: mode === 'all', ...(json === undefined ? {} : { json }),
    ...(comet === undefined ? {} : { comet }), ...(eth === undefined ? {} : { eth }), ...(ws === undefined ? {} : { ws }),
    'rpc.laddr': addresses['rpc.laddr'] ?? 'tcp://127.0.0.1:26657',
    'jsonRpc.address': addresses['jsonRpc.address'] ?? '127.0.0.1:8545',
    'jsonRpc.wsAddress': addresses['jsonRpc.wsAddress'] ?? '127.0.0.1:8546',
  }
}

/** Nothing said at all is the scenario that ships. */
function scenarioOf(given: string | undefined, { profile, home }: Options): string | undefined {
  if (given !== undefined) return isAbsolute(given) ? given : resolve(given)
  const { NODE_HOME, CHAINSTAGE_PROFILE } = process.env
  const isBare = (profile ?? home ?? NODE_HOME ?? CHAINSTAGE_PROFILE) === undefined
  return isBare ? packagePath('scenarios/local.json5') : undefined
}

function jsonText({ settings, keys, simulation, listeners, urls }: Running): string {
  const { node, plan } = simulation()
  return JSON.stringify({
    chainstage: packageVersion(), listening: listeners, urls, evmChainId: settings.evmChainId, chainId: node.chain.genesis.chainId,
    scenario: plan.name, seed: settings.seed, mnemonic: settings.mnemonic, accounts: accountsOf(keys, settings),
  })
}
