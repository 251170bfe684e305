/**
 * Line and bar charts with axes and a legend, drawn by uPlot in the colors of the theme. The legend
 * shows the values of the point under the pointer, or of the point that the arrow keys chose.
 */
import { useEffect, useRef, useState } from 'preact/hooks'
import uPlot from 'uplot'
import { theme } from '../core/theme.ts'

export type Series = {
  readonly title: string
  /** The name of a style sheet color, without the leading dashes. */
  readonly color: string
  readonly values: readonly (number | null)[]
  readonly kind?: 'line' | 'bars'
  /** Lengths of dashes and gaps in pixels, so that lines differ by more than color. */
  readonly dash?: readonly number[]
}

type Drawn = {
  readonly title: string
  /** A summary as text, which screen readers read too. */
  readonly told: string
  readonly x: readonly number[]
  readonly series: readonly Series[]
  readonly show: (value: number) => string
  /** Returns a value of the x axis as its tick. */
  readonly showX?: (value: number) => string
  /** Returns the name of a point, such as "block 12". */
  readonly pointName: (value: number) => string
  readonly height?: number
}

export function Chart(drawn: Drawn) {
  const { title, told, x, series, height = 150 } = drawn
  const box = useRef<HTMLDivElement>(null)
  const plot = useRef<uPlot>(undefined)
  const latest = useRef(drawn)
  latest.current = drawn
  const [chosen, setChosen] = useState<number | undefined>(undefined)
  const shape = `${theme.value} ${series.map((one) => `${one.title} ${one.kind}`).join()}`
  useEffect(() => {
    const element = box.current
    if (element === null) return undefined
    const options = optionsOf(latest, element.clientWidth, height)
    const hooks = { setCursor: [(self: uPlot) => setChosen(self.cursor.idx ?? undefined)] }
    const made = new uPlot({ ...options, hooks }, dataOf(latest.current), element)
    plot.current = made
    const watcher = new ResizeObserver(() => made.setSize({ width: element.clientWidth, height }))
    watcher.observe(element)
    return () => {
      watcher.disconnect()
      made.destroy()
    }
  }, [shape])
  useEffect(() => {
    plot.current?.setData(dataOf(drawn))
  }, [x, series])
  const last = x.length - 1
  const at = Math.min(chosen ?? newestOf(drawn), last)
  const choose = (index: number | undefined) => pointAt(plot.current, index)
  return (
    <figure class="card chart" id={`chart-${title.toLowerCase().replaceAll(' ', '-')}`}>
      <figcaption>
        {title} <span class="hint">{told}</span>
      </figcaption>
      <Legend drawn={drawn} at={at} isChosen={chosen !== undefined} />
      <div
        class="plot"
        ref={box}
        role="slider"
        tabIndex={0}
        aria-label={`${title}: ${told}`}
        aria-valuemin={1}
        aria-valuemax={Math.max(x.length, 1)}
        aria-valuenow={Math.max(at + 1, 1)}
        aria-valuetext={readout(drawn, at)}
        onKeyDown={(event) => {
          const next = pointOf(event.key, at, last)
          if (next === undefined) return
          event.preventDefault()
          choose(next)
        }}
        onBlur={() => choose(undefined)}
      />
    </figure>
  )
}

/** Returns the newest point with a value. */
function newestOf({ x, series }: Drawn): number {
  const found = x.findLastIndex((_, index) => series.some(({ values }) => typeof values[index] === 'number'))
  return found < 0 ? x.length - 1 : found
}

/** The series with their colors and the values at a point. */
function Legend({ drawn, at, isChosen }: { drawn: Drawn; at: number; isChosen: boolean }) {
  const { series, x, show, pointName } = drawn
  const place = x[at]
  return (
    <div class="legend">
      {series.map(({ title, color, values, kind, dash }) => (
        <span key={title}>
          <span
            class={`swatch ${kind ?? 'line'}`}
            style={{ borderTopColor: `var(--${color})`, borderTopStyle: dash === undefined ? 'solid' : 'dashed' }}
          />
          {title} <b>{shown(values[at], show)}</b>
        </span>
      ))}
      <span class={isChosen ? 'point chosen' : 'point'}>{place === undefined ? 'no data yet' : pointName(place)}</span>
    </div>
  )
}

function readout({ x, series, show, pointName }: Drawn, at: number): string {
  const place = x[at]
  if (place === undefined) return 'no data yet'
  return [pointName(place), ...series.map(({ title, values }) => `${title} ${shown(values[at], show)}`)].join(', ')
}

function shown(value: number | null | undefined, show: (value: number) => string): string {
  return value === null || value === undefined ? '–' : show(value)
}

/** Returns the point that a key leads to from point `at`; undefined for other keys. */
function pointOf(key: string, at: number, last: number): number | undefined {
  const steps: Readonly<Record<string, number>> = {
    ArrowLeft: -1,
    ArrowRight: 1,
    PageDown: -10,
    PageUp: 10,
    Home: -last,
    End: last,
  }
  const step = steps[key]
  return step === undefined || last < 0 ? undefined : Math.min(Math.max(at + step, 0), last)
}

/** Moves the cursor of a chart to a point, or away from the chart. */
function pointAt(plot: uPlot | undefined, index: number | undefined): void {
  const place = index === undefined ? undefined : plot?.data[0][index]
  if (place === undefined) plot?.setCursor({ left: -10, top: -10 })
  else plot?.setCursor({ left: plot.valToPos(place, 'x'), top: 0 })
}

const dataOf = ({ x, series }: Drawn) => [[...x], ...series.map(({ values }) => [...values])] as uPlot.AlignedData

const colorOf = (name: string) => getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim()

/** Returns the range of the x axis with half a point on both sides, so that the outer bars are whole. */
function widened(plot: uPlot, low: number | null, high: number | null): [number, number] {
  const points = plot.data[0].length
  const half = low === null || high === null || points < 2 ? 0.5 : (high - low) / (points - 1) / 2
  return [(low ?? 0) - half, (high ?? 0) + half]
}

function optionsOf(latest: { readonly current: Drawn }, width: number, height: number): uPlot.Options {
  const soft = colorOf('soft')
  const grid = { stroke: colorOf('line'), width: 1 }
  const axis = { stroke: soft, font: '11px system-ui', grid, ticks: { show: false } }
  return {
    width,
    height,
    padding: [10, 12, 0, 0],
    legend: { show: false },
    cursor: { y: false, points: { size: 5 }, drag: { setScale: false, x: false, y: false } },
    scales: {
      x: { time: false, range: (plot, low, high) => widened(plot, low, high) },
      y: { range: (_plot, _low, high) => [0, (high ?? 0) <= 0 ? 1 : high * 1.1] },
    },
    axes: [
      {
        ...axis,
        size: 28,
        space: 70,
        values: (_plot, ticks) => ticks.map((value) => (latest.current.showX ?? String)(value)),
      },
      { ...axis, size: 58, space: 28, values: (_plot, ticks) => ticks.map((value) => latest.current.show(value)) },
    ],
    series: [
      {},
      ...(latest.current.series.map(({ title, color, kind, dash }) => ({
        label: title,
        stroke: colorOf(color),
        width: kind === 'bars' ? 0 : 1.5,
        ...(kind === 'bars' ? { fill: colorOf(color) } : {}),
        ...(dash === undefined ? {} : { dash: [...dash] }),
        points: { show: false },
        spanGaps: true,
        ...(kind === 'bars' ? { paths: uPlot.paths.bars?.({ size: [0.7, 14] }) ?? null } : {}),
      })) as uPlot.Series[]),
    ],
  }
}
