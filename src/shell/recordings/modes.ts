/** Answers recorded and unrecorded calls in each mode of a playback (`mocks.md` §4.7). */
import { distinctTexts } from '../../data/distinctTexts.ts'
import { assert } from '../../errors.ts'
import type { Answer } from '../../node/answer.ts'
import { callHas } from '../../recording/playback/callTraits.ts'
import { compareAnswers } from '../../recording/playback/compareAnswers.ts'
import { nearestAnswer } from '../../recording/playback/lenient.ts'
import type { Library } from '../../recording/playback/library.ts'
import type { Player } from '../../recording/playback/player.ts'
import type { TapLine } from '../../recording/playback/tapLine.ts'
import { askNode, refusal, type NodeRequest } from './askNode.ts'
import { createLiveStreams } from './liveStreams.ts'
import type { Mode } from './mode.ts'
import type { Upstreams } from './upstream.ts'
import { maySubmit } from '../../rpc/anyMethod.ts'
import { mayWrite, wouldWrite } from './writeGuard.ts'

/** The answer, `wait` if it is not available yet, or `carryOut` if the simulator answers. */
export type ModeAnswer = Answer | 'wait' | 'carryOut'

export type Answering = {
  /** Whether calls that were not recorded go to a node. */
  readonly asksNode: boolean
  /** Ends a subscription that a node serves; returns undefined for any other call. */
  readonly leave: (asked: NodeRequest) => Promise<Answer> | undefined
  /** Drops a client, or all clients if none is given. */
  readonly drop: (connection?: number) => void
  readonly answer: (asked: NodeRequest, nowMs: number) => ModeAnswer | Promise<ModeAnswer>
  readonly report: () => Report
}

/** The results of a run. */
export type Report = {
  readonly mode: Mode
  readonly misses: readonly string[]
  readonly used: readonly string[]
  /** Calls that a node answered instead of the recording. */
  readonly passed: readonly string[]
  /** Calls with a substituted answer, and its source. */
  readonly degraded: readonly string[]
  /** Differences between the recording and the node's current answers. */
  readonly differences: readonly string[]
  /** How many calls each of these lists leaves out; of many calls, a list has the first ones. */
  readonly more: {
    readonly misses: number
    readonly used: number
    readonly passed: number
    readonly differences: number
  }
}

/** Merges the reports of one or more runs in the same mode, each entry once. */
export function mergedReports(reports: readonly Report[]): Report {
  const [first] = reports
  assert(first !== undefined, 'expected at least one report to merge')
  const all = (list: Exclude<keyof Report, 'mode' | 'more'>) => [...new Set(reports.flatMap((one) => one[list]))]
  const sum = (list: keyof Report['more']) => reports.reduce((total, { more }) => total + more[list], 0)
  return {
    mode: first.mode,
    misses: all('misses'),
    used: all('used'),
    passed: all('passed'),
    degraded: all('degraded'),
    differences: all('differences'),
    more: { misses: sum('misses'), used: sum('used'), passed: sum('passed'), differences: sum('differences') },
  }
}

export type AnsweringOptions = {
  readonly mode: Mode
  readonly player: Player
  /** Returns the current recording. */
  readonly library: () => Library
  readonly upstreams: Upstreams
  /** Receives exchanges with a node that the recording keeps. */
  readonly note: (line: TapLine) => void
  readonly maxDegraded: number
  /** Whether transactions may go to a node on another machine. */
  readonly allowWrites?: boolean
}

/** Returns the call handler of a mode. `all`, `refresh` and a first `once` record instead. */
export function createAnswering({
  mode,
  player,
  library,
  upstreams,
  note,
  maxDegraded,
  allowWrites = false,
}: AnsweringOptions): Answering {
  const [passed, degraded, differences] = [distinctTexts(), new Set<string>(), distinctTexts()]

  const live = createLiveStreams({
    upstreams,
    note: (line) => {
      if (mode === 'missing') note({ ...line, t: player.cursor() })
    },
  })

  const recorded = ({ key, connection }: NodeRequest, nowMs: number): ModeAnswer =>
    player.ask(key, nowMs, connection) ?? 'wait'

  async function pass(asked: NodeRequest, isKept: boolean): Promise<Answer> {
    if (maySubmit(asked.call.name) && !mayWrite(upstreams, allowWrites)) return refusal(wouldWrite)
    passed.add(asked.key)
    const { connection } = asked
    if (connection !== undefined && callHas(asked.key, 'subscribes')) return live.listen(asked)
    const got = await askNode(upstreams, asked, player.cursor())
    if (got.line === undefined) {
      const why = upstreams[asked.side] === undefined ? got.why : `the node did not answer: ${got.why}`
      return refusal(mode === 'diff' ? why : `this call was not recorded, and ${why}`)
    }
    if (isKept) note(got.line)
    return got.answer
  }

  async function compare(asked: NodeRequest, nowMs: number): Promise<ModeAnswer> {
    const known = player.has(asked.key) ? player.ask(asked.key, nowMs) : undefined
    const live = await pass(asked, false)
    const found = known === undefined ? 'not recorded' : compareAnswers(asked.key, known, live)
    if (found !== undefined) differences.add(`${asked.key.slice(0, 300)}: ${found}`)
    return live
  }

  function lenient(asked: NodeRequest, nowMs: number): ModeAnswer {
    if (player.has(asked.key)) return recorded(asked, nowMs)
    if (degraded.size >= maxDegraded) return recorded(asked, nowMs)
    const found = nearestAnswer(library().answers, asked.key, player.cursor())
    const how = found === undefined ? 'answered by chainstage' : `answered like ${found.key.slice(0, 200)}`
    degraded.add(`${asked.key.slice(0, 300)}: ${how}`)
    if (found === undefined) return 'carryOut'
    player.stoodIn(found.key)
    return found.answer
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
      passed: passed.all(),
      degraded: [...degraded],
      differences: differences.all(),
      more: {
        misses: player.moreMisses(),
        used: player.moreUsed(),
        passed: passed.more(),
        differences: differences.more(),
      },
    }),
  }
}
