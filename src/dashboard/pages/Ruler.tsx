/**
 * A ruler of block time: ticks for blocks, checkpoints above the line, and below it the handle of
 * the present, which moves block time forward.
 */
import { useEffect, useRef, useState } from 'preact/hooks'
import { open } from '../core/dialog.tsx'
import { counted, moment, number } from '../core/format.ts'
import { height, status } from '../core/live.ts'
import { say } from '../core/said.ts'
import type { Block, Checkpoint } from '../core/shapes.ts'
import { useData, useKept } from '../core/useData.ts'
import { stepOf } from './charts.tsx'
import { restore, takeCheckpoint } from './checkpointActions.tsx'
import { moveTime, openMove, spanText } from './moveTime.tsx'

/** The share of the ruler that shows the past; the rest is the time ahead. */
const pastShare = 0.7
/** The most blocks that are ticks, and the least that are shown without an older checkpoint. */
const ticksMost = 100
/** The distance in pixels below which checkpoints share a mark. */
const markPixels = 28

/** Times ahead by name, each with the step of an arrow key, in milliseconds. */
const spans: Readonly<Record<string, { readonly title: string; readonly ms: number; readonly stepMs: number }>> = {
  hour: { title: '1 hour', ms: 3_600_000, stepMs: 60_000 },
  day: { title: '1 day', ms: 86_400_000, stepMs: 1_800_000 },
  month: { title: '30 days', ms: 2_592_000_000, stepMs: 43_200_000 },
}
const jumps = ['1m', '1h', '1d', '30d'] as const

/** What the ruler spans, in milliseconds since the epoch. */
type Scale = { readonly firstMs: number; readonly nowMs: number; readonly aheadMs: number }

/** Returns the place of a time as a share of the ruler. */
function shareOf({ firstMs, nowMs, aheadMs }: Scale, ms: number): number {
  if (ms > nowMs) return pastShare + ((ms - nowMs) / aheadMs) * (1 - pastShare)
  return nowMs === firstMs ? pastShare : ((ms - firstMs) / (nowMs - firstMs)) * pastShare
}

/** Returns the time at a share of the ruler. */
function timeAt({ firstMs, nowMs, aheadMs }: Scale, share: number): number {
  if (share > pastShare) return nowMs + ((share - pastShare) / (1 - pastShare)) * aheadMs
  return firstMs + (Math.max(share, 0) / pastShare) * (nowMs - firstMs)
}

const left = (share: number) => ({ left: `${(share * 100).toFixed(2)}%` })
/** Returns a time as ISO text; the ruler shows whole seconds. */
const isoOf = (ms: number) => `${new Date(ms).toISOString().slice(0, 19)}Z`

export function Ruler({ checkpoints }: { checkpoints: readonly Checkpoint[] }) {
  const oldest = Math.min(Math.max(1, height.value - ticksMost), ...checkpoints.map((one) => one.height))
  const step = stepOf(height.value - oldest + 1, ticksMost)
  // The path stays the same while blocks are mined, so that the ticks stay too.
  const read = useKept(useData<readonly Block[]>(`/blocks?limit=${ticksMost + 20}&step=${step}`, 'slowly').data)
  const blocks = (read ?? []).filter((one) => one.height >= oldest)
  const [span, setSpan] = useState('hour')
  const { ms: aheadMs, stepMs } = spans[span] as { ms: number; stepMs: number }
  const nowMs = Date.parse(status.value?.blockTime ?? '') || 0
  const marks = checkpoints.map((one) => ({ ...one, ms: Date.parse(one.time) }))
  const times = blocks.map(({ timeMs }) => timeMs).filter((ms) => ms <= nowMs)
  const scale = { firstMs: Math.min(nowMs, ...times, ...marks.map(({ ms }) => ms)), nowMs, aheadMs }
  return (
    <div class="card ruler">
      <Line scale={scale} stepMs={stepMs} times={times} marks={marks} />
      <div class="ends">
        <span>{moment(isoOf(scale.firstMs))}</span>
        <span>
          now {moment(status.value?.blockTime ?? null)} · height {number(height.value)}
        </span>
        <span>{moment(isoOf(nowMs + aheadMs))}</span>
      </div>
      <div class="formrow">
        <button type="button" class="main" onClick={() => void takeCheckpoint()}>
          Take a checkpoint
        </button>
        {jumps.map((by) => (
          <button key={by} type="button" onClick={() => void moveTime(by, true)}>
            <span class="hidden">Move block time by </span>+{by}
          </button>
        ))}
        <label>
          Time ahead
          <select value={span} onChange={({ currentTarget: { value } }) => setSpan(value)}>
            {Object.entries(spans).map(([name, { title }]) => (
              <option key={name} value={name}>
                {title}
              </option>
            ))}
          </select>
        </label>
      </div>
    </div>
  )
}

type Mark = Checkpoint & { readonly ms: number }
type Lined = {
  readonly scale: Scale
  readonly stepMs: number
  readonly times: readonly number[]
  readonly marks: readonly Mark[]
}

