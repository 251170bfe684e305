/** Writes reports of runs: `--reporter junit=report.xml`, which may be repeated. */
import { styleText } from 'node:util'
import { Option } from 'commander'
import { isExpected, messageAndHint, SimError, thrownInFull } from '../../errors.ts'
import { nearest } from '../../data/nearest.ts'
import { problemsOf } from '../../scenario/diagnostic.ts'
import {
  exitCode,
  isNotRun,
  runFailures,
  runState,
  type CaseOutcome,
  type NotRun,
} from '../../scenario/report/outcome.ts'
import { unusedText } from '../../scenario/unusedFaults.ts'
import {
  githubReport,
  junitReport,
  tapReport,
  textReport,
  textSummary,
  type Paint,
} from '../../scenario/report/reporters.ts'
import { writeFileWhole } from '../durable/writeFile.ts'
import { codeOfError } from './exitCodes.ts'

export type Reporter = { readonly kind: Kind; readonly path: string | undefined }

type Kind = keyof typeof reports

const reports = {
  text: (outcomes: readonly CaseOutcome[]) =>
    [...outcomes.map((one) => textReport(one)), ...(outcomes.length > 1 ? [textSummary(outcomes)] : [])].join('\n\n'),
  tap: tapReport,
  junit: junitReport,
  github: githubReport,
  json: (outcomes: readonly CaseOutcome[]) => outcomes.map((one) => JSON.stringify(jsonOf(one))).join('\n'),
} as const

/** Returns `--reporter KIND[=FILE]`, which may be repeated. */
export function reporterOption(): Option {
  return new Option(
    '--reporter <kind[=file]>',
    'Report format: text, tap, junit, github or json. Repeatable.',
  ).argParser((text: string, before: readonly Reporter[] | undefined) => {
    const [, kind = '', path] = /^([^=]*)(?:=(.+))?$/s.exec(text) ?? []
    if (!isKind(kind)) throw new BadReporter(kind)
    return [...(before ?? []), { kind, path }]
  })
}

/** Writes every report; without reporters, prints text to stdout. */
export async function report(outcomes: readonly CaseOutcome[], reporters: readonly Reporter[]): Promise<void> {
  for (const { kind, path } of reporters) {
    const text = reports[kind](outcomes)
    if (path === undefined) {
      if (text !== '') process.stdout.write(`${text}\n`)
      continue
    }
    await writeFileWhole(path, `${text}\n`)
  }
}

/** Returns the selected reporters, including the one of `--json`. */
export function reportersOf({
  reporter,
  json,
}: {
  readonly reporter?: readonly Reporter[]
  readonly json?: boolean
}): readonly Reporter[] {
  const asked = [...(reporter ?? []), ...(json === true ? [{ kind: 'json', path: undefined } as const] : [])]
  return asked.length === 0 ? [{ kind: 'text', path: undefined }] : asked
}

/** Returns the terminal colors. Text in files, in pipes and with NO_COLOR stays uncolored. */
export function screenPaint(): Paint {
  const styled = (style: Parameters<typeof styleText>[0]) => (text: string) => styleText(style, text)
  return { good: styled('green'), bad: styled('red'), warn: styled('yellow'), dim: styled('dim') }
}

/** Returns whether a report is printed as text to stdout. */
export function isOnScreen({ kind, path }: Reporter): boolean {
  return kind === 'text' && path === undefined
}

/** Returns the outcome of a scenario that could not run because of an error. */
export function notRun(file: string, error: unknown): NotRun {
  const known = isExpected(error) ? error : new SimError('BUG', `a bug in chainstage: ${thrownInFull(error)}`)
  return { file, problems: problemsOf(file, known), text: messageAndHint(known), code: codeOfError(error) }
}

function jsonOf(outcome: CaseOutcome) {
  if (isNotRun(outcome)) {
    const { file, problems, isSkipped } = outcome
    return { file, state: isSkipped === true ? 'skipped' : 'not run', problems, exitCode: exitCode(outcome) }
  }
  const { file, plan, progress, childCode, unused, masked, wallMs, stepMs, retried = [] } = outcome
  const { step: reached, failures } = progress
  return {
    file,
    name: plan.name,
    state: runState(outcome),
    steps: plan.steps.map(({ id }) => id),
    reached,
    failures,
    runFailures: runFailures(outcome),
    childCode,
    unused: unused.map(({ name }) => name),
    nearMisses: unused.filter(({ near }) => near !== '').map(unusedText),
    masked,
    retried,
    wallMs: Math.round(wallMs),
    stepMs: stepMs.map(Math.round),
    exitCode: exitCode(outcome),
  }
}

function isKind(text: string): text is Kind {
  return Object.hasOwn(reports, text)
}

/** Thrown for an unknown kind of report. */
export class BadReporter extends SimError {
  constructor(kind: string) {
    const near = nearest(kind, Object.keys(reports))
    super(
      'BAD_SETTING',
      `expected a reporter (${Object.keys(reports).join(', ')}), received "${kind}"`,
      near === undefined ? {} : { hint: `Did you mean ${near}?` },
    )
  }
}
