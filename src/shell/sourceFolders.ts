/** The sources and source maps in the folders of `--artifacts`. */
import { readFileSync } from 'node:fs'
import { dirname, resolve, sep } from 'node:path'
import { artifactFolders, buildInfos } from './artifactFolders.ts'
import { sourcesIn } from './control/compilerFiles.ts'
import type { Sources } from './control/sourceMaps.ts'

type Texts = ReadonlyMap<string, string>

/**
 * Returns a function that returns the source maps of folders: the same value while no file changes.
 * They are read when first asked for. `artifacts` are the compiled contracts of the same folders.
 */
export function sourceFolders(folders: readonly string[], artifacts: () => Texts, nowMs: () => number): () => Sources {
  const infos = artifactFolders(folders, nowMs, buildInfos)
  let read: readonly [Texts, Texts] | undefined
  let sources: Sources = { codes: [], textOf: () => undefined }
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

/** Foundry names sources from the folder that holds its `out`; nothing outside of it is read. */
function sourceBeside(folders: readonly string[], artifactPath: string, file: string): string | undefined {
  const folder = folders.find((one) => resolve(artifactPath).startsWith(`${resolve(one)}${sep}`))
  if (folder === undefined || !/\.(?:sol|vy|yul)$/.test(file)) return undefined
  const project = dirname(resolve(folder))
  const path = resolve(project, file)
  if (!path.startsWith(`${project}${sep}`)) return undefined
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}
