/** Reads the parameters that the user excludes from matching: `rules.json5` of a recording. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { BadRecording } from '../../recording/folder/files.ts'
import type { Ignored } from '../../recording/folder/rules.ts'
import { readSource } from '../../scenario/source.ts'

/** The name of the rules file within a recording. */
export const rulesName = 'rules.json5'

const rulesFile = z.strictObject({ ignore: z.record(z.string(), z.array(z.string().min(1))) })

/** Resolves with the rules of a folder, or none if it has no such file. Throws `BadRecording`. */
export async function readIgnored(folder: string): Promise<Ignored> {
  const text = await readFile(join(folder, rulesName), 'utf8').catch(() => undefined)
  if (text === undefined) return {}
  const {
    value,
    problems: [problem],
  } = readSource(rulesName, text)
  if (problem !== undefined) {
    throw new BadRecording(`${rulesName}:${problem.line}:${problem.column}`, problem.message)
  }
  const { data } = rulesFile.safeParse(value)
  if (data !== undefined) return data.ignore
  throw new BadRecording(rulesName, "expected { ignore: { METHOD: ['params[0].gas', …] } }")
}
