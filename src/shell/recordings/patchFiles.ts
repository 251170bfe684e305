/** Reads the manual patches of a recording: `patches/*.json5`. */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { BadRecording } from '../../recording/folder/files.ts'
import type { Patch } from '../../recording/folder/patches.ts'
import { readSource } from '../../scenario/source.ts'

const patch = z.object({
  match: z.object({ method: z.string(), params: z.unknown().optional() }),
  patch: z.array(
    z.object({
      op: z.enum(['add', 'replace', 'remove']),
      path: z.string(),
      value: z.unknown().optional(),
    }),
  ),
  reason: z.string(),
})

/** The name of the folder for patches within a recording. */
export const patchFolder = 'patches'

/**
 * Resolves with the patches of a folder by file, sorted; each file has one patch or a list. Throws
 * `BadRecording`.
 */
export async function readPatches(folder: string): Promise<ReadonlyMap<string, readonly Patch[]>> {
  const names = await readdir(join(folder, patchFolder)).catch(() => [])
  const files = names.filter((name) => name.endsWith('.json5')).toSorted()
  return new Map(
    await Promise.all(
      files.map(async (name) => {
        const path = `${patchFolder}/${name}`
        return [path, patchesIn(path, await readFile(join(folder, path), 'utf8'))] as const
      }),
    ),
  )
}

function patchesIn(path: string, text: string): readonly Patch[] {
  const {
    value,
    problems: [problem],
  } = readSource(path, text)
  if (problem !== undefined) {
    throw new BadRecording(`${path}:${problem.line}:${problem.column}`, problem.message)
  }
  return (Array.isArray(value) ? value : [value]).map((one: unknown) => {
    const { data } = patch.safeParse(one)
    if (data !== undefined) return data
    throw new BadRecording(
      path,
      'expected { match: { method, params? }, patch: [{ op: add, replace or remove, path, value? }], reason }',
    )
  })
}
