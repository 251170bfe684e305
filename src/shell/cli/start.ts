import { readFile } from 'node:fs/promises'
import { isAbsolute, resolve } from 'node:path'
import { Command, Option } from 'commander'
import { SimError } from '../../errors.ts'
import { importTap } from '../../recording/playback/importTap.ts'
import { createPlayer, type Player } from '../../recording/playback/player.ts'
import { UnreadableFile } from '../config/home.ts'
import { detach } from '../instances.ts'
import { createLog } from '../log.ts'
import { packagePath, packageVersion } from '../packageFiles.ts'
import { cometNames } from '../playback.ts'
import type { OnHistoryChange } from '../reloader.ts'
import type { Running } from '../server.ts'
import { serve } from '../serving.ts'
import { watchHome } from '../watch.ts'
import { accountsOf, bannerText, listeningText } from './banner.ts'
import { choose, withSettings } from './options.ts'
import { untilStopped } from './stop.ts'
import type { Verb } from './verb.ts'

type Options = {
  readonly watch?: boolean; readonly force?: boolean; readonly onHistoryChange?: OnHistoryChange
  readonly json?: boolean; readonly profile?: string; readonly home?: string; readonly detach?: boolean
  readonly playback?: string; readonly playbackSpeed: string; readonly playbackPatience: string
}

/** `chainstage start`: a chain that serves until it is stopped. */
export const start: Verb = () => withSettings(new Command('start'))
  .description('Start a chain and serve it until Ctrl-C. A saved scenario takes effect while it runs.')
  .argument('[scenario]', 'a scenario file; scenarios/local.json5 when neither it nor --profile nor --home is given')
  .option('--watch', 'look for saved files, as it does unless CI is set')
  .option('--no-watch', 'do not look for saved files')
  .option('--force', 'look for saved files even where CI is set')
  .addOption(new Option('--on-history-change <policy>', 'what to do when a saved scenario needs a new genesis; restart, or keep where CI is set').choices(['restart', 'keep']))
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
    const watches = watchesOf(options)
    const serving = await serve({
      ...(player === undefined ? {} : { player }),
      settings, scenario: path === undefined || scenario === undefined ? undefined : { path, loaded: scenario },
      genesis, home, log: log.write, record: () => {}, watches,
      onHistoryChange: options.onHistoryChange ?? (isCi() ? 'keep' : 'restart'), settingsOf: chosen.again,
      stop: () => { process.emit('SIGTERM') },
    })
    const running = serving.running()
    const watching = watches && home !== undefined ? await watchHome(home, chosen, serving.running, log.write) : undefined
    process.stdout.write(options.json === true ? `${jsonText(running)}\n` : `${bannerText(running)}\n${listeningText(running)}\n`)
    log.open()
    await stopped
    await watching?.close()
    await serving.close()
    for (const key of player?.misses() ?? []) process.stderr.write(`no recorded answer: ${key}\n`)
  })

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

/** Watching files where nobody saves any. */
export class BadWatch extends SimError {
  constructor() {
    super('BAD_SETTING', 'CI is set, and nobody saves files there', { hint: 'Leave --watch out, or add --force.' })
  }
}
