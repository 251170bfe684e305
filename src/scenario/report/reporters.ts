/**
 * Reports of runs for people, TAP consumers, JUnit viewers and GitHub (`mocks.md` §3.9). Pure
 * texts.
 */
import {
  exitCode, otherFailures, runFailures, stepOutcomes, warningsOf, type RunOutcome,
  type StepOutcome,
} from './outcome.ts'

/** Returns the report of one run for people: each step with its fate, what failed and where. */
export function textReport(outcome: RunOutcome): string {
  const { plan, progress } = outcome
  const steps = stepOutcomes(outcome)
  const marks = { passed: 'ok', failed: 'not ok', 'not reached': 'not reached' } as const
  const failures = steps.flatMap(({ step: { id }, failures: found }) =>
    found.map(({ text, source }) => `  ${source}  ${id}: ${text}`))
  const others = otherFailures(outcome).map((text) => `  ${text}`)
  const all = [...failures, ...others]
  return [
    `${plan.name}: ${progress.state}`,
    ...steps.map(({ step, state }) => `  ${marks[state].padEnd(11)} ${step.id}`),
    ...(all.length > 0 ? ['', 'failures:', ...all] : []),
    ...warningsOf(outcome).map((text) => `  ${text}`),
  ].join('\n')
}

/** Returns the sum of several runs for people. */
export function textSummary(outcomes: readonly RunOutcome[]): string {
  const failed = outcomes.filter((one) => exitCode(one) !== 0)
  const seconds = (outcomes.reduce((sum, { wallMs }) => sum + wallMs, 0) / 1000).toFixed(1)
  const names = failed.map(({ file, plan }) => `  not ok  ${file}: ${plan.name}`)
  const passed = outcomes.length - failed.length
  return [...names, `${passed} of ${outcomes.length} scenarios passed in ${seconds} s`].join('\n')
}

/** Returns the report as TAP 14: a test for each scenario, its steps as subtests. */
export function tapReport(outcomes: readonly RunOutcome[]): string {
  const points = outcomes.flatMap((outcome, index) => {
    const steps = stepOutcomes(outcome)
    const subtest = [
      `# Subtest: ${tapText(outcome.plan.name)}`,
      ...steps.flatMap((one, at) => tapStep(one, at + 1)), `1..${steps.length}`,
    ].map((line) => `    ${line}`)
    const { plan: { name }, file: at, calls } = outcome
    return [
      ...subtest,
      ...tapPoint(index + 1, {
        isOk: exitCode(outcome) === 0, name, messages: otherFailures(outcome), at, calls,
      }),
      ...warningsOf(outcome).map((text) => `# ${tapText(text)}`),
    ]
  })
  return ['TAP version 14', `1..${outcomes.length}`, ...points].join('\n')
}

function tapStep({ step, state, failures }: StepOutcome, number: number): readonly string[] {
  const { id: name, source } = step
  if (state === 'not reached') {
    const line = `not ok ${number} - ${tapText(name)}`
    return [line, ...yaml({ message: 'not reached', at: source })]
  }
  const messages = failures.map(({ text }) => text)
  const at = failures[0]?.source ?? source
  return tapPoint(number, { isOk: state === 'passed', name, messages, at, calls: [] })
}

type Point = {
  readonly isOk: boolean
  readonly name: string
  readonly messages: readonly string[]
  readonly at: string
  readonly calls: readonly string[]
}

function tapPoint(number: number, { isOk, name, messages, at, calls }: Point): readonly string[] {
  const line = `${isOk ? 'ok' : 'not ok'} ${number} - ${tapText(name)}`
  if (isOk) return [line]
  const more = calls.length > 0 ? { calls: calls.join('\n') } : {}
  return [line, ...yaml({ message: messages.join('\n') || 'a step failed', at, ...more })]
}

