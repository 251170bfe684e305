/** Where reports of runs go: `--reporter junit=report.xml`, any number of them. */
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { Option } from 'commander'
import { SimError } from '../../errors.ts'
import { nearest } from '../../data/nearest.ts'
import { exitCode, type RunOutcome } from '../../scenario/report/outcome.ts'
import {
  githubReport, junitReport, tapReport, textReport, textSummary,
} from '../../scenario/report/reporters.ts'

export type Reporter = { readonly kind: Kind; readonly path: string | undefined }

type Kind = keyof typeof reports

const reports = {
  text: (outcomes: readonly RunOutcome[]) => [
    ...outcomes.map(textReport), ...(outcomes.length > 1 ? [textSummary(outcomes)] : []),
  ].join('\n\n'),
  tap: tapReport,
  junit: junitReport,
  github: githubReport,
  json: (outcomes: readonly RunOutcome[]) => outcomes.map((one) => JSON.stringify(jsonOf(one)))
    .join('\n'),
} as const

/** Returns `--reporter KIND[=FILE]`, which may stand more than once. */
export function reporterOption(): Option {
  return new Option(
    '--reporter <kind[=file]>', 'text, tap, junit, github or json; to a file, or to stdout'
  )
    .argParser((text: string, before: readonly Reporter[] | undefined) => {
      const [, kind = '', path] = /^([^=]*)(?:=(.+))?$/s.exec(text) ?? []
      if (!isKind(kind)) throw new BadReporter(kind)
      return [...before ?? [], { kind, path }]
    })
}

/** Writes every report; without a reporter, text to stdout. */
export async function report(
  outcomes: readonly RunOutcome[], reporters: readonly Reporter[],
): Promise<void> {
  for (const { kind, path } of reporters) {
    const text = reports[kind](outcomes)
    if (path === undefined) {
      if (text !== '') process.stdout.write(`${text}\n`)
      continue
    }
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, `${text}\n`)
  }
}

/** Returns the reporters that a command was given: `--json` is one of them. */
export function reportersOf(
  { reporter, json }: { readonly reporter?: readonly Reporter[]; readonly json?: boolean },
): readonly Reporter[] {
  const asked = [
    ...reporter ?? [], ...(json === true ? [{ kind: 'json', path: undefined } as const] : []),
  ]
  return asked.length === 0 ? [{ kind: 'text', path: undefined }] : asked
}

function jsonOf(outcome: RunOutcome) {
  const { file, plan, progress, childCode, unused, masked } = outcome
  const { state, step: reached, failures } = progress
  return {
    file, name: plan.name, state, steps: plan.steps.map(({ id }) => id), reached, failures,
    childCode, unused, masked, exitCode: exitCode(outcome),
  }
}

function isKind(text: string): text is Kind {
  return Object.hasOwn(reports, text)
}

/** A kind of report that there is not. */
export class BadReporter extends SimError {
  constructor(kind: string) {
    const near = nearest(kind, Object.keys(reports))
    super(
      'BAD_SETTING', `expected a reporter (${Object.keys(reports).join(', ')}), received "${kind}"`,
      near === undefined ? {} : { hint: `Did you mean ${near}?` }
    )
  }
}
