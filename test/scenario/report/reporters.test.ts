import test from 'ava'
import { compileScenario } from '../../../src/scenario/compile.ts'
import { exitCode, runState, type RunOutcome } from '../../../src/scenario/report/outcome.ts'
import {
  githubReport,
  junitReport,
  tapReport,
  textReport,
  textSummary,
} from '../../../src/scenario/report/reporters.ts'
import { startProgress } from '../../../src/scenario/progress.ts'

const { plan } = compileScenario(
  new Map([
    [
      's.json5',
      `{ chainstage: 1, name: 'a <b> & #1', steps: [
  { id: 'one' }, { id: 'two' }, { id: 'three' }] }`,
    ],
  ]),
  's.json5',
)

const outcome = (changed: Partial<RunOutcome>): RunOutcome => ({
  file: 's.json5',
  plan,
  childCode: 0,
  childFailedFirst: false,
  unused: [],
  masked: [],
  calls: [],
  wallMs: 1500,
  stepMs: [500, 250, 0],
  progress: { ...startProgress(plan, { timeMs: 0n, height: 0n }), state: 'passed', step: 3 },
  ...changed,
})
const failed = outcome({
  progress: {
    ...outcome({}).progress,
    state: 'failed',
    step: 2,
    failures: [{ step: 'two', text: 'expected "1",\nwas <2> 50%', source: 's.json5:2' }],
  },
  calls: ['eth eth_chainId', 'comet status'],
})

test('exit codes say what went wrong first', (t) => {
  const { progress } = outcome({})
  t.is(exitCode(outcome({})), 0)
  t.is(exitCode(failed), 1)
  const late = { step: 'two', text: 'waited', source: 's.json5:2', isLate: true } as const
  const lateAndBad = { ...failed.progress, failures: [late, ...failed.progress.failures] }
  t.is(exitCode(outcome({ progress: { ...failed.progress, failures: [late] } })), 3)
  t.is(exitCode(outcome({ progress: lateAndBad })), 1)
  const atEnd = { step: 'finally', text: 'mine was refused', source: 's.json5' }
  t.is(exitCode(outcome({ progress: { ...progress, failures: [atEnd] } })), 1)
  t.is(exitCode(outcome({ unused: [{ name: 'f', near: '' }] })), 0)
  t.is(exitCode(outcome({ unused: [{ name: 'f', near: '' }], plan: { ...plan, onUnused: 'error' } })), 6)
  t.is(exitCode(outcome({ masked: ['m'] })), 0)
  t.is(exitCode(outcome({ masked: ['m'], plan: { ...plan, onMaskedFault: 'error' } })), 6)
  t.is(exitCode(outcome({ childCode: 9, childFailedFirst: true })), 9)
  t.is(exitCode({ ...failed, childCode: 9, childFailedFirst: false }), 1)
})

test('people see every step, what failed and where', (t) => {
  t.is(
    textReport(failed),
    'a <b> & #1: failed\n  ok          one\n  not ok      two\n  not reached three\n\nfailures:\n  s.json5:2  two: expected "1",\n      was <2> 50%',
  )
  t.regex(textSummary([failed, outcome({})]), /not ok {2}s\.json5: a <b> & #1\n1 of 2 scenarios passed in 3\.0 s/)
})

test('a warning is not among the failures', (t) => {
  const report = textReport({ ...failed, unused: [{ name: 'f', near: '' }] })
  t.regex(report, /\n {2}not reached three\n {2}the fault "f" hit no call\n\nfailures:\n {2}s\.json5:2 {2}two:/)
})

test('a run whose program failed has failed, though all its steps passed', (t) => {
  const one = outcome({ childCode: 9 })
  t.regex(textReport(one), /^a <b> & #1: failed\n[^]*the program ended with exit code 9$/)
  t.is(runState(one), 'failed')
  t.is(runState(outcome({})), 'passed')
})

test('every report tells of masked and unused faults, and of what failed beside the steps', (t) => {
  const failures = [{ step: 'finally', text: 'mine was refused', source: 's.json5:9' }]
  const one = outcome({
    masked: ['it was masked'],
    unused: [{ name: 'f', near: '; near miss: eth_call is not eth_calls' }],
    progress: { ...outcome({}).progress, failures },
  })
  const [text, tap, junit, github] = [textReport(one), tapReport([one]), junitReport([one]), githubReport([one])]
  for (const report of [text, tap, junit, github]) {
    t.regex(report, /it was masked/)
    t.regex(report, /the fault ("|&quot;)f("|&quot;) hit no call; near miss: eth_call is not eth_calls/)
    t.regex(report, /mine was refused/)
  }
  t.regex(tap, /^# it was masked$/m)
  t.regex(junit, /<system-out>[^<]*it was masked<\/system-out>\n {2}<\/testsuite>/)
  t.regex(github, /^::warning file=s\.json5,title=[^:]*::it was masked$/m)
  t.regex(github, /^::error file=s\.json5,line=9,title=[^:]*%3A finally::mine was refused$/m)
})

test('a masked fault is told, as a failure where it counts, or not at all', (t) => {
  const told = (onMaskedFault: 'ignore' | 'warn' | 'error') =>
    textReport(outcome({ masked: ['it was masked'], plan: { ...plan, onMaskedFault } }))
  t.regex(textReport(outcome({ masked: ['it was masked'] })), /\n {2}it was masked$/)
  t.regex(told('warn'), /three\n {2}it was masked$/)
  t.regex(told('error'), /failures:\n {2}it was masked$/)
  t.notRegex(told('ignore'), /masked/)
})

test('TAP has a plan, subtests and YAML, and escapes what would be a directive', (t) => {
  const lines = tapReport([failed, outcome({})]).split('\n')
  t.deepEqual(lines.slice(0, 2), ['TAP version 14', '1..2'])
  t.true(lines.includes('    not ok 2 - two'))
  t.true(lines.includes('      message: "expected \\"1\\",\\nwas <2> 50%"'))
  t.true(lines.includes('not ok 1 - a <b> & \\#1'))
  t.true(lines.includes('    ok 3 - three # SKIP not reached'))
  t.true(lines.includes('ok 2 - a <b> & \\#1'))
  t.true(lines.includes('  calls: "eth eth_chainId\\ncomet status"'))
})

test('JUnit is well-formed XML whatever the texts hold', (t) => {
  const text = junitReport([failed, { ...failed, plan: { ...plan, name: 'nul \u0000 "x"' } }])
  const open: string[] = []
  for (const [, slash, name = '', empty] of text
    .replace(/^<\?.*\?>/, '')
    .matchAll(/<(\/?)([a-z]+)(?:\s+[a-z]+="[^"<]*")*\s*(\/?)>/g)) {
    if (slash === '/') t.is(open.pop(), name)
    else if (empty !== '/') open.push(name)
  }
  t.deepEqual(open, [])
  t.notRegex(text.replace(/<[^>]*>/g, ''), /[<>]|&(?!amp;|lt;|gt;|quot;)/)
  t.false(text.includes('\u0000'))
  t.regex(text, /tests="3" failures="1" skipped="1"/)
})

test('GitHub is told no control characters, which color its log', (t) => {
  const text = githubReport([{ ...failed, plan: { ...failed.plan, name: 'a \x1b[31mred' } }])
  t.regex(text, /title=a \\x1b\[31mred%3A two::/)
})

test('GitHub is told the line, with what it reads as syntax escaped', (t) => {
  t.is(githubReport([failed]), '::error file=s.json5,line=2,title=a <b> & #1%3A two::expected "1",%0Awas <2> 50%25')
})
