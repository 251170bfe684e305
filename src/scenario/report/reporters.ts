/**
 * Reports of runs for terminals, TAP consumers, JUnit viewers and GitHub (`mocks.md` §3.9). Pure
 * functions that return texts.
 */
import { escaped, printable } from '../../data/printable.ts'
import type { Diagnostic } from '../diagnostic.ts'
import {
  exitCode,
  isNotRun,
  otherFailures,
  runFailures,
  runState,
  stepOutcomes,
  warningsOf,
  type CaseOutcome,
  type NotRun,
  type RunOutcome,
  type StepOutcome,
} from './outcome.ts'

/** Terminal styles for text: passed, failed, warning, and less important. */
export type Paint = Readonly<Record<'good' | 'bad' | 'warn' | 'dim', (text: string) => string>>

const same = (text: string) => text
/** Unstyled text, for files and pipes. */
const noPaint: Paint = { good: same, bad: same, warn: same, dim: same }

/**
 * Returns the readable report of one run: each step with its outcome, the failures and their
 * positions.
 */
export function textReport(outcome: CaseOutcome, paint = noPaint): string {
  if (isNotRun(outcome)) {
    const { file, text, isSkipped } = outcome
    if (isSkipped === true) return paint.dim(printable(`${file}: ${text}`))
    return `${printable(file)}: ${paint.bad('not run')}\n\nfailures:\n${indented(escaped(text))}`
  }
  const { plan } = outcome
  const steps = stepOutcomes(outcome)
  const marks = { passed: 'ok', failed: 'not ok', 'not reached': 'not reached' } as const
  const failures = steps.flatMap(({ step: { id }, failures: found }) =>
    found.map(({ text, source }) => printable(`  ${source}  ${id}: ${text}`)),
  )
  const others = otherFailures(outcome).map((text) => printable(`  ${text}`))
  const all = [...failures, ...others]
  const colors = { passed: paint.good, failed: paint.bad, 'not reached': paint.dim } as const
  const isGood = exitCode(outcome) === 0
  return [
    `${printable(plan.name)}: ${(isGood ? paint.good : paint.bad)(runState(outcome))}`,
    ...steps.map(({ step, state }) => `  ${colors[state](marks[state].padEnd(11))} ${printable(step.id)}`),
    // Above the failures, which they would seem to belong to below.
    ...warningsOf(outcome).map((text) => `  ${paint.warn(printable(text))}`),
    ...(all.length > 0 ? ['', paint.bad('failures:'), ...all] : []),
  ].join('\n')
}

function indented(text: string): string {
  return text.replace(/^/gm, '  ')
}

/**
 * Returns the readable summary of several runs; `wallMs` is their total duration in milliseconds,
 * by default the sum.
 */
export function textSummary(outcomes: readonly CaseOutcome[], paint = noPaint, wallMs = sumMs(outcomes)): string {
  const failed = outcomes.filter((one) => exitCode(one) !== 0)
  const left = outcomes.filter((one) => isNotRun(one) && one.isSkipped === true).length
  const again = outcomes.filter((one) => !isNotRun(one) && exitCode(one) === 0 && one.retried !== undefined).length
  const names = failed.map(
    (one) => `  ${paint.bad('not ok')}  ${printable(`${one.file}: ${isNotRun(one) ? 'not run' : one.plan.name}`)}`,
  )
  const passed = outcomes.length - failed.length - left
  const sum = `${passed} of ${outcomes.length} scenarios passed`
  const more = [...(again > 0 ? [`${again} after a retry`] : []), ...(left > 0 ? [`${left} skipped`] : [])]
  const time = `${more.map((text) => `, ${text}`).join('')} in ${(wallMs / 1000).toFixed(1)} s`
  return [...names, `${(failed.length === 0 ? paint.good : paint.bad)(sum)}${time}`].join('\n')
}

function sumMs(outcomes: readonly CaseOutcome[]): number {
  return outcomes.reduce((sum, one) => sum + (isNotRun(one) ? 0 : one.wallMs), 0)
}

