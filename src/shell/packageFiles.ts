/** Files of the package, located relative to this code. */
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = packageRoot(new URL('./', import.meta.url))

/** Returns the folder of `package.json`; its distance from this code depends on the build. */
function packageRoot(folder: URL): URL {
  const above = new URL('../', folder)
  const isRoot = existsSync(new URL('package.json', folder)) || above.href === folder.href
  return isRoot ? folder : packageRoot(above)
}

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
