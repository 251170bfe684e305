/** Sources and source maps in the folders of `--artifacts`. */
import { readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { artifactFolders, buildInfos } from './artifactFolders.ts'
import { sourcesIn } from './control/compilerFiles.ts'
import type { SoliditySources } from './control/sourceMaps.ts'
import { isBelow } from './paths.ts'

type Texts = ReadonlyMap<string, string>

/**
 * Returns a function that returns the source maps of folders, and the same value while no file
 * changes. The first call reads the folders. `artifacts` returns the compiled contracts in them.
 */
export function sourceFolders(
  folders: readonly string[],
  artifacts: () => Texts,
  nowMs: () => number,
): () => SoliditySources {
  const infos = artifactFolders(folders, nowMs, buildInfos)
  let read: readonly [Texts, Texts] | undefined
  let sources: SoliditySources = { codes: [], textOf: () => undefined }
  return () => {
    const now = [infos(), artifacts()] as const
    if (read === undefined || read.some((one, index) => one !== now[index])) {
      read = now
      sources = sourcesIn({
        buildInfos: now[0],
        artifacts: now[1],
        readSource: (path, file) => sourceBeside(folders, path, file),
      })
    }
    return sources
  }
}

/**
 * Returns a source of Foundry, which names it relative to the parent folder of `out`. Files outside
 * that folder are not read.
 */
function sourceBeside(folders: readonly string[], artifactPath: string, file: string): string | undefined {
  const folder = folders.find((one) => isBelow(resolve(one), resolve(artifactPath)))
  if (folder === undefined || !/\.(?:sol|vy|yul)$/.test(file)) return undefined
  const project = dirname(resolve(folder))
  const path = resolve(project, file)
  if (!isBelow(project, path)) return undefined
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}
