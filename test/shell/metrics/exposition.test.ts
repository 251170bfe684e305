/** The text that Prometheus reads: escaping, numbers, order and histograms. */
import test from 'ava'
import { exposition, single, type Family } from '../../../src/shell/metrics/exposition.ts'
import { createHistogram } from '../../../src/shell/metrics/histogram.ts'
import { createTelemetry } from '../../../src/shell/metrics/telemetry.ts'

const written = test.macro((t, families: readonly Family[], ...lines: readonly string[]) => {
  t.deepEqual(exposition(families).split('\n'), [...lines, ''])
})

test(
  'a gauge without labels',
  written,
  [single('gauge', 'a_b', 'What it is.', 1.5)],
  '# HELP a_b What it is.',
  '# TYPE a_b gauge',
  'a_b 1.5',
)
test(
  'names are in order, and a family without series is left out',
  written,
  [single('gauge', 'b', 'B', 2), { name: 'c', help: 'C', type: 'gauge', samples: [] }, single('counter', 'a', 'A', 1)],
  '# HELP a A',
  '# TYPE a counter',
  'a 1',
  '# HELP b B',
  '# TYPE b gauge',
  'b 2',
)
test(
  'quotes, backslashes and line breaks of a label are escaped',
  written,
  [single('gauge', 'a', 'A', 1, { fault: 'say "hi"\\\nb', other: 'x' })],
  '# HELP a A',
  '# TYPE a gauge',
  'a{fault="say \\"hi\\"\\\\\\nb",other="x"} 1',
)
test(
  'a help text keeps its quotes',
  written,
  [single('gauge', 'a', 'one "two"\nthree\\', 1)],
  '# HELP a one "two"\\nthree\\\\',
  '# TYPE a gauge',
  'a 1',
)
test(
  'infinity and what is no number',
  written,
  [
    {
      name: 'a',
      help: 'A',
      type: 'gauge',
      samples: [Infinity, -Infinity, NaN].map((value) => ({ labels: {}, value })),
    },
  ],
  '# HELP a A',
  '# TYPE a gauge',
  'a +Inf',
  'a -Inf',
  'a NaN',
)

test('a bucket counts what is at most its bound, and the last one everything', (t) => {
  const histogram = createHistogram([1, 5])
  for (const value of [1, 2, 9]) histogram.observe(value, { of: 'x' })
  const samples = histogram.samples()
  t.is(
    exposition([{ name: 'h', help: 'H', type: 'histogram', samples }]),
    [
      '# HELP h H',
      '# TYPE h histogram',
      'h_bucket{of="x",le="1"} 1',
      'h_bucket{of="x",le="5"} 2',
      'h_bucket{of="x",le="+Inf"} 3',
      'h_sum{of="x"} 12',
      'h_count{of="x"} 3',
      '',
    ].join('\n'),
  )
})

test('the SDK shows its last finished interval, and Prometheus what changed of late', (t) => {
  let now = 5_000
  const telemetry = createTelemetry({ service: 'svc', retentionSeconds: 15, nowMs: () => now })
  telemetry.count(['tx', 'count'], 2)
  telemetry.count(['tx', 'count'], 4)
  telemetry.gauge(['minted_tokens'], 7, { module: 'mint' })
  const counter = {
    Name: 'svc.tx.count',
    Count: 2,
    Rate: 0.6,
    Sum: 6,
    Min: 2,
    Max: 4,
    Mean: 3,
    Stddev: Math.SQRT2,
    Labels: {},
  }
  const first = {
    Timestamp: '1970-01-01 00:00:00 +0000 UTC',
    PrecisionGauges: [],
    Points: [],
    Samples: [],
    Gauges: [{ Name: 'svc.minted_tokens', Value: 7, Labels: { module: 'mint' } }],
    Counters: [counter],
  }
  t.deepEqual(telemetry.summary(), first)
  now = 12_000
  telemetry.count(['tx', 'count'], 1)
  t.deepEqual(telemetry.summary(), first)
  now = 21_000
  t.like(telemetry.summary(), {
    Timestamp: '1970-01-01 00:00:10 +0000 UTC',
    Gauges: [],
    Counters: [{ Sum: 1, Stddev: 0 }],
  })
  t.regex(exposition(telemetry.families()), /^svc_tx_count 7$/m)
  t.notRegex(exposition(telemetry.families()), /minted/)
})
