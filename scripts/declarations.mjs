// Writes `dist/types`: the declarations from `tsc` and from packages that the entry points of the
// package refer to. The package has no dependencies, so it contains their types.
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire, isBuiltin } from 'node:module'
import { dirname, join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const from = join(root, 'dist', 'src')
const modules = join(root, 'node_modules')
const out = join(root, 'dist', 'types')
const { resolve } = createRequire(join(root, 'src/package.json'))

const declarationOf = (path) => path.replace(/(?:\.d)?\.([cm]?)[jt]s$/, '.d.$1ts')

/** Returns the output path of a declaration: ours at the top, those of packages in `packages`. */
function placeOf(path) {
  const isOurs = path.startsWith(from + sep)
  return isOurs ? join(out, relative(from, path)) : join(out, 'packages', relative(modules, path))
}

/** Writes a declaration and, before it, the declarations that it refers to. */
function write(path, written = new Set()) {
  if (written.has(path)) return
  written.add(path)
  const text = readFileSync(path, 'utf8').replace(
    /(\bfrom |\bimport |\bimport\()(['"])([^'"]+)\2/g,
    (all, before, quote, name) => {
      if (isBuiltin(name)) return all
      const isRelative = name.startsWith('.')
      const target = declarationOf(isRelative ? join(dirname(path), name) : resolve(name))
      // Examples in comments may name files that do not exist.
      if (!existsSync(target)) return all
      write(target, written)
      if (isRelative) return all
      const there = relative(dirname(placeOf(path)), placeOf(target)).replaceAll(sep, '/')
      return `${before}${quote}${there.startsWith('.') ? '' : './'}${there.replace(/\.d\.([cm]?)ts$/, '.$1js')}${quote}`
    },
  )
  mkdirSync(dirname(placeOf(path)), { recursive: true })
  writeFileSync(placeOf(path), text)
}

rmSync(out, { recursive: true, force: true })
const written = new Set()
for (const entry of ['index', 'shell/testing/ava', 'shell/testing/fixtures']) {
  write(join(from, `${entry}.d.ts`), written)
}
