/** `chainstage record --level fork`: what a chain that goes on from a real node had to ask it. */
import { rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { runChild } from '../child.ts'
import { openFork } from '../fork/openFork.ts'
import { createLog } from '../log.ts'
import { logName, originNow, saveLibrary } from '../recordings/folderFiles.ts'
import { openSink } from '../recordings/sink.ts'
import { secretsOf, secretsOfEnvironment, urlOf } from '../recordings/upstream.ts'
import { run } from '../server.ts'
import { noPlan } from '../start.ts'
import type { Settings } from '../../settings/settings.ts'
import type { RecordNode } from './recordNode.ts'
import { listeningText } from './banner.ts'
import { untilStopped } from './stop.ts'

export type RecordFork = RecordNode & {
  readonly forkHeight?: bigint | undefined; readonly settings: Settings
}

/**
 * Resolves with the exit code when the program has ended, or at Ctrl-C without one: 1 when
 * something was withheld because a secret stood in it. The program talks to a chain of ours over
 * the node's state.
 */
export async function recordFork(given: RecordFork): Promise<number> {
  const {
    out = 'snapshots/recording', json: isJson = false, words, settings, forkHeight: height,
  } = given
  const upstreams = {
    comet: urlOf('comet', given.comet), eth: urlOf('eth', given.eth), ethWs: undefined,
  }
  const from = [given.eth, given.comet].flatMap((url) => url ?? [])
  const hadOne = await stat(join(out, 'manifest.json')).then(() => true, () => false)
  const sink = openSink(
    join(out, logName), [...secretsOf(upstreams), ...secretsOfEnvironment(process.env)]
  )
  const log = createLog({ isJson })
  const stopped = untilStopped()
  const fork = await openFork({ from, height }, settings, sink.note)
  const running = await run({
    settings: { ...settings, ...fork.settings }, plan: noPlan, genesis: fork.genesis,
    forking: fork.forking,
    home: undefined, log: log.write, record: () => {}, stop: () => { process.emit('SIGTERM') },
  })
  if (words.length === 0) process.stdout.write(
    `${isJson ? JSON.stringify({ urls: running.urls }) : listeningText(running)}\n`
  )
  log.open()
  const code = words.length > 0 ? await runChild(words, running.urls) : await stopped.then(() => 0)
  await running.close()
  const library = sink.end()
  const withheld = sink.withheld()
  for (const { n, rule, where } of withheld) {
    process.stderr.write(`exchange ${n} was not written: ${rule} (${where})\n`)
  }
  const isSaved = code === 0 || !hadOne || given.saveOnFailure === true
  if (isSaved) await saveLibrary(out, library, originNow(2))
  else await rm(join(out, logName), { force: true })
  const told = {
    out, exchanges: sink.count(), withheld: withheld.length, saved: isSaved, exitCode: code,
  }
  const text = `${out}: the state of height ${fork.forking.height}, ${told.exchanges} exchanges`
  process.stdout.write(`${isJson ? JSON.stringify(told) : text}\n`)
  return code === 0 && withheld.length > 0 ? 1 : code
}
