/** Projects that `chainstage new` writes from the package's templates. */
import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { SimError } from '../errors.ts'
import { systemDisk } from './durable/disk.ts'
import { readable, writeNewFile } from './durable/writeFile.ts'
import { nameBelow } from './paths.ts'
import { packagePath, packageVersion } from './packageFiles.ts'

/** Test runners and libraries that a project can use; `node` needs no other package. */
export const projectKinds = ['node', 'vitest', 'ava', 'playwright', 'hardhat', 'foundry', 'cosmjs'] as const

/** `name` is the name of the package and the scenario. */
export type ProjectOptions = { readonly kind: string; readonly name: string }

/**
 * Writes a project into a folder and resolves with the paths of its files, relative to the folder.
 * A file of the kind replaces the common file of the same name. Throws `FilesThere`, and then
 * writes nothing, if one of the files exists.
 */
export async function writeProject(folder: string, { kind, name }: ProjectOptions): Promise<readonly string[]> {
  const parts = await Promise.all(['common', kind].map((part) => filesBelow(packagePath(`templates/${part}`))))
  const byName = new Map(parts.flat().map((file) => [file.name, file]))
  const files = [...byName.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1))
  const there = files.filter((file) => existsSync(join(folder, file.name)))
  if (there.length > 0)
    throw new FilesThere(
      folder,
      there.map((file) => file.name),
    )
  const packageName =
    name
      .toLowerCase()
      .replace(/[^a-z0-9-]+/g, '-')
      .replace(/^-+|-+$/g, '') || 'dapp'
  for (const file of files) {
    const text = await readFile(file.path, 'utf8')
    const own = text.replaceAll('__NAME__', packageName).replaceAll('__VERSION__', packageVersion())
    await writeNewFile(join(folder, file.name), own, systemDisk, readable)
  }
  return files.map((file) => file.name)
}

type Template = { readonly name: string; readonly path: string }

/** Resolves with the templates in a folder. npm omits `.gitignore`, so its template is renamed. */
async function filesBelow(folder: string): Promise<readonly Template[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => ({
      path,
      name: nameBelow(folder, path).replace('_gitignore', '.gitignore'),
    }))
}

/** A file of the new project already exists. */
export class FilesThere extends SimError {
  constructor(folder: string, names: readonly string[]) {
    super('CANNOT_WRITE', `${folder} has ${names.join(', ')} already`, {
      hint: 'Choose a new folder, for example: chainstage new my-dapp.',
    })
  }
}
