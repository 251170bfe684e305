/** Line and bar charts with axes, drawn by uPlot in the colors of the theme. */
import { useEffect, useRef } from 'preact/hooks'
import uPlot from 'uplot'
import { theme } from '../core/theme.ts'

export type Series = {
  readonly title: string
  /** The name of a style sheet color, without the leading dashes. */
  readonly color: string
  readonly values: readonly (number | null)[]
  readonly kind?: 'line' | 'bars'
}

type Drawn = {
  readonly title: string
  /** The latest values as text, for screen readers. */
  readonly told: string
  readonly x: readonly number[]
  readonly series: readonly Series[]
  readonly show: (value: number) => string
  readonly showX?: (value: number) => string
  readonly height?: number
}

export function Chart(drawn: Drawn) {
  const { title, told, x, series, height = 150 } = drawn
  const box = useRef<HTMLDivElement>(null)
  const plot = useRef<uPlot>(undefined)
  const latest = useRef(drawn)
  latest.current = drawn
  const shape = `${theme.value} ${series.map((one) => one.title).join()}`
  useEffect(() => {
    const element = box.current
    if (element === null) return undefined
    const made = new uPlot(optionsOf(latest, element.clientWidth, height), dataOf(latest.current), element)
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
  return (
    <figure class="card chart" id={`chart-${title.toLowerCase().replaceAll(' ', '-')}`}>
      <figcaption>
        {title} <span class="hint">{told}</span>
      </figcaption>
      <div class="plot" ref={box} role="img" aria-label={`${title}: ${told}`} />
    </figure>
  )
}

const dataOf = ({ x, series }: Drawn) => [[...x], ...series.map(({ values }) => [...values])] as uPlot.AlignedData

const colorOf = (name: string) => getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim()

function optionsOf(latest: { readonly current: Drawn }, width: number, height: number): uPlot.Options {
  const soft = colorOf('soft')
  const grid = { stroke: colorOf('line'), width: 1 }
  const axis = { stroke: soft, font: '11px system-ui', grid, ticks: { show: false } }
  return {
    width,
    height,
    padding: [10, 12, 0, 0],
    legend: { show: false },
    cursor: { y: false, points: { size: 5 } },
    scales: { x: { time: false }, y: { range: (_plot, _low, high) => [0, (high ?? 0) <= 0 ? 1 : high * 1.1] } },
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
      ...(latest.current.series.map(({ title, color, kind }) => ({
        label: title,
        stroke: colorOf(color),
        width: kind === 'bars' ? 0 : 1.5,
        fill: kind === 'bars' ? colorOf(color) : `${colorOf(color)}22`,
        points: { show: false },
        spanGaps: true,
        ...(kind === 'bars' ? { paths: uPlot.paths.bars?.({ size: [0.7, 14] }) ?? null } : {}),
      })) as uPlot.Series[]),
    ],
  }
}
