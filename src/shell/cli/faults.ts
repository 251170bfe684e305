import { readFile } from 'node:fs/promises'
import { SimError } from '../../errors.ts'
import { UnreadableFile } from '../config/home.ts'
import { asking, callControl, print, type ClientOptions } from './client.ts'
import { wholeNumber } from './wholeNumber.ts'
import type { Verb } from './verb.ts'

type Faults = {
  readonly active: readonly {
    readonly name: string
    readonly matched: number
    readonly applied: number
    readonly masked: number
    readonly leftMs: number | null
    readonly untilHeight: number | null
  }[]
  readonly masked: readonly { readonly text: string }[]
  readonly available: readonly { readonly name: string; readonly applied: number }[]
}
type OnOptions = ClientOptions & {
  readonly rule?: string
  readonly for?: string
  readonly forBlocks?: number
}

/** `chainstage faults`: lists faults, and turns them on or off. */
export const faults: Verb = () =>
  asking('faults')
    .description('List faults with their counts, or turn them on and off.')
    .action(async (options: ClientOptions) => {
      const told = (await callControl(options, 'GET', '/faults')) as Faults
      const lines = [
        ...told.active.map(
          ({ name, matched, applied, masked, ...limits }) =>
            `on   ${name}  matched ${matched}, applied ${applied}${masked > 0 ? `, masked ${masked}` : ''}${endText(limits)}`,
        ),
        ...told.available.map(({ name, applied }) => `off  ${name}${applied > 0 ? `  hit ${applied} before` : ''}`),
        ...told.masked.map(({ text }) => text),
      ]
      print(told, options, lines.join('\n') || 'none; chainstage faults on NAME --rule FILE turns one on')
    })
    .addCommand(
      asking('on')
        .description('Turn on a fault of the scenario, or one from a file.')
        .argument('<name>', 'Name of the fault.')
        .option('--rule <file>', 'JSON5 file like { match: { method: "eth_*" }, effect: { latency: "2s" } }.')
        .option('--for <duration>', 'Duration, like 30s.')
        .option('--for-blocks <count>', 'Number of blocks.', wholeNumber)
        .action(async (name: string, options: OnOptions) => {
          const rule = options.rule === undefined ? undefined : await readRule(options.rule)
          const told = await callControl(options, 'POST', '/faults', {
            name,
            rule,
            for: options.for,
            forBlocks: options.forBlocks,
          })
          print(told, options, `${name} is on`)
        }),
    )
    .addCommand(
      asking('off')
        .description('Turn a fault off, or all of them.')
        .argument('[name]', 'Name of the fault (default: all).')
        .action(async (name: string | undefined, options: ClientOptions) => {
          const path = name === undefined ? '/faults' : `/faults/${encodeURIComponent(name)}`
          const told = (await callControl(options, 'DELETE', path)) as { cleared: readonly string[] }
          print(told, options, told.cleared.length === 0 ? 'none was on' : `off: ${told.cleared.join(', ')}`)
        }),
    )

/** Returns when a fault ends, such as `, ends at height 7 or in 12 s`; nothing if it ends when it is turned off. */
function endText({ leftMs, untilHeight }: Pick<Faults['active'][number], 'leftMs' | 'untilHeight'>): string {
  const ends = [
    ...(untilHeight === null ? [] : [`at height ${untilHeight}`]),
    ...(leftMs === null ? [] : [`in ${Math.ceil(leftMs / 1000)} s`]),
  ]
  return ends.length === 0 ? '' : `, ends ${ends.join(' or ')}`
}

async function readRule(path: string): Promise<unknown> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    throw new UnreadableFile(path, error)
  })
  const { readSource } = await import('../../scenario/source.ts')
  const {
    value,
    problems: [problem],
  } = readSource(path, text)
  if (problem !== undefined) throw new BadRule(`${path}:${problem.line}: ${problem.message}`)
  return value
}

/** Thrown for a file that does not describe a fault. */
export class BadRule extends SimError {
  constructor(message: string) {
    super('UNREADABLE_FILE', message, {
      hint: 'For example { match: { method: "eth_*" }, effect: { latency: "2s" } }.',
    })
  }
}
