/**
 * The text format of Prometheus, version 0.0.4:
 *
 *     # HELP chainstage_sessions Number of sessions besides the main chain.
 *     # TYPE chainstage_sessions gauge
 *     chainstage_sessions 2
 */
export type Labels = Readonly<Record<string, string>>

/** `suffix` is the name suffix of a histogram sample: `_bucket`, `_sum` or `_count`. */
export type Sample = {
  readonly labels: Labels
  readonly value: number
  readonly suffix?: string
}

/** All series with the same name. */
export type Family = {
  readonly name: string
  readonly help: string
  readonly type: 'counter' | 'gauge' | 'histogram'
  readonly samples: readonly Sample[]
}

/** Returns a family with a single sample. */
export function single(
  type: 'counter' | 'gauge',
  name: string,
  help: string,
  value: number,
  labels: Labels = {},
): Family {
  return { name, help, type, samples: [{ labels, value }] }
}

/** Returns the families as text, sorted by name; families without samples are omitted. */
export function exposition(families: readonly Family[]): string {
  return families
    .filter(({ samples }) => samples.length > 0)
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .map(familyText)
    .join('')
}

function familyText({ name, help, type, samples }: Family): string {
  const lines = samples.map(
    ({ labels, value, suffix = '' }) => `${name}${suffix}${labelsText(labels)} ${numberText(value)}\n`,
  )
  return `# HELP ${name} ${escaped(help)}\n# TYPE ${name} ${type}\n${lines.join('')}`
}

function labelsText(labels: Labels): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escaped(value).replaceAll('"', '\\"')}"`)
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`
}

function escaped(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n')
}

/** Returns a number in the text format, where infinity is `+Inf`. */
export function numberText(value: number): string {
  if (Number.isFinite(value) || Number.isNaN(value)) return String(value)
  return value > 0 ? '+Inf' : '-Inf'
}
