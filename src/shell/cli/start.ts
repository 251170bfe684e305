import { Command } from 'commander'
import { isAbsolute, resolve } from 'node:path'
import { noPlan } from '../start.ts'
import { createLog } from '../log.ts'
import { packagePath } from '../packageFiles.ts'
import { run as serve } from '../server.ts'
import { watchScenario } from '../watch.ts'
import { bannerText, listeningText } from './banner.ts'
import { choose, withSettings } from './options.ts'
import { untilStopped } from './stop.ts'
import type { Verb } from './verb.ts'

/** `chainstage start`: a chain that serves until it is stopped. */
export const start: Verb = () => withSettings(new Command('start'))
  .description('Start a chain and serve it until Ctrl-C. A saved scenario takes effect while it runs.')
  .argument('[scenario]', 'a scenario file; scenarios/local.json5 when neither it nor --profile nor --home is given')
  .option('--no-watch', 'do not look for saved scenarios')
  .action(async (given: string | undefined, options: { watch: boolean; profile?: string; home?: string }, command: Command) => {
    const isBare = given === undefined && options.profile === undefined && options.home === undefined && process.env['NODE_HOME'] === undefined
    const path = isBare ? packagePath('scenarios/local.json5') : given && (isAbsolute(given) ? given : resolve(given))
    const { settings, scenario, genesis, home } = await choose(command, path)
    const log = createLog()
    const running = await serve({
      settings, plan: scenario?.plan ?? noPlan, genesis, home, log: log.write, record: () => {},
    })
    const watching = path !== undefined && options.watch ? await watchScenario(path, scenario?.closure ?? [], running, log.write) : undefined
    const stopped = untilStopped()
    process.stdout.write(`${bannerText(running)}\n${listeningText(running)}\n`)
    log.open()
    await stopped
    await watching?.close()
    await running.close()
  })
