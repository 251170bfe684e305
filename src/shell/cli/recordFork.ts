/**
 * `chainstage record --level fork`: records the requests that a forked chain makes to a real node.
 */
import { counted } from '../../data/counted.ts'
import type { Settings } from '../../settings/settings.ts'
import { openFork } from '../fork/openFork.ts'
import { createLog } from '../log.ts'
import type { Sink } from '../recordings/sink.ts'
import { httpUrlOf } from '../recordings/upstream.ts'
import { run } from '../server.ts'
import { listeningText } from './banner.ts'
import { capture, type Between } from './capture.ts'
import type { RecordNode } from './recordNode.ts'
import type { Plan } from '../../plan/plan.ts'

export type RecordFork = RecordNode & {
  readonly forkHeight?: bigint | undefined
  readonly settings: Settings
  /** The scenario of the fork, whose fixtures and steps need state of the node too. */
  readonly plan: Plan
}

/**
 * Resolves with the exit code of a recording (`capture`). The program talks to a chainstage chain
 * forked from the node.
 */
export async function recordFork(given: RecordFork): Promise<number> {
  const { out = 'snapshots/recording', json: isJson = false, words, settings, plan } = given
  const upstreams = {
    comet: httpUrlOf('comet', given.comet),
    eth: httpUrlOf('eth', given.eth),
    ethWs: undefined,
  }
  const from = [given.eth, given.comet].flatMap((url) => url ?? [])
  const serve = async (note: Sink['note']): Promise<Between> => {
    const log = createLog({ isJson })
    const fork = await openFork({ from, height: given.forkHeight }, settings, note)
    const running = await run({
      settings: { ...settings, ...fork.settings },
      plan,
      genesis: fork.genesis,
      forking: fork.forking,
      home: undefined,
      log: log.write,
      record: () => {},
      stop: () => {
        process.emit('SIGTERM')
      },
    })
    return {
      urls: running.urls,
      text: listeningText(running),
      shown: log.open,
      close: running.close,
      summary: (exchanges) => `${out}: the state of height ${fork.forking.height}, ${counted(exchanges, 'exchange')}`,
    }
  }
  return capture({
    out,
    isJson,
    words,
    upstreams,
    serve,
    level: 2,
    savesOnFailure: given.saveOnFailure === true,
  })
}
