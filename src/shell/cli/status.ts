import { printable } from '../../data/printable.ts'
import { asking, callControl, print, type ClientOptions } from './client.ts'
import type { Verb } from './verb.ts'

type Status = {
  readonly height: number
  readonly blockTime: string | null
  readonly waiting: number
  readonly faults: number
  readonly calls: number
  readonly connections: number
  readonly blocks: { readonly mode: string }
  readonly scenario: {
    readonly name: string
    readonly state: string
    readonly step: number
    readonly steps: number
  }
  readonly urls: Readonly<Record<string, string>>
  readonly problems: readonly { readonly source: string; readonly text: string }[]
}

/**
 * `chainstage status`: shows the state of a running chain; the exit code is 1 if it has a problem.
 */
export const status: Verb = (exit) =>
  asking('status')
    .description('Show height, clock and scenario. Exit code 1: a saved scenario was not applied.')
    .action(async (options: ClientOptions) => {
      const told = (await callControl(options, 'GET', '/status')) as Status
      print(told, options, wordsOf(told))
      if (told.problems.length > 0) exit(1)
    })

function wordsOf({
  height,
  blockTime,
  waiting,
  faults,
  calls,
  connections,
  blocks,
  scenario,
  urls,
  problems,
}: Status): string {
  return [
    `height       ${height}${blockTime === null ? '' : `  ${blockTime}`}`,
    `blocks       ${blocks.mode}`,
    `waiting      ${waiting}`,
    `faults       ${faults}`,
    `calls        ${calls}`,
    `connections  ${connections}`,
    `scenario     ${printable(scenario.name)}: ${scenario.state}${scenario.steps === 0 ? '' : `, step ${Math.min(scenario.step + 1, scenario.steps)} of ${scenario.steps}`}`,
    ...Object.entries(urls)
      .filter(([, url]) => url !== '')
      .map(([name, url]) => `${name.padEnd(11)}  ${url}`),
    ...problems.map(({ source, text }) =>
      printable(`problem      ${text.startsWith(source) ? '' : `${source}: `}${text}`),
    ),
  ].join('\n')
}
