/** The files of a home: `config/config.toml` for CometBFT RPC, `config/app.toml` for Ethereum JSON-RPC. */
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { SimError } from '../../errors.ts'
import type { Setting, SettingValue } from '../../settings/setting.ts'
import { writeNewFile } from '../durable/writeFile.ts'
import type { FileName, Tree } from './fileKeys.ts'
import { settings } from './resolve.ts'

const names = ['config.toml', 'app.toml'] as const

/** Resolves with the parsed files of a home; a file that is not there says nothing. */
export async function readHome(home: string): Promise<ReadonlyMap<FileName, Tree>> {
  const { parse } = await import('smol-toml')
  const files = new Map<FileName, Tree>()
  for (const name of names) {
    const path = join(home, 'config', name)
    const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
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

/**
 * Writes both files with every key commented out, so that they change nothing; never over an older
 * one.
 */
export async function writeHome(home: string): Promise<readonly string[]> {
  const paths = names.map((name) => join(home, 'config', name))
  const older = paths.find((path) => existsSync(path))
  if (older !== undefined) throw new AlreadyThere(older)
  for (const name of names) await writeNewFile(join(home, 'config', name), fileText(name))
  return paths
}

/** Returns the text of one of the files. */
export function fileText(name: FileName): string {
  const own = settings.map(([, one]) => one).filter(({ file }) => file?.name === name)
  // Keys without a section stand first, or they would belong to the one above them.
  const sections = [...new Set(['', ...own.map(({ file }) => file?.section ?? '')])]
  const blocks = sections.map((section) =>
    [
      ...(section === '' ? [] : [`[${section}]`]),
      ...own.filter(({ file }) => file?.section === section).map(entryText),
    ].join('\n\n'),
  )
  return `# Settings of chainstage, named as in a real node's ${name}. Take a # away to change one.\n\n${blocks.join('\n\n')}\n`
}

function entryText(one: Setting<SettingValue>): string {
  const live = one.live === true ? ' Takes effect while it runs.' : ''
  return `# ${one.help}${live}\n# ${one.file?.key} = ${JSON.stringify(one.value)}`
}

/** A file that cannot be read, or is not what its name says. */
export class UnreadableFile extends SimError {
  constructor(path: string, cause: unknown) {
    const { line, column, message } = cause as Error & { line?: number; column?: number }
    const place = line === undefined ? path : `${path}:${line}:${column}`
    super('UNREADABLE_FILE', `${place}: ${String(message).split('\n')[0]}`, {
      cause,
      hint:
        line === undefined ? 'Check its path and rights.' : 'A file that chainstage init writes can be read: compare.',
    })
  }
}

/** A file that `init` would have to overwrite. */
export class AlreadyThere extends SimError {
  constructor(path: string) {
    super('ALREADY_THERE', `${path} is there already`, { hint: 'Choose another --home, or move the file away first.' })
  }
}
