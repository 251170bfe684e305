/**
 * The configuration files of a home: `config/config.toml` for CometBFT RPC, `config/app.toml` for
 * Ethereum JSON-RPC.
 */
import { existsSync } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { SimError } from '../../errors.ts'
import type { Setting, SettingValue } from '../../settings/setting.ts'
import { writeNewFile } from '../durable/writeFile.ts'
import { whyUnreadable } from '../whyUnreadable.ts'
import type { FileName, Tree } from './fileKeys.ts'
import { settings } from '../../settings/settings.ts'

const names = ['config.toml', 'app.toml'] as const

/** Resolves with the parsed files of a home; missing files are skipped. Throws `UnreadableFile`. */
export async function readHome(home: string): Promise<ReadonlyMap<FileName, Tree>> {
  const { parse } = await import('smol-toml')
  const files = new Map<FileName, Tree>()
  for (const name of names) {
    const path = join(home, 'config', name)
    const text = await readNoPipe(path).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return ''
      throw new UnreadableFile(path, error)
    })
    try {
      files.set(name, parse(text) as Tree)
    } catch (cause) {
      throw new UnreadableFile(path, cause)
    }
  }
  return files
}

/** Resolves with the text of a file. Rejects for a pipe, which would wait for its writer. */
async function readNoPipe(path: string): Promise<string> {
  if ((await stat(path)).isFIFO()) throw new Error('expected a file, received a pipe')
  return readFile(path, 'utf8')
}

/**
 * Writes both files with every key commented out, so that they have no effect, and resolves with
 * their paths. Throws `AlreadyThere` instead of overwriting a file.
 */
export async function writeHome(home: string): Promise<readonly string[]> {
  const paths = names.map((name) => join(home, 'config', name))
  const older = paths.find((path) => existsSync(path))
  if (older !== undefined) throw new AlreadyThere(older)
  for (const name of names) await writeNewFile(join(home, 'config', name), fileText(name))
  return paths
}

/** Returns the text of a configuration file. */
export function fileText(name: FileName): string {
  const own = settings.map(([, one]) => one).filter(({ file }) => file?.name === name)
  // Keys without a section come first; otherwise they would belong to the section above them.
  const sections = [...new Set(['', ...own.map(({ file }) => file?.section ?? '')])]
  const blocks = sections.map((section) =>
    [
      ...(section === '' ? [] : [`[${section}]`]),
      ...own.filter(({ file }) => file?.section === section).map(entryText),
    ].join('\n\n'),
  )
  return `# Settings of chainstage, named as in a real node's ${name}. Remove a # to change one.\n\n${blocks.join('\n\n')}\n`
}

function entryText(one: Setting<SettingValue>): string {
  const live = one.live === true ? ' Can change while the chain runs.' : ''
  return `# ${one.help}${live}\n# ${one.file?.key} = ${JSON.stringify(one.value)}`
}

/** Thrown for a file that cannot be read or is not in the expected format. */
export class UnreadableFile extends SimError {
  constructor(path: string, cause: unknown) {
    const { line, column } = cause as { line?: number; column?: number }
    const place = line === undefined ? path : `${path}:${line}:${column}`
    super('UNREADABLE_FILE', `${place}: ${whyUnreadable(cause)}`, {
      cause,
      hint:
        line === undefined ? 'Check its path and permissions.' : 'Compare it with a file that chainstage init writes.',
    })
  }
}

/** Thrown when `init` would overwrite a file. */
export class AlreadyThere extends SimError {
  constructor(path: string) {
    super('ALREADY_THERE', `${path} is there already`, { hint: 'Choose another --home, or move the file away first.' })
  }
}
