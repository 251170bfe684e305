/** Reads the changes by hand that stand beside a recording: `patches/*.json5`. */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { BadRecording } from '../../recording/folder/files.ts'
import type { Edit } from '../../recording/folder/editText.ts'
import type { Patch } from '../../recording/folder/patches.ts'
import { readSource } from '../../scenario/source.ts'

/** Where patches stand in the folder of a recording. */
export const patchFolder = 'patches'

/**
 * Resolves with the patches of a folder by their files, in order; a file has one or a list. Throws
 * `BadRecording`.
 */
export async function readPatches(folder: string): Promise<ReadonlyMap<string, readonly Patch[]>> {
  const names = await readdir(join(folder, patchFolder)).catch(() => [])
  const files = names.filter((name) => name.endsWith('.json5')).toSorted()
  return new Map(await Promise.all(files.map(async (name) => {
    const path = `${patchFolder}/${name}`
    return [path, patchesIn(path, await readFile(join(folder, path), 'utf8'))] as const
  })))
}

function patchesIn(path: string, text: string): readonly Patch[] {
  const { value, problems: [problem] } = readSource(path, text)
  if (problem !== undefined) {
    throw new BadRecording(`${path}:${problem.line}:${problem.column}`, problem.message)
  }
  return (Array.isArray(value) ? value : [value]).map((one: unknown) => {
    if (isPatch(one)) return one
    throw new BadRecording(
      path,
      'a patch is { match: { method, params? }, patch: [{ op: add, replace or remove, path, value? }], reason }'
    )
  })
}

function isPatch(value: unknown): value is Patch {
  if (
    !isObject(value) || !isObject(value['match']) || typeof value['match']['method'] !== 'string'
  ) return false
  return typeof value['reason'] === 'string' && Array.isArray(value['patch'])
    && value['patch'].every(isEdit)
}

function isEdit(value: unknown): value is Edit {
  return isObject(value) && typeof value['path'] === 'string'
    && ['add', 'replace', 'remove'].includes(String(value['op']))
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