/** Returns the report as TAP 14: a test for each scenario, its steps as subtests. */
export function tapReport(outcomes: readonly CaseOutcome[]): string {
  const points = outcomes.flatMap((outcome, index) => {
    if (isNotRun(outcome)) {
      const { file: name, text, isSkipped } = outcome
      if (isSkipped === true) return [`ok ${index + 1} - ${tapText(name)} # SKIP ${tapText(text)}`]
      return tapPoint(index + 1, { isOk: false, name, messages: [text], at: name, calls: [], ms: undefined })
    }
    const steps = stepOutcomes(outcome)
    const subtest = [
      `# Subtest: ${tapText(outcome.plan.name)}`,
      ...steps.flatMap((one, at) => tapStep(one, at + 1)),
      `1..${steps.length}`,
    ].map((line) => `    ${line}`)
    const {
      plan: { name },
      file: at,
      calls,
    } = outcome
    return [
      ...subtest,
      ...tapPoint(index + 1, {
        isOk: exitCode(outcome) === 0,
        name,
        messages: otherFailures(outcome),
        at,
        calls,
        ms: outcome.wallMs,
      }),
      ...warningsOf(outcome).map((text) => `# ${tapText(text)}`),
    ]
  })
  return ['TAP version 14', `1..${outcomes.length}`, ...points].join('\n')
}

function tapStep({ step, state, failures, ms }: StepOutcome, number: number): readonly string[] {
  const { id: name, source } = step
  if (state === 'not reached') return [`ok ${number} - ${tapText(name)} # SKIP not reached`]
  const messages = failures.map(({ text }) => text)
  const at = failures[0]?.source ?? source
  return tapPoint(number, { isOk: state === 'passed', name, messages, at, calls: [], ms })
}

type Point = {
  readonly isOk: boolean
  readonly name: string
  readonly messages: readonly string[]
  readonly at: string
  readonly calls: readonly string[]
  readonly ms: number | undefined
}

function tapPoint(number: number, { isOk, name, messages, at, calls, ms }: Point): readonly string[] {
  const line = `${isOk ? 'ok' : 'not ok'} ${number} - ${tapText(name)}`
  const time = ms === undefined ? {} : { duration_ms: Math.round(ms * 1000) / 1000 }
  if (isOk) return [line, ...(ms === undefined ? [] : yaml(time))]
  const more = calls.length > 0 ? { calls: calls.join('\n') } : {}
  return [line, ...yaml({ message: messages.join('\n') || 'a step failed', at, ...more, ...time })]
}

function yaml(values: Readonly<Record<string, string | number>>): readonly string[] {
  const lines = Object.entries(values).map(([key, value]) => `  ${key}: ${JSON.stringify(value)}`)
  return ['  ---', ...lines, '  ...']
}

