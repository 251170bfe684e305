/** `chainstage recording diff | merge | prune | pack | unpack | import | export`. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { readFile, stat } from 'node:fs/promises'
import { Command } from 'commander'
import { counted } from '../../data/counted.ts'
import { SimError } from '../../errors.ts'
import { differencesOf, type Changed, type Differences, type Said } from '../../recording/folder/differences.ts'
import { mergeLibraries } from '../../recording/folder/merge.ts'
import { pruned } from '../../recording/folder/prune.ts'
import { leftOutOfHar, toHar } from '../../recording/har/toHar.ts'
import { loadLibrary, originOf, originOfBoth, saveLibrary } from '../recordings/folderFiles.ts'
import { importFile } from '../recordings/importFile.ts'
import { writeFileWhole } from '../durable/writeFile.ts'
import { savePack } from '../recordings/packFile.ts'
import { patchFolder } from '../recordings/patchFiles.ts'
import { rulesName } from '../recordings/ruleFile.ts'
import { packageVersion } from '../packageFiles.ts'
import type { Verb } from './verb.ts'
import { say, warn } from './say.ts'

/** Lists the responses that differ between two recordings. */
export const diff: Verb = (exit) =>
  new Command('diff')
    .description(
      'List the responses that differ between two recordings, and from which height. Exit code 5 if they differ.',
    )
    .argument('<first>', 'Recording to compare.')
    .argument('<second>', 'Recording to compare it with.')
    .option('--json', 'Print as JSON.')
    .action(async (first: string, second: string, { json }: { json?: boolean }) => {
      const [one, two] = [await loadLibrary(first), await loadLibrary(second)]
      const found = differencesOf(one, two)
      say(json === true ? JSON.stringify(found) : diffText(found))
      if (found.onlyFirst.length + found.onlySecond.length + found.changed.length > 0) exit(5)
    })

function diffText({ onlyFirst, onlySecond, changed }: Differences): string {
  const lines = [
    ...onlyFirst.map((key) => `- ${key}`),
    ...onlySecond.map((key) => `+ ${key}`),
    ...changed.map(changedText),
  ]
  return lines.length === 0 ? 'no difference' : lines.join('\n')
}

function changedText({ key, first, second }: Changed): string {
  const text = (said: Said) => (said === undefined ? 'nothing' : `${said.text} from height ${said.from}`)
  return `~ ${key}\n    ${text(first)}\n    ${text(second)}`
}

/** Merges two recordings. */
export const merge: Verb = () =>
  new Command('merge')
    .description(
      'Merge two recordings of the same chain. With one recording, recompute its digests after a merge in git.',
    )
    .argument('<first>', 'Recording to merge.')
    .argument('[second]', 'Recording to merge into it.')
    .requiredOption('--out <folder>', 'Folder to write.')
    .option(
      '--prefer <which>',
      'Response to keep if both differ at the same height: refuse stops with an error, second keeps the second.',
      'refuse',
    )
    .action(async (first: string, second: string | undefined, { out, prefer }: { out: string; prefer: string }) => {
      const one = await loadLibrary(first)
      const both =
        second === undefined
          ? one
          : mergeLibraries(one, await loadLibrary(second), prefer === 'second' ? 'second' : 'refuse')
      const from = await originOf(first)
      const origin = second === undefined ? from : originOfBoth(from, await originOf(second))
      await saveLibrary(out, both, origin)
      say(`${out}: ${counted(both.answers.size, 'call')}`)
    })

type PruneOptions = { readonly used?: string; readonly heights?: string; readonly out?: string }

