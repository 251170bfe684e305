// Numbers and names as people read them.
const grouped = new Intl.NumberFormat('en', { maximumFractionDigits: 2 })

export const number = (value) => grouped.format(value)

/** The beginning and end of a hash or address; the whole of it is in the title. */
export function short(text, head = 10, tail = 6) {
  return text.length <= head + tail + 1 ? text : `${text.slice(0, head)}…${text.slice(-tail)}`
}

/** Whole tokens of 18 decimals, at most six of them shown. */
export function tokens(wei) {
  const digits = BigInt(wei).toString().padStart(19, '0')
  const whole = grouped.format(BigInt(digits.slice(0, -18)))
  const rest = digits.slice(-18, -12).replace(/0+$/, '')
  return rest === '' ? whole : `${whole}.${rest}`
}

export function gwei(wei) {
  return grouped.format(Number(BigInt(wei)) / 1e9)
}

/** Date and time in UTC, as block headers mean them. */
export function moment(iso) {
  return iso === null ? '–' : iso.replace('T', ' ').replace(/(\.\d{3})\d*Z$/, '$1').replace(/Z$/, '')
}

export function milliseconds(ms) {
  if (ms === null) return '–'
  return ms < 10 ? `${ms.toFixed(1)} ms` : ms < 10_000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`
}
