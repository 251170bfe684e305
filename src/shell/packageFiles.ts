/** Files that come with the package, found from where this code runs. */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = new URL('../../../', import.meta.url)

/** Returns the path of a file of the package, like `scenarios/local.json5`. */
export function packagePath(name: string): string {
  return fileURLToPath(new URL(name, root))
}

/** Returns the text of a file of the package. */
export function packageText(name: string): string {
  return readFileSync(new URL(name, root), 'utf8')
}

/** Returns the bytes of a file of the package. */
export function packageBytes(name: string): Uint8Array {
  return readFileSync(new URL(name, root))
}

/** Returns the version of the package. */
export function packageVersion(): string {
  return (JSON.parse(packageText('package.json')) as { version: string }).version
}
