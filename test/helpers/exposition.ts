/** Prometheus' text format 0.0.4, read as strictly as its own parser does. */
const metricName = /^[a-zA-Z_:][a-zA-Z0-9_:]*$/
const types = ['counter', 'gauge', 'histogram', 'summary', 'untyped']

export type Sample = {
  readonly name: string
  readonly labels: ReadonlyMap<string, string>
  readonly value: number
}

export type ParsedFamily = { readonly type: string; readonly samples: Sample[] }

/** Returns the families by name. Throws for anything that is not the format. */
export function parseExposition(text: string): ReadonlyMap<string, ParsedFamily> {
  if (!text.endsWith('\n')) throw new Error('the last line does not end')
  const families = new Map<string, ParsedFamily>()
  const seen = new Set<string>()
  for (const line of text.slice(0, -1).split('\n')) {
    const [, kind, name = '', rest = ''] = /^# (HELP|TYPE) (\S+) ?(.*)$/.exec(line) ?? []
    if (kind === 'TYPE') {
      if (!metricName.test(name) || !types.includes(rest) || families.has(name)) throw new Error(line)
      families.set(name, { type: rest, samples: [] })
    }
    if (kind !== undefined || line.startsWith('#')) continue
    const sample = readSample(line)
    const key = `${sample.name} ${JSON.stringify([...sample.labels].sort())}`
    if (seen.has(key)) throw new Error(`it stands twice: ${line}`)
    seen.add(key)
    familyOf(families, sample.name).samples.push(sample)
  }
  for (const family of families.values()) if (family.type === 'histogram') checkHistogram(family)
  return families
}

function familyOf(families: ReadonlyMap<string, ParsedFamily>, name: string): ParsedFamily {
  const base = families.get(name.replace(/_(?:bucket|sum|count)$/, ''))
  const found = families.get(name) ?? (base?.type === 'histogram' || base?.type === 'summary' ? base : undefined)
  if (found === undefined) throw new Error(`no type stands before ${name}`)
  return found
}

function readSample(line: string): Sample {
  const [, name = '', inBraces, spelled = ''] = /^([^\s{]+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? []
  if (!metricName.test(name)) throw new Error(`no sample: ${line}`)
  const value = spelled === '+Inf' ? Infinity : spelled === '-Inf' ? -Infinity : Number(spelled)
  if (Number.isNaN(value) && spelled !== 'NaN') throw new Error(`no number: ${line}`)
  return { name, labels: readLabels(inBraces ?? ''), value }
}

function readLabels(text: string): ReadonlyMap<string, string> {
  const labels = new Map<string, string>()
  let rest = text
  while (rest !== '') {
    const [whole, name = '', value = ''] = /^([a-zA-Z_]\w*)="((?:[^"\\]|\\[\\"n])*)"(?:,|$)/.exec(rest) ?? []
    if (whole === undefined || labels.has(name)) throw new Error(`no labels: ${text}`)
    labels.set(name, value)
    rest = rest.slice(whole.length)
  }
  return labels
}

/** Buckets of a series rise, and the last holds what was counted. */
function checkHistogram({ samples }: ParsedFamily): void {
  const counts = samples.filter(({ name }) => name.endsWith('_count'))
  if (counts.length === 0 && samples.length > 0) throw new Error('a histogram without a count')
  for (const { name, labels, value } of counts) {
    const own = samples.filter(
      (each) =>
        each.name === name.replace(/_count$/, '_bucket') &&
        [...labels].every(([label, given]) => each.labels.get(label) === given),
    )
    const last = own.at(-1)
    if (last?.labels.get('le') !== '+Inf' || last.value !== value) throw new Error(`${name}: no last bucket`)
    for (const [at, each] of own.entries()) {
      const before = own[at - 1]
      if (before !== undefined && before.value > each.value) throw new Error(`${name}: a bucket falls`)
    }
  }
}

/** Returns the value of a series as it is spelled in a text; NaN where it is not there. */
export function seriesValue(text: string, series: string): number {
  const line = text.split('\n').find((one) => one.startsWith(`${series} `))
  return Number(line?.slice(series.length + 1) ?? NaN)
}
