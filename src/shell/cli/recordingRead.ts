/** `chainstage recording show | verify`. */
import { stat } from 'node:fs/promises'
import { Command } from 'commander'
import { counted } from '../../data/counted.ts'
import type { SimError } from '../../errors.ts'
import { breaksOf } from '../../recording/folder/manifest.ts'
import { checkChain } from '../../recording/folder/chainBreaks.ts'
import { patched } from '../../recording/folder/patches.ts'
import { recordingSummary, type Summary } from '../../recording/folder/summary.ts'
import { loadLibrary, readFiles, unfinished } from '../recordings/folderFiles.ts'
import { cometNames } from '../playback.ts'
import { isPack, packBreaks } from '../recordings/packFile.ts'
import { readPatches } from '../recordings/patchFiles.ts'
import type { Verb } from './verb.ts'
import { say } from './say.ts'

type Options = { readonly json?: boolean; readonly chain?: boolean }

const print = (json: boolean | undefined, value: unknown, text: string) => {
  say(json === true ? JSON.stringify(value) : text)
}

/** Prints the contents of a recording. */
export const show: Verb = () =>
  new Command('show')
    .description(
      'Show the contents of a recording: heights, calls by method, streams and transactions.\n' +
        'Each call of a batch counts as one request. Filters and their polls are shown as streams.',
    )
    .argument('<recording>', 'Folder, packed file, or file of raw traffic.')
    .option('--json', 'Print as JSON.')
    .action(async (path: string, { json }: Options) => {
      const summary = recordingSummary(await loadLibrary(path))
      print(json, summary, summaryText(path, summary))
    })

function summaryText(path: string, { heights, lastsMs, methods, requests, streams, writes }: Summary): string {
  const rows = methods.map(
    ({ side, method, keys, answers, seen }) =>
      `  ${`${side} ${method}`.padEnd(40)} ${counted(keys, 'call')}, ${counted(answers, 'response')}, ${counted(seen, 'request')}`,
  )
  const told = streams.map(({ key, events }) => `  ${key}: ${counted(events, 'event')}`)
  return [
    `${path}: heights ${heights[0]} to ${heights[1]}, ${(lastsMs / 1000).toFixed(1)} s, ${counted(requests, 'request')}, ${counted(writes, 'transaction')} sent`,
    ...rows,
    ...(told.length === 0 ? [] : ['streams:', ...told]),
  ].join('\n')
}

/** Checks digests and formats. For an interrupted recording, also prints where it ends. */
export const verify: Verb = (exit) =>
  new Command('verify')
    .description(
      'Check every digest and blob of a recording, and show where an interrupted one ends.\n' +
        'Exit code 5 if it is damaged.',
    )
    .argument('<recording>', 'Folder, packed file, or file of raw traffic.')
    .option('--chain', 'Check block and transaction hashes, links and validator signatures too.')
    .option('--json', 'Print as JSON.')
    .action(async (path: string, { json, chain }: Options) => {
      const found = await verified(path, chain === true)
      print(
        json,
        { recording: path, ...found },
        [`${path}: ${found.state}`, ...found.problems.map((one) => `  ${one}`)].join('\n'),
      )
      if (found.problems.length > 0) exit(5)
    })

type Verified = {
  readonly state: string
  readonly problems: readonly string[]
  readonly endsAt?: number
  readonly height?: number
  readonly exchanges?: number
}

async function verified(path: string, isChain: boolean): Promise<Verified> {
  const isFolder = await stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  )
  try {
    const log = isFolder ? await unfinished(path) : undefined
    if (log !== undefined) {
      const { exchanges, endsAt, cutOff, library } = log
      const height = library.heads.at(-1)?.height ?? 0
      const cut = cutOff === 0 ? '' : `; ${cutOff} bytes of an exchange that was cut off follow and are not read`
      return {
        state: `the recording was interrupted: it has ${exchanges} exchanges and ends after ${endsAt} ms, at height ${height}${cut}`,
        problems: [],
        exchanges,
        endsAt,
        height,
      }
    }
    const problems = isFolder
      ? breaksOf(await readFiles(path)).map(({ message }) => message)
      : isPack(path)
        ? packBreaks(path)
        : []
    if (problems.length > 0) return { state: 'it is damaged', problems }
    const library = await loadLibrary(path)
    patched(library, isFolder ? await readPatches(path) : new Map(), cometNames)
    const { heads, writes, answers } = library
    const height = heads.at(-1)?.height ?? 0
    const checked = isChain ? checkChain(library) : undefined
    if (checked !== undefined && checked.problems.length > 0) {
      return { state: 'its blocks are not those that validators signed', problems: checked.problems, height }
    }
    const signed =
      checked === undefined
        ? ''
        : `; ${counted(checked.blocks, 'block')} and ${counted(checked.signatures, 'signature')} are valid`
    return {
      state: `it is intact: ${counted(answers.size, 'call')}, ${counted(writes.length, 'transaction')}, up to height ${height}${signed}`,
      problems: [],
      height,
    }
  } catch (error) {
    return { state: 'it is damaged', problems: [(error as SimError).message] }
  }
}
