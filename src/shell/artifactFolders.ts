/** ABIs in the output folders of compilers: Hardhat's `artifacts`, Foundry's `out`. */
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

const filesMost = 5000
const mebibyte = 1024 * 1024

/** Selects JSON files of a compiler's folder by name and by maximum size in bytes. */
export type Picks = { readonly isWanted: (name: string) => boolean; readonly fileBytesMost: number }

/** Compiled contracts. Debug files and build inputs hold no ABI, and build inputs are large. */
const contracts: Picks = {
  isWanted: (name) => !name.endsWith('.dbg.json') && !name.includes('build-info'),
  fileBytesMost: 8 * mebibyte,
}

/** Build infos, the input and output of a compiler: sources and source maps. */
export const buildInfos: Picks = { isWanted: (name) => name.includes('build-info'), fileBytesMost: 64 * mebibyte }

/** Time after which the folders are read again, in milliseconds. */
const freshMs = 5000

type Seen = { readonly modifiedMs: number; readonly text: string }

/**
 * Returns a function that returns the JSON files of folders by path. While no file changes, it
 * returns the same map. The first call reads the folders; later calls read them again at most every
 * five seconds.
 */
export function artifactFolders(
  folders: readonly string[],
  nowMs: () => number,
  picks: Picks = contracts,
): () => ReadonlyMap<string, string> {
  let seen = new Map<string, Seen>()
  let texts: ReadonlyMap<string, string> = new Map()
  let readMs = Number.NEGATIVE_INFINITY
  return () => {
    if (folders.length === 0 || nowMs() - readMs < freshMs) return texts
    readMs = nowMs()
    const found = folders.flatMap((folder) => jsonFiles(folder, picks)).slice(0, filesMost)
    const next = new Map(found.flatMap(([path, modifiedMs]) => readOnce(path, modifiedMs, seen.get(path))))
    const isSame = next.size === seen.size && [...next].every(([path, one]) => seen.get(path) === one)
    seen = next
    if (!isSame) texts = new Map([...next].map(([path, { text }]) => [path, text]))
    return texts
  }
}

/**
 * Returns a warning for each path that is no folder. It may be created later, so it is no error.
 */
export function artifactWarnings(folders: readonly string[]): readonly string[] {
  return folders.flatMap((folder) => {
    try {
      if (statSync(folder).isDirectory()) return []
      return [`--artifacts: expected a folder, received a file: ${folder}`]
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException
      if (code !== 'ENOENT') return [`--artifacts: ${message}`]
      return [`--artifacts: there is no folder ${folder}; contracts are decoded as soon as it exists`]
    }
  })
}

/** Returns a file with its path, or nothing if it cannot be read: a compiler may have deleted it meanwhile. */
function readOnce(path: string, modifiedMs: number, before: Seen | undefined): readonly (readonly [string, Seen])[] {
  if (before?.modifiedMs === modifiedMs) return [[path, before]]
  return orNothing(() => [[path, { modifiedMs, text: readFileSync(path, 'utf8') }]])
}

/** Returns what `read` does, or nothing if the system refuses. */
function orNothing<Item>(read: () => readonly Item[]): readonly Item[] {
  try {
    return read()
  } catch {
    return []
  }
}

function jsonFiles(folder: string, { isWanted, fileBytesMost }: Picks): readonly (readonly [string, number])[] {
  // The compiler creates the folder with the first build.
  return orNothing(() => readdirSync(folder, { recursive: true, encoding: 'utf8' }))
    .filter((name) => name.endsWith('.json') && isWanted(name))
    .map((name) => join(folder, name))
    .flatMap((path) =>
      orNothing(() => {
        const stats = statSync(path)
        return stats.isFile() && stats.size <= fileBytesMost ? [[path, stats.mtimeMs] as const] : []
      }),
    )
}
