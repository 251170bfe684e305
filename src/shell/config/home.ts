/** The files of a home: `config/config.toml` for interface A, `config/app.toml` for interface B. */
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { SimError } from '../../errors.ts'
import type { Setting, SettingValue } from '../../settings/setting.ts'
import { settings, type Sources } from './resolve.ts'

const names = ['config.toml', 'app.toml'] as const

/** Resolves with the parsed files of a home; a file that is not there says nothing. */
export async function readHome(home: string): Promise<Sources['files']> {
  const { parse } = await import('smol-toml')
  const files = new Map<'config.toml' | 'app.toml', Readonly<Record<string, unknown>>>()
  for (const name of names) {
    const path = join(home, 'config', name)
    const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return ''
      throw new UnreadableFile(path, error)
    })
    try {
      files.set(name, parse(text) as Record<string, unknown>)
    } catch (cause) {
      throw new UnreadableFile(path, cause)
    }
  }
  return files
}

/** Writes both files with every key commented out, so that they change nothing; never over an older one. */
export async function writeHome(home: string): Promise<readonly string[]> {
  const folder = join(home, 'config')
  await mkdir(folder, { recursive: true })
  const paths: string[] = []
  for (const name of names) {
    const path = join(folder, name)
    await writeFile(path, fileText(name), { flag: 'wx' }).catch((error: NodeJS.ErrnoException) => {
      throw error.code === 'EEXIST' ? new AlreadyThere(path) : new UnreadableFile(path, error)
    })
    paths.push(path)
  }
  return paths
}

/** Returns the text of one of the files. */
export function fileText(name: 'config.toml' | 'app.toml'): string {
  const own = settings.map(([, one]) => one).filter(({ file }) => file?.name === name)
  const sections = [...new Set(own.map(({ file }) => file?.section ?? ''))]
  const blocks = sections.map((section) => [
    ...(section === '' ? [] : [`[${section}]`]),
    ...own.filter(({ file }) => file?.section === section).map(entryText),
  ].join('\n\n'))
  return `# Settings of chainstage, named as in a real node's ${name}. Take a # away to change one.\n\n${blocks.join('\n\n')}\n`
}

function entryText(one: Setting<SettingValue>): string {
  const live = one.live === true ? ' Takes effect while it runs.' : ''
  return `# ${one.help}${live}\n# ${one.file?.key} = ${JSON.stringify(one.value)}`
}

export class UnreadableFile extends SimError {
  constructor(path: string, cause: unknown) {
    const message = cause instanceof Error ? cause.message.split('\n')[0] : String(cause)
    super('UNREADABLE_FILE', `${path}: ${message}`, { cause, hint: 'chainstage init writes a file that can be read.' })
  }
}

export class AlreadyThere extends SimError {
  constructor(path: string) {
    super('ALREADY_THERE', `${path} is there already`, { hint: 'Choose another --home, or move the file away first.' })
  }
}
