/** Kills processes that write, at moments that differ, and reads what they have left. */
import { spawn } from 'node:child_process'
import { on, once } from 'node:events'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import type { ExecutionContext } from 'ava'
import { mergeLibraries } from '../../src/recording/folder/merge.ts'
import { importLog, importTap } from '../../src/recording/playback/importTap.ts'
import type { Library } from '../../src/recording/playback/library.ts'
import { cometNames } from '../../src/shell/playback.ts'
import { loadLibrary } from '../../src/shell/recordings/folderFiles.ts'
import { packBreaks } from '../../src/shell/recordings/packFile.ts'
import { readState, stateBytes, simulationInFile } from '../../src/shell/stateFile.ts'
import { scratch } from './cli.ts'
import { localSimulation } from './ethSimulation.ts'

const program = fileURLToPath(new URL('writeForever.js', import.meta.url))
const trafficOf = (name: string) =>
  fileURLToPath(new URL(`../../../test/recording/traffic/${name}.jsonl`, import.meta.url))

type Kind = {
  readonly contents: readonly [string, string]
  /** Throws, or resolves with false, where the file is not one of the two contents. */
  readonly isSound: (target: string) => Promise<boolean>
}

/** Returns each kind of file with its two contents and what reads it. */
function kindsIn(folder: string): Readonly<Record<string, Kind>> {
  const traffic = ['wallet', 'mixed'].map(trafficOf) as [string, string]
  const [one, other] = traffic.map((path) => importTap(readFileSync(path, 'utf8'), cometNames)) as [Library, Library]
  const sizes = [one, other].map(({ answers }) => answers.size)
  const merged = mergeLibraries(one, other, 'second').answers.size
  const chain = localSimulation()
  const states = ['one', 'other'].map((name) => {
    const path = join(folder, name)
    writeFileSync(path, stateBytes(chain.simulation()))
    chain.command({ type: 'produceBlock', count: 20 })
    return path
  }) as [string, string]
  const heights = states.map((path) => simulationInFile(readFileSync(path)).node.chain.height)
  const isLibrary = async (target: string) => sizes.includes((await loadLibrary(target)).answers.size)
  return {
    folder: { contents: traffic, isSound: isLibrary },
    pack: {
      contents: traffic,
      isSound: async (target) => packBreaks(target).length === 0 && isLibrary(target),
    },
    state: {
      contents: states,
      isSound: async (target) => heights.includes(simulationInFile(readFileSync(target)).node.chain.height),
    },
    checkpoint: {
      contents: states,
      isSound: async (target) => {
        const { node } = (await readState(target)) ?? {}
        return node !== undefined && heights.includes(node.chain.height)
      },
    },
    merge: {
      contents: traffic,
      isSound: async (target) => [sizes[0], merged].includes((await loadLibrary(target)).answers.size),
    },
    log: {
      contents: traffic,
      isSound: async (target) => importLog(readFileSync(target, 'utf8'), cometNames).exchanges >= 0,
    },
  }
}

/** Resolves when a word has come. */
async function says(stream: Readable, word: string): Promise<void> {
  let text = ''
  for await (const [chunk] of on(stream, 'data')) {
    text += String(chunk)
    if (text.includes(word)) return
  }
}

/** Kills writers of every kind so many times altogether; every file is read after each. */
export async function killWriters(t: ExecutionContext, times: number): Promise<void> {
  const folder = scratch()
  const kinds = Object.entries(kindsIn(folder))
  const written = new Set<string>()
  let inTheMiddle = 0
  for (let round = 0; round < times; round++) {
    const [name, { contents, isSound }] = kinds[round % kinds.length]!
    const target = join(folder, 'out', `${name}.target`)
    const child = spawn(process.execPath, [program, name, target, ...contents], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    // Every other one is killed before it may have written at all, however slow the machine is.
    const visit = Math.floor(round / kinds.length)
    await Promise.race([says(child.stdout, visit % 2 === 0 ? 'written' : 'writing'), once(child, 'exit')])
    // Spread over the time of a few writes, and the same in every run.
    await new Promise((done) => {
      setTimeout(done, (round * 61) % 97)
    })
    t.is(child.exitCode, null, `${name}: it could not write`)
    child.kill('SIGKILL')
    await once(child, 'exit')
    const left = readdirSync(join(folder, 'out')).filter((one) => one.includes(`${name}.target`))
    if (left.some((one) => /\.(?:part|old)$/.test(one))) inTheMiddle += 1
    // Before its first whole write there is nothing; from then on there always is.
    const isThere = existsSync(target) || left.some((one) => one.endsWith('.old'))
    if (!isThere && !written.has(name)) continue
    t.true(await isSound(target), `${name}, round ${round}`)
    written.add(name)
  }
  t.deepEqual([...written].toSorted(), kinds.map(([name]) => name).toSorted())
  t.true(inTheMiddle > 0, 'no kill came in the middle of a write')
}