function Line({ scale, stepMs, times, marks }: Lined) {
  const line = useRef<HTMLDivElement>(null)
  const width = useWidth(line)
  /** The time that a drag or the keys have chosen, in milliseconds after now. */
  const [ahead, setAhead] = useState<number | undefined>(undefined)
  const choose = (ms: number) => setAhead(ms <= 0 ? undefined : Math.min(ms, scale.aheadMs))
  const commit = (ms: number | undefined) => {
    setAhead(undefined)
    if (ms !== undefined && ms >= 1000) openMove(spanText(ms))
  }
  const timeUnder = ({ clientX }: PointerEvent) => {
    const box = line.current?.getBoundingClientRect()
    return timeAt(scale, box === undefined ? 0 : Math.min((clientX - box.left) / box.width, 1))
  }
  const drag = (event: PointerEvent) => {
    if (event.buttons === 1) choose(timeUnder(event) - scale.nowMs)
  }
  const release = (event: PointerEvent) => {
    const ms = timeUnder(event) - scale.nowMs
    if (ms > 0) commit(ms)
    else if (ahead === undefined) restoreBefore(marks, ms + scale.nowMs)
    else setAhead(undefined)
  }
  const shares = [...new Set(times.map((ms) => shareOf(scale, ms).toFixed(3)))]
  return (
    <div
      class="line"
      ref={line}
      onPointerDown={(event) => {
        if ((event.target as Element).closest('.mark') !== null) return
        event.currentTarget.setPointerCapture(event.pointerId)
      }}
      onPointerMove={drag}
      onPointerUp={(event) => {
        if (event.currentTarget.hasPointerCapture(event.pointerId)) release(event)
      }}
    >
      <span class="past" style={{ width: left(pastShare).left }} />
      {shares.map((share) => (
        <span key={share} class="tick" style={left(Number(share))} />
      ))}
      {groupsOf(marks, scale, width).map((group) => (
        <MarkOf key={group.marks[0]?.id} {...group} />
      ))}
      <Now scale={scale} ahead={ahead} stepMs={stepMs} choose={choose} commit={commit} />
    </div>
  )
}

type NowProps = {
  readonly scale: Scale
  readonly ahead: number | undefined
  readonly stepMs: number
  readonly choose: (ms: number) => void
  readonly commit: (ms: number | undefined) => void
}

/** The handle of the present: drag it, or move it with the arrow keys and press Enter. */
function Now({ scale, ahead = 0, stepMs, choose, commit }: NowProps) {
  const target = moment(isoOf(scale.nowMs + ahead))
  const keys: Readonly<Record<string, () => void>> = {
    ArrowRight: () => choose(ahead + stepMs),
    ArrowLeft: () => choose(ahead - stepMs),
    PageUp: () => choose(ahead + 10 * stepMs),
    PageDown: () => choose(ahead - 10 * stepMs),
    Home: () => choose(0),
    End: () => choose(scale.aheadMs),
    Escape: () => choose(0),
    Enter: () => commit(ahead),
  }
  return (
    <span
      class="now"
      role="slider"
      tabIndex={0}
      style={left(shareOf(scale, scale.nowMs + ahead))}
      aria-label="Block time"
      aria-valuemin={0}
      aria-valuemax={scale.aheadMs / 1000}
      aria-valuenow={Math.round(ahead / 1000)}
      aria-valuetext={ahead === 0 ? `now, ${target}` : `${spanText(ahead)} ahead, ${target}; Enter moves block time`}
      onKeyDown={(event) => {
        const act = keys[event.key]
        if (act === undefined) return
        event.preventDefault()
        event.stopPropagation()
        act()
      }}
    >
      {ahead === 0 ? null : <span class="ahead">+{spanText(ahead)}</span>}
    </span>
  )
}

type Group = { readonly share: number; readonly marks: readonly Mark[] }

/** Returns marks in groups whose distances are large enough to press each. */
function groupsOf(marks: readonly Mark[], scale: Scale, width: number): readonly Group[] {
  const groups: { share: number; marks: Mark[] }[] = []
  for (const mark of marks.toSorted((a, b) => a.ms - b.ms)) {
    const share = shareOf(scale, mark.ms)
    const last = groups.at(-1)
    if (last !== undefined && (share - last.share) * width < markPixels) last.marks.push(mark)
    else groups.push({ share, marks: [mark] })
  }
  return groups
}

function MarkOf({ share, marks }: Group) {
  const [first] = marks
  if (first === undefined) return null
  const isOne = marks.length === 1
  const what = isOne
    ? `Restore checkpoint ${first.id} at height ${number(first.height)}`
    : `Choose one of ${counted(marks.length, 'checkpoint')} from height ${number(first.height)}`
  return (
    <button
      type="button"
      class={isOne ? 'mark' : 'mark many'}
      style={left(share)}
      title={`${what}, ${moment(first.time)}`}
      aria-label={what}
      onClick={() => (isOne ? restore(first.id, first.height) : openMarks(marks))}
    >
      {isOne ? '' : marks.length}
    </button>
  )
}

/** Lists checkpoints that share a mark, newest first. */
function openMarks(marks: readonly Mark[]): void {
  open(
    'Restore a checkpoint',
    <ul class="plain">
      {marks.toReversed().map(({ id, height: at, time }) => (
        <li key={id}>
          <button type="button" onClick={() => restore(id, at)}>
            {id}: height {number(at)}, {moment(time)}
          </button>
        </li>
      ))}
    </ul>,
  )
}

/** Asks to restore the newest checkpoint that is not after a time. */
function restoreBefore(marks: readonly Mark[], ms: number): void {
  const found = marks.findLast((one) => one.ms <= ms)
  if (found === undefined) say('There is no checkpoint before that time. Take a checkpoint to be able to return to it.')
  else restore(found.id, found.height)
}

/** Returns the width of an element in pixels, which follows its size. */
function useWidth(of: { readonly current: HTMLElement | null }): number {
  const [width, setWidth] = useState(800)
  useEffect(() => {
    const element = of.current
    if (element === null) return undefined
    const watcher = new ResizeObserver(() => setWidth(element.clientWidth))
    watcher.observe(element)
    return () => watcher.disconnect()
  }, [])
  return width
}