/** Removes calls and heights from a recording. */
export const prune: Verb = () =>
  new Command('prune')
    .description('Remove calls that a run did not use or heights outside a range, and list them.')
    .argument('<recording>', 'Folder of the recording.')
    .option('--used <report>', 'Keep the calls that this report, written by start --report, lists as used.')
    .option('--heights <range>', 'Keep the responses for heights in this range, like 1200..1210.')
    .option('--out <folder>', 'Folder to write (default: in place).')
    .action(async (path: string, { used, heights, out = path }: PruneOptions) => {
      const report =
        used === undefined ? undefined : (JSON.parse(await readFile(used, 'utf8')) as { used: readonly string[] })
      const { library, removed } = pruned(await loadLibrary(path), {
        used: report === undefined ? undefined : new Set(report.used),
        heights: heightRangeOf(heights),
      })
      await saveLibrary(out, library, await originOf(path))
      for (const key of removed) say(`- ${key}`)
      say(`${out}: ${counted(library.answers.size, 'call')}, ${removed.length} removed`)
    })

/** Parses a range of heights; without a text, returns all heights. Throws `BadRange`. */
export function heightRangeOf(text: string | undefined): readonly [number, number] {
  if (text === undefined) return [0, Infinity]
  const found = /^(\d+)\.\.(\d+)$/.exec(text)
  if (found === null) throw new BadRange(text)
  return [Number(found[1]), Number(found[2])]
}

/** Packs a recording into a single file. */
export const pack: Verb = () =>
  new Command('pack')
    .description('Pack a recording into one compressed file.')
    .argument('<recording>', 'Folder, or file of raw traffic.')
    .option('--out <file>', 'File to write (default: the folder with .pack).')
    .action(async (path: string, { out = `${path.replace(/\/+$/, '')}.pack` }: { out?: string }) => {
      await savePack(out, await loadLibrary(path), await originOf(path))
      for (const one of [patchFolder, rulesName].filter((name) => existsSync(join(path, name)))) {
        process.stderr.write(`${join(path, one)} is not in the packed file: play the folder to use it\n`)
      }
      say(`${out}: ${(await stat(out)).size} bytes`)
    })

/** Unpacks a packed recording into a folder. */
export const unpack: Verb = () =>
  new Command('unpack')
    .description('Unpack a packed recording into a folder.')
    .argument('<file>', 'Packed file.')
    .requiredOption('--out <folder>', 'Folder to write.')
    .action(async (path: string, { out }: { out: string }) => {
      const library = await loadLibrary(path)
      await saveLibrary(out, library, await originOf(path))
      say(`${out}: ${counted(library.answers.size, 'call')}`)
    })

/** Creates a recording from traffic recorded by another tool. */
export const bring: Verb = (exit) =>
  new Command('import')
    .description('Make a recording from a HAR file or raw traffic. Exchanges with secrets are left out.')
    .argument('<file>', 'HAR 1.2 file, or tap/1 traffic.')
    .requiredOption('--out <folder>', 'Folder to write.')
    .action(async (path: string, { out }: { out: string }) => {
      const { library, withheld } = await importFile(path, `${out}.log.jsonl`)
      await saveLibrary(out, library, await originOf(path))
      for (const { n, rule, where } of withheld) {
        warn(`exchange ${n} was left out: ${rule} (${where})`)
      }
      say(`${out}: ${counted(library.answers.size, 'call')}`)
      if (withheld.length > 0) exit(1)
    })

/** Exports a recording as HAR. */
export const send: Verb = () =>
  new Command('export')
    .description(
      'Export a recording, except gRPC, as HAR 1.2: one entry for each response, streams as _webSocketMessages.',
    )
    .argument('<recording>', 'Folder or packed file.')
    .requiredOption('--out <file>', 'File to write.')
    .action(async (path: string, { out }: { out: string }) => {
      const library = await loadLibrary(path)
      const start = Date.parse((await originOf(path)).recordedAt) || 0
      const timeOf = (ms: number) => new Date(start + ms - library.startsAt).toISOString()
      await writeFileWhole(out, toHar(library, { version: packageVersion(), timeOf }))
      const left = leftOutOfHar(library)
      if (left > 0)
        process.stderr.write(`not in the file: ${counted(left, 'call')}, because HAR export has no form for gRPC\n`)
      say(`${out}: ${counted(library.answers.size - left, 'call')}`)
    })

/** Thrown for a malformed range of heights. */
export class BadRange extends SimError {
  constructor(received: string) {
    super('BAD_SETTING', `--heights: expected a range like 1200..1210, received ${received}`)
  }
}