/** Escapes `#`, because it starts a directive. */
function tapText(text: string): string {
  return escaped(text.replace(/[\\#]/g, '\\$&').replace(/\r?\n/g, ' '))
}

/** Returns the report as JUnit XML: a suite for each scenario, a case for each step. */
export function junitReport(outcomes: readonly CaseOutcome[]): string {
  const suites = outcomes.map((outcome) => {
    if (isNotRun(outcome)) return junitNotRun(outcome)
    const steps = stepOutcomes(outcome)
    const [others, warnings] = [otherFailures(outcome), warningsOf(outcome)]
    const cases = [
      ...steps.map((one) => junitCase(outcome, one)),
      ...others.map(
        (text) =>
          `    <testcase classname="${xml(outcome.file)}" name="the run" time="0.000">${failure(text, outcome.calls)}</testcase>`,
      ),
    ]
    const failed = steps.filter(({ state }) => state === 'failed').length + others.length
    const skipped = steps.filter(({ state }) => state === 'not reached').length
    const said = warnings.length === 0 ? [] : [`    <system-out>${xml(warnings.join('\n'))}</system-out>`]
    const counts = `tests="${cases.length}" failures="${failed}" skipped="${skipped}"`
    const where = `name="${xml(outcome.plan.name)}" file="${xml(outcome.file)}"`
    return [
      `  <testsuite ${where} ${counts} time="${seconds(outcome.wallMs)}">`,
      ...cases,
      ...said,
      '  </testsuite>',
    ].join('\n')
  })
  const head = '<?xml version="1.0" encoding="UTF-8"?>'
  return [head, `<testsuites time="${seconds(sumMs(outcomes))}">`, ...suites, '</testsuites>'].join('\n')
}

function junitNotRun({ file, text, isSkipped }: NotRun): string {
  const name = xml(file)
  const [failures, skips] = isSkipped === true ? [0, 1] : [1, 0]
  const why = isSkipped === true ? `<skipped message="${xml(text)}"/>` : failure(text, [])
  return [
    `  <testsuite name="${name}" file="${name}" tests="1" failures="${failures}" skipped="${skips}" time="0.000">`,
    `    <testcase classname="${name}" name="the file" time="0.000">${why}</testcase>`,
    '  </testsuite>',
  ].join('\n')
}

function seconds(ms: number): string {
  return (ms / 1000).toFixed(3)
}

function junitCase(outcome: RunOutcome, { step, state, failures, ms = 0 }: StepOutcome): string {
  const head = `    <testcase classname="${xml(outcome.file)}" name="${xml(step.id)}" time="${seconds(ms)}"`
  if (state === 'passed') return `${head}/>`
  if (state === 'not reached') return `${head}><skipped message="not reached"/></testcase>`
  const found = failures.map(({ text, source }) => failure(`${source}: ${text}`, outcome.calls))
  return `${head}>${found.join('')}</testcase>`
}

function failure(text: string, calls: readonly string[]): string {
  const last = calls.length === 0 ? '' : `\nlast calls:\n${calls.join('\n')}`
  return `<failure message="${xml(text)}">${xml(`${text}${last}`)}</failure>`
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
}

function xml(text: string): string {
  // XML 1.0 does not allow control characters.
  return text
    .replace(/[&<>"]/g, (one) => entities[one] ?? one)
    .replace(/[^\t\n\r\u0020-\uFFFD\u{10000}-\u{10FFFF}]/gu, '')
}

/** Returns the report as workflow commands, which GitHub shows at the line of the scenario. */
export function githubReport(outcomes: readonly CaseOutcome[]): string {
  return outcomes
    .flatMap((outcome) =>
      isNotRun(outcome)
        ? outcome.problems.map(githubProblem)
        : [
            ...outcome.progress.failures.map(({ step, text, source }) =>
              command(source, `${outcome.plan.name}: ${step}`, text),
            ),
            ...runFailures(outcome).map((text) => command(outcome.file, outcome.plan.name, text)),
            ...warningsOf(outcome).map((text) => githubWarning(outcome.file, outcome.plan.name, text)),
          ],
    )
    .join('\n')
}

/** Returns the workflow command for a problem of a scenario file. */
export function githubProblem({ file, line, column, code, message, hint }: Diagnostic): string {
  const text = `${message}${hint === undefined ? '' : ` (${hint})`}`
  return `::error file=${property(file)},line=${line},col=${column},title=${code}::${data(text)}`
}

/** Returns the workflow command for a warning about a scenario with this name. */
export function githubWarning(file: string, name: string, text: string): string {
  return command(file, name, text, 'warning')
}

function command(source: string, title: string, text: string, level: 'error' | 'warning' = 'error'): string {
  const [, file = source, line] = /^(.*):(\d+)$/.exec(source) ?? []
  const place = line === undefined ? '' : `,line=${line}`
  return `::${level} file=${property(file)}${place},title=${property(title)}::${data(text)}`
}

function data(text: string): string {
  return escaped(text.replace(/%/g, '%25').replace(/\r/g, '%0D').replace(/\n/g, '%0A'))
}

function property(text: string): string {
  return data(text).replace(/:/g, '%3A').replace(/,/g, '%2C')
}
