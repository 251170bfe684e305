import { readFile } from 'node:fs/promises'
import { isAbsolute, resolve } from 'node:path'
import { Command } from 'commander'
import { SimError } from '../../errors.ts'
import { importTap } from '../../recording/playback/importTap.ts'
import { createPlayer, type Player } from '../../recording/playback/player.ts'
import { UnreadableFile } from '../config/home.ts'
import { detach } from '../instances.ts'
import { createLog } from '../log.ts'
import { packagePath, packageVersion } from '../packageFiles.ts'
import { cometNames } from '../playback.ts'
import { run as serve, type Running } from '../server.ts'
import { noPlan } from '../start.ts'
import { watchHome, watchScenario } from '../watch.ts'
import { accountsOf, bannerText, listeningText } from './banner.ts'
import { choose, withSettings } from './options.ts'
import { untilStopped } from './stop.ts'
import type { Verb } from './verb.ts'

type Options = {
  readonly watch: boolean; readonly json?: boolean; readonly profile?: string; readonly home?: string; readonly detach?: boolean
  readonly playback?: string; readonly playbackSpeed: string; readonly playbackPatience: string
}

/** `chainstage start`: a chain that serves until it is stopped. */
export const start: Verb = () => withSettings(new Command('start'))
  .description('Start a chain and serve it until Ctrl-C. A saved scenario takes effect while it runs.')
  .argument('[scenario]', 'a scenario file; scenarios/local.json5 when neither it nor --profile nor --home is given')
  .option('--no-watch', 'do not look for saved files')
  .option('--playback <file>', 'answer from recorded traffic in place of a chain, and from nothing else')
  .option('--playback-speed <times>', 'how fast recorded time passes', '1')
  .option('--playback-patience <ms>', 'how long to wait for a recorded transaction that is not sent', '15000')
  .option('--json', 'print the banner and the log as JSON')
  .option('--detach', 'serve in a process of its own and return; chainstage instances lists and stops them')
  .action(async (given: string | undefined, options: Options, command: Command) => {
    if (options.detach === true) return startDetached(options)
    const stopped = untilStopped()
    const path = scenarioOf(given, options)
    const chosen = await choose(command, path)
    const { settings, scenario, genesis, home } = chosen
    const log = createLog({ isJson: options.json === true })
    const player = await playerOf(options)
    const running = await serve({
      ...(player === undefined ? {} : { player }),
      settings, plan: scenario?.plan ?? noPlan, genesis, home, log: log.write, record: () => {},
      stop: () => { process.emit('SIGTERM') },
    })
    const watching = await Promise.all(options.watch ? [
      ...(path === undefined || scenario === undefined ? [] : [watchScenario(path, scenario, running, log.write)]),
      ...(home === undefined ? [] : [watchHome(home, chosen, running, log.write)]),
    ] : [])
    process.stdout.write(options.json === true ? `${jsonText(running)}\n` : `${bannerText(running)}\n${listeningText(running)}\n`)
    log.open()
    await stopped
    await Promise.all(watching.map((one) => one.close()))
    await running.close()
    for (const key of player?.misses() ?? []) process.stderr.write(`no recorded answer: ${key}\n`)
  })

/** The same words without --detach; every flag is passed on as it was written. */
async function startDetached({ json }: Options): Promise<void> {
  const words = process.argv.slice(2).filter((word) => word !== '--detach' && word !== '--json')
  const record = await detach(words[0] === 'start' ? words.slice(1) : words)
  process.stdout.write(json === true ? `${JSON.stringify(record)}\n`
    : `${listeningText(record)}\nIt runs as ${record.pid} and writes to ${record.log}; chainstage instances stop ${record.pid} ends it.\n`)
}

async function playerOf({ playback, playbackSpeed, playbackPatience }: Options): Promise<Player | undefined> {
  if (playback === undefined) return undefined
  const [scale, patienceMs] = [Number(playbackSpeed), Number(playbackPatience)]
  if (!(scale > 0) || !(patienceMs >= 0)) throw new BadPlayback(`speed ${playbackSpeed}, patience ${playbackPatience}`)
  const text = await readFile(playback, 'utf8').catch((error: unknown) => { throw new UnreadableFile(playback, error) })
  return createPlayer(importTap(text, cometNames), { scale, patienceMs })
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

/** A speed or a patience that is none. */
export class BadPlayback extends SimError {
  constructor(received: string) {
    super('BAD_SETTING', `a playback needs a speed above 0 and a patience in milliseconds, received ${received}`)
  }
}
