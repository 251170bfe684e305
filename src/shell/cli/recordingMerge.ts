import { readFile } from 'node:fs/promises'
import { Command } from 'commander'
import { mergeText } from '../../recording/folder/mergeText.ts'
import { writeFileWhole } from '../durable/writeFile.ts'
import type { Verb } from './verb.ts'
import { warn } from './say.ts'

/** `chainstage recording merge-driver`: git's merge driver for the files of a recording. */
export const mergeDriver: Verb = (exit) =>
  new Command('merge-driver')
    .description(
      'Merge one file of a recording for git. Set it up once per clone:\n' +
        'git config merge.chainstage.driver "chainstage recording merge-driver %O %A %B %P"\n' +
        'After a merge, chainstage recording merge FOLDER --out FOLDER recomputes the digests.',
    )
    .argument('<base>', 'File of the common ancestor: %O.')
    .argument('<ours>', 'Our file, which receives the result: %A.')
    .argument('<theirs>', 'Their file: %B.')
    .argument('<path>', 'Path in the repository: %P.')
    .action(async (base: string, ours: string, theirs: string, path: string) => {
      const [a, b, c] = await Promise.all([base, ours, theirs].map((one) => readFile(one, 'utf8')))
      const { text, conflicts } = mergeText(path, { base: a ?? '', ours: b ?? '', theirs: c ?? '' })
      await writeFileWhole(ours, text)
      for (const key of conflicts) {
        warn(`${path}: both sides recorded different responses: ${key.slice(0, 200)}`)
      }
      if (conflicts.length > 0) exit(1)
    })
