import { Command } from 'commander'
import { mkdir, rename, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { createLog } from '../log.ts'
import { startRecording } from '../recorder.ts'
import { run as serve } from '../server.ts'
import { runToEnd } from '../runToEnd.ts'
import { noPlan } from '../start.ts'
import { bannerText, listeningText } from './banner.ts'
import { choose, withSettings } from './options.ts'
import { untilStopped } from './stop.ts'
import type { Verb } from './verb.ts'

/** `chainstage record`: the inputs of a run and what they caused, as a file that replays. */
export const record: Verb = () => withSettings(new Command('record'))
  .description('Run a scenario, or serve until Ctrl-C, and write every input with its outputs to a file that replays.')
  .argument('[scenario]', 'a scenario file')
  .option('--out <file>', 'where to write', 'snapshots/recording.jsonl')
  .option('--serve', 'serve until Ctrl-C instead of ending with the scenario')
  .action(async (path: string | undefined, { out, serve: isServed }: { out: string; serve?: boolean }, command: Command) => {
    const chosen = await choose(command, path)
    const log = createLog()
    const recorder = startRecording(chosen)
    if (path !== undefined && isServed !== true) {
      await runToEnd(recorder.chosen, { log: log.write, record: recorder.record })
    } else {
      const { settings, scenario, genesis } = recorder.chosen
      const running = await serve({
        settings, plan: scenario?.plan ?? noPlan, genesis, home: chosen.home, log: log.write, record: recorder.record,
      })
      const stopped = untilStopped()
      process.stdout.write(`${bannerText(running)}\n${listeningText(running)}\n`)
      await stopped
      await running.close()
    }
    await mkdir(dirname(out), { recursive: true })
    await writeFile(`${out}.part`, recorder.text())
    await rename(`${out}.part`, out)
    process.stdout.write(`${out}: ${recorder.count()} inputs\n`)
  })