function yaml(values: Readonly<Record<string, string>>): readonly string[] {
  const lines = Object.entries(values).map(([key, value]) => `  ${key}: ${JSON.stringify(value)}`)
  return ['  ---', ...lines, '  ...']
}

/** A # begins a directive. */
function tapText(text: string): string {
  return text.replace(/[\\#]/g, '\\$&').replace(/\n/g, ' ')
}

/** Returns the report as JUnit XML: a suite for each scenario, a case for each step. */
export function junitReport(outcomes: readonly RunOutcome[]): string {
  const suites = outcomes.map((outcome) => {
    const steps = stepOutcomes(outcome)
    const [others, warnings] = [otherFailures(outcome), warningsOf(outcome)]
    const cases = [...steps.map((one) => junitCase(outcome, one)), ...others.map((text) =>
      `    <testcase classname="${xml(outcome.file)}" name="the run">${failure(text, outcome)}</testcase>`)]
    const failed = steps.filter(({ state }) => state === 'failed').length + others.length
    const skipped = steps.filter(({ state }) => state === 'not reached').length
    const said = warnings.length === 0
      ? [] : [`    <system-out>${xml(warnings.join('\n'))}</system-out>`]
    const counts = `tests="${cases.length}" failures="${failed}" skipped="${skipped}"`
    const where = `name="${xml(outcome.plan.name)}" file="${xml(outcome.file)}"`
    const seconds = (outcome.wallMs / 1000).toFixed(3)
    return [
      `  <testsuite ${where} ${counts} time="${seconds}">`, ...cases, ...said, '  </testsuite>',
    ].join('\n')
  })
  const head = '<?xml version="1.0" encoding="UTF-8"?>'
  return [head, '<testsuites>', ...suites, '</testsuites>'].join('\n')
}

function junitCase(outcome: RunOutcome, { step, state, failures }: StepOutcome): string {
  const head = `    <testcase classname="${xml(outcome.file)}" name="${xml(step.id)}"`
  if (state === 'passed') return `${head}/>`
  if (state === 'not reached') return `${head}><skipped message="not reached"/></testcase>`
  const found = failures.map(({ text, source }) => failure(`${source}: ${text}`, outcome))
  return `${head}>${found.join('')}</testcase>`
}

function failure(text: string, { calls }: RunOutcome): string {
  const last = calls.length === 0 ? '' : `\nlast calls:\n${calls.join('\n')}`
  return `<failure message="${xml(text)}">${xml(`${text}${last}`)}</failure>`
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;',
}

function xml(text: string): string {
  // Control characters have no place in XML 1.0.
  return text.replace(/[&<>"]/g, (one) => entities[one] ?? one)
    .replace(/[^\t\n\r\u0020-\uFFFD\u{10000}-\u{10FFFF}]/gu, '')
}

/** Returns the report as commands that GitHub shows at the line of the scenario. */
export function githubReport(outcomes: readonly RunOutcome[]): string {
  return outcomes.flatMap((outcome) => [
    ...outcome.progress.failures.map(({ step, text, source }) =>
      command(source, `${outcome.plan.name}: ${step}`, text)),
    ...runFailures(outcome).map((text) => command(outcome.file, outcome.plan.name, text)),
    ...warningsOf(outcome).map((text) => command(outcome.file, outcome.plan.name, text, 'warning')),
  ]).join('\n')
}

function command(
  source: string, title: string, text: string, level: 'error' | 'warning' = 'error',
): string {
  const [, file = source, line] = /^(.*):(\d+)$/.exec(source) ?? []
  const place = line === undefined ? '' : `,line=${line}`
  return `::${level} file=${property(file)}${place},title=${property(title)}::${data(text)}`
}

function data(text: string): string {
  return text.replace(/%/g, '%25').replace(/\r/g, '%0D').replace(/\n/g, '%0A')
}

function property(text: string): string {
  return data(text).replace(/:/g, '%3A').replace(/,/g, '%2C')
}
