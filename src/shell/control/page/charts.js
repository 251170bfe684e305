// Small bar charts: the newest value stands right, and every bar says what it is.
import { h, svg } from './dom.js'

const [width, height] = [240, 64]

/** `points` are { value, label } from old to new; `show` spells a value. */
export function chart({ id, title, points, show, limit, unit }) {
  const last = points.at(-1)
  const most = Math.max(...points.map(({ value }) => value), limit ?? 0, 0)
  const step = width / Math.max(points.length, 24)
  const bars = points.map(({ value, label }, index) => {
    const tall = most === 0 ? 0 : Math.max((value / most) * (height - 4), value > 0 ? 1.5 : 0)
    const left = width - (points.length - index) * step
    return svg('rect', {
      class: 'bar', x: left.toFixed(2), y: (height - tall).toFixed(2),
      width: Math.max(step - 1, 0.6).toFixed(2), height: tall.toFixed(2),
    }, svg('title', {}, `${label}: ${show(value)}`))
  })
  const told = last === undefined ? 'nothing yet' : `now ${show(last.value)}, at most ${show(most)}`
  const drawing = svg('svg', { viewBox: `0 0 ${width} ${height}`, preserveAspectRatio: 'none', role: 'img', 'aria-label': `${title}: ${told}` },
    svg('line', { class: 'axis', x1: 0, x2: width, y1: height, y2: height }), ...bars)
  return h('figure', { class: 'card chart', id: `chart-${id}` },
    h('figcaption', {}, title, h('b', {}, last === undefined ? '–' : show(last.value))), drawing,
    h('div', { class: 'range' }, h('span', {}, unit), h('span', {}, `max ${show(most)}`)))
}

/** Seconds of block time from each block to the next. */
export function blockTimes(blocks) {
  const rising = [...blocks].reverse()
  return rising.slice(1).map(({ height: at, timeMs }, index) => ({
    value: (timeMs - rising[index].timeMs) / 1000, label: `block ${at}`,
  }))
}

export function gasOf(blocks) {
  return [...blocks].reverse().map(({ height: at, gasUsed }) => ({ value: gasUsed, label: `block ${at}` }))
}

/** Requests in each of the last seconds of simulation time. */
export function requestRates(recent, nowMs, seconds = 40) {
  const counts = new Array(seconds).fill(0)
  for (const { timeMs } of recent) {
    const ago = Math.floor((nowMs - timeMs) / 1000)
    if (ago >= 0 && ago < seconds) counts[seconds - 1 - ago] += 1
  }
  return counts.map((value, index) => ({ value, label: `${seconds - 1 - index} s ago` }))
}

export function latencies(recent) {
  return recent.filter(({ tookMs }) => tookMs !== null).slice(0, 60).reverse()
    .map(({ tookMs, method }) => ({ value: tookMs, label: method }))
}
