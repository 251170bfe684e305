import test from 'ava'
import type { Input } from '../../src/plan/input.ts'
import type { Output } from '../../src/node/output.ts'
import { type RecordingHeader, headerLine, recordLine, recordingFormat } from '../../src/recording/format.ts'
import { InvalidRecording, type Player, earlierFormatNote, parseRecording, replay } from '../../src/recording/replay.ts'

const header = {
  format: recordingFormat,
  version: '0',
  scenario: 's',
  files: { s: '{}' },
  settings: {},
  seed: 'x',
} as const
const input = (seq: number): Input => ({ seq, timeMs: BigInt(seq), session: '', kind: 'tick' })
const says = (text: string): Output => ({ kind: 'log', level: 'info', text })

/** Answers every input with its number; the digest is constant. */
const play: Player = ({ seq }) => ({ outputs: [says(`n ${seq}`)], digest: () => 'd' })

function recordingOf(count: number, as: RecordingHeader = header): string {
  const lines = Array.from({ length: count }, (_, index) => {
    const one = input(index + 1)
    return recordLine(one, play(one).outputs, () => 'd')
  })
  return [headerLine(as), ...lines, ''].join('\n')
}

test('a recording replays without a difference', (t) => {
  t.is(replay(parseRecording(recordingOf(130)), play), undefined)
})

test('the first differing output stops the replay and shows both', (t) => {
  const other: Player = (one) => (one.seq < 3 ? play(one) : { outputs: [says('other')], digest: () => 'd' })
  t.deepEqual(replay(parseRecording(recordingOf(5)), other), {
    line: 4,
    seq: 3,
    what: 'output 1',
    recorded: '{"kind":"log","level":"info","text":"n 3"}',
    replayed: '{"kind":"log","level":"info","text":"other"}',
  })
})

test('a recording of an earlier format replays, and says why its lines may differ', (t) => {
  const earlier = parseRecording(recordingOf(3, { ...header, format: 1, version: '0.1.0' }))
  t.is(replay(earlier, play), undefined)
  t.regex(
    earlierFormatNote(earlier) ?? '',
    /^chainstage 0\.1\.0 wrote this recording in format 1.* more than five blocks /,
  )
  t.is(earlierFormatNote(parseRecording(recordingOf(3))), undefined)
})

test('an output too many is a difference', (t) => {
  const other: Player = (one) => ({ outputs: [...play(one).outputs, says('more')], digest: () => 'd' })
  t.is(replay(parseRecording(recordingOf(2)), other)?.recorded, 'nothing')
})

test('a digest that differs on the 64th input is a difference', (t) => {
  const other: Player = (one) => ({ ...play(one), digest: () => 'e' })
  t.is(replay(parseRecording(recordingOf(63)), other), undefined)
  t.is(replay(parseRecording(recordingOf(64)), other)?.what, 'the digest of the simulation')
})

const refused = test.macro((t, text: string, expected: RegExp) => {
  t.throws(() => parseRecording(text), { instanceOf: InvalidRecording, message: expected })
})

test('a recording that was cut off is refused', refused, recordingOf(2).slice(0, -5), /^recording:3: .* truncated/)
test(
  'a line that is not JSON is refused with its number',
  refused,
  recordingOf(2).replace('{"input"', '{input"'),
  /^recording:2: expected a line of a recorded run/,
)
const whole = recordingOf(2)
test(
  'a recording after another one is refused',
  refused,
  whole + whole,
  /^recording:4: expected an input with its outputs/,
)
test(
  'a line that is no input is refused',
  refused,
  `${whole}null\n`,
  /^recording:4: expected an input with its outputs/,
)
test(
  'a line without outputs is refused',
  refused,
  `${whole}{"input":{"seq":3}}\n`,
  /^recording:4: expected an input with/,
)
test(
  'a header that is nothing is refused',
  refused,
  'null\n',
  /^recording:1: expected format 1 or 2, received undefined/,
)
test('a header without files is refused', refused, '{"format":2}\n', /^recording:1: the header is not whole/)
test(
  'an unknown format is refused',
  refused,
  recordingOf(1).replace('"format":2', '"format":3'),
  /^recording:1: expected format 1 or 2, received 3/,
)
test('an empty file is refused', refused, '', /^recording:1: expected a line of a recorded run, in canonical JSON/)

test('a flipped bit anywhere in the header is refused', (t) => {
  const bytes = Buffer.from(recordingOf(1))
  for (let at = 0; at < bytes.indexOf('\n'); at++) {
    const flipped = Buffer.from(bytes)
    flipped[at] = (flipped[at] ?? 0) ^ (1 << (at % 7))
    t.throws(() => parseRecording(flipped.toString('utf8')), { instanceOf: InvalidRecording })
  }
})
