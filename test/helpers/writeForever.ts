/**
 * A process that writes one kind of file again and again, for a test that kills it: what it writes
 * alternates between two contents. `writeForever.js KIND TARGET ONE OTHER`. It says `writing` before
 * its first write and `written` after it.
 */
import { readFileSync } from 'node:fs'
import { mergeLibraries } from '../../src/recording/folder/merge.ts'
import { importTap } from '../../src/recording/playback/importTap.ts'
import type { TapLine } from '../../src/recording/playback/tapLine.ts'
import { lockPath } from '../../src/shell/durable/lock.ts'
import { writeFileWhole } from '../../src/shell/durable/writeFile.ts'
import { cometNames } from '../../src/shell/playback.ts'
import { saveLibrary } from '../../src/shell/recordings/folderFiles.ts'
import { savePack } from '../../src/shell/recordings/packFile.ts'
import { openSink } from '../../src/shell/recordings/sink.ts'
import { simulationInFile, writeState } from '../../src/shell/stateFile.ts'

const origin = { version: '0', recordedAt: '2025-01-01T00:00:00.000Z', level: 0 } as const
const [kind = '', target = '', ...contents] = process.argv.slice(2)
const libraries = () => contents.map((path) => importTap(readFileSync(path, 'utf8'), cometNames))

/** Each returns what writes once more. */
const writers: Readonly<Record<string, () => (turn: number) => Promise<void>>> = {
  folder: () => {
    const both = libraries()
    const lock = lockPath(target)
    return (turn) => saveLibrary(target, both[turn % 2]!, origin, lock)
  },
  pack: () => {
    const both = libraries()
    return (turn) => savePack(target, both[turn % 2]!, origin)
  },
  state: () => {
    lockPath(target)
    const both = contents.map((path) => readFileSync(path))
    return (turn) => writeFileWhole(target, both[turn % 2]!)
  },
  checkpoint: () => {
    const both = contents.map((path) => simulationInFile(readFileSync(path)))
    return (turn) => writeState(target, both[turn % 2]!)
  },
  merge: () => {
    const [one, other] = libraries()
    const lock = lockPath(target)
    return (turn) => saveLibrary(target, turn % 2 === 0 ? one! : mergeLibraries(one!, other!, 'second'), origin, lock)
  },
  log: () => {
    lockPath(target)
    const [, ...lines] = readFileSync(contents[0]!, 'utf8').trimEnd().split('\n')
    const sink = openSink(target, [])
    return async (turn) => {
      sink.note(JSON.parse(lines[turn % lines.length]!) as TapLine)
      // A recorder waits for its network between two exchanges.
      await new Promise((done) => {
        setImmediate(done)
      })
    }
  },
}

const write = writers[kind]!()
process.stdout.write('writing\n')
for (let turn = 0; ; turn++) {
  await write(turn)
  if (turn === 0) process.stdout.write('written\n')
}
