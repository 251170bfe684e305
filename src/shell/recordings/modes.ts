/**
 * What a playback does with a call that was recorded, and with one that was not (`mocks.md` §4.7).
 */
import { assert } from '../../errors.ts'
import type { Answer } from '../../node/answer.ts'
import { callHas } from '../../recording/playback/callTraits.ts'
import { compareAnswers } from '../../recording/playback/compareAnswers.ts'
import { nearestAnswer } from '../../recording/playback/lenient.ts'
import type { Library } from '../../recording/playback/library.ts'
import type { Player } from '../../recording/playback/player.ts'
import type { TapLine } from '../../recording/playback/tapLine.ts'
import { askNode, type Asked } from './askNode.ts'
import { createLiveStreams } from './liveStreams.ts'
import type { Mode } from './mode.ts'
import type { Upstreams } from './upstream.ts'
import { isWrite, mayWrite, refusedText } from './writeGuard.ts'

/** The answer, `wait` while it is not there yet, or `carryOut` where the simulator is to answer. */
export type Given = Answer | 'wait' | 'carryOut'

export type Answering = {
  /** Whether a node is asked for what was not recorded. */
  readonly asksNode: boolean
  /**
   * Returns the answer to a call that ends what a node is listened to for; undefined for any other.
   */
  readonly leave: (asked: Asked) => Promise<Answer> | undefined
  /** The client is gone; without one, all are. */
  readonly drop: (connection?: number) => void
  readonly answer: (asked: Asked, nowMs: number) => Given | Promise<Given>
  readonly report: () => Report
}

/** What became of a run, for its end. */
export type Report = {
  readonly mode: Mode
  readonly misses: readonly string[]
  readonly used: readonly string[]
  /** Calls that a node answered in place of the recording. */
  readonly passed: readonly string[]
  /** Calls that something else answered than what was recorded for them, and what. */
  readonly degraded: readonly string[]
  /** What the node answers differently now. */
  readonly differences: readonly string[]
}

/** Returns one report of several runs in one mode, each entry once. Needs at least one. */
export function mergedReports(reports: readonly Report[]): Report {
  const [first] = reports
  assert(first !== undefined, 'reports are merged of at least one')
  const all = (list: Exclude<keyof Report, 'mode'>) => [...new Set(reports.flatMap((one) => one[list]))]
  return {
    mode: first.mode,
    misses: all('misses'),
    used: all('used'),
    passed: all('passed'),
    degraded: all('degraded'),
    differences: all('differences'),
  }
}

export type AnsweringOptions = {
  readonly mode: Mode
  readonly player: Player
  /** The recording as it is now. */
  readonly library: () => Library
  readonly upstreams: Upstreams
  /** Told of exchanges with a node that the recording is to keep. */
  readonly note: (line: TapLine) => void
  readonly maxDegraded: number
  /** Whether transactions go to a node that is not on this machine. */
  readonly allowWrites?: boolean
}

/**
 * Returns what answers in a mode; `all`, `refresh` and a first `once` record and are no playback.
 */
export function createAnswering({
  mode,
  player,
  library,
  upstreams,
  note,
  maxDegraded,
  allowWrites = false,
}: AnsweringOptions): Answering {
  const [passed, degraded, differences] = [new Set<string>(), new Set<string>(), new Set<string>()]

  const live = createLiveStreams({
    upstreams,
    note: (line) => {
      if (mode === 'missing') note({ ...line, t: player.cursor() })
    },
  })

  const recorded = ({ key, connection }: Asked, nowMs: number): Given => player.ask(key, nowMs, connection) ?? 'wait'

  async function pass(asked: Asked, isKept: boolean): Promise<Answer> {
    if (isWrite(asked.call.name) && !mayWrite(upstreams, allowWrites)) return refused
    passed.add(asked.key)
    const { connection } = asked
    if (connection !== undefined && callHas(asked.key, 'subscribes')) return live.listen(asked)
    const { answer, line } = await askNode(upstreams, asked, player.cursor())
    if (isKept && line !== undefined) note(line)
    return answer
  }

  async function compare(asked: Asked, nowMs: number): Promise<Given> {
    const known = player.has(asked.key) ? player.ask(asked.key, nowMs) : undefined
    const live = await pass(asked, false)
    const found = known === undefined ? 'it was not recorded' : compareAnswers(asked.key, known, live)
    if (found !== undefined) differences.add(`${asked.key.slice(0, 300)}: ${found}`)
    return live
  }

  function lenient(asked: Asked, nowMs: number): Given {
    if (player.has(asked.key)) return recorded(asked, nowMs)
    if (degraded.size >= maxDegraded) return recorded(asked, nowMs)
    const found = nearestAnswer(library().answers, asked.key, player.cursor())
    degraded.add(`${asked.key.slice(0, 300)}: ${found?.how ?? 'answered by the simulator'}`)
    return found?.answer ?? 'carryOut'
  }

  return {
    asksNode: mode === 'missing' || mode === 'spy' || mode === 'diff',
    leave: live.leave,
    drop: live.drop,
    answer: (asked, nowMs) => {
      if (mode === 'diff') return compare(asked, nowMs)
      if (mode === 'lenient') return lenient(asked, nowMs)
      if (player.has(asked.key) || (mode !== 'missing' && mode !== 'spy')) {
        return recorded(asked, nowMs)
      }
      return pass(asked, mode === 'missing')
    },
    report: () => ({
      mode,
      misses: player.misses(),
      used: player.used(),
      passed: [...passed],
      degraded: [...degraded],
      differences: [...differences],
    }),
  }
}

const refused: Answer = {
  ok: false,
  error: { code: -32071, message: refusedText, data: undefined },
}
