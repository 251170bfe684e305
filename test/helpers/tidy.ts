/**
 * The house rules as data, and the check that finds breaches in source texts (style.md §3.3, §4).
 */

import { fileCycles, mutualFolders } from './cycles.ts'

/** Folders from left to right; a folder may import itself and what stands before it. */
export const layers: readonly (readonly string[])[] = [
  // Runs in a browser: what it knows of the rest comes over HTTP.
  ['dashboard'],
  ['errors', 'settings', 'data'],
  ['codec'],
  ['crypto'],
  ['evm'],
  ['app'],
  ['chain'],
  ['fault', 'feed'],
  ['node'],
  ['rpc'],
  ['plan'],
  ['scenario', 'recording'],
  ['simulation'],
  ['shell'],
  ['main', 'index'],
]

/** Third-party packages and `node:` modules by the folders that may import them (design §9). */
const packages: Readonly<Record<string, readonly string[]>> = {
  dashboard: ['preact', '@preact/signals', 'uplot', 'json5'],
  data: ['node:zlib'],
  codec: ['@scure/base', 'fflate'],
  crypto: [
    '@noble/curves',
    '@noble/hashes',
    '@scure/bip32',
    '@scure/bip39',
    'tiny-secp256k1',
    'secp256k1',
    'node:crypto',
    'node:module',
  ],
  scenario: ['json5', '@humanwhocodes/momoa', '@faker-js/faker', 'zod'],
  shell: [
    'koa',
    'koa-router',
    'ws',
    'zod',
    'smol-toml',
    '@jitl/quickjs-wasmfile-release-sync',
    'quickjs-emscripten-core',
    'commander',
    'cross-spawn',
    'cli-progress',
    'pino',
    'tinyglobby',
    '@nats-io/transport-node',
    '@nats-io/jetstream',
    '@nats-io/kv',
    '@nats-io/obj',
    'node:',
  ],
  main: ['node:'],
}

/** Words that bring the outside in; only `shell/` and `main.ts` may use them. */
const bannedInCore: readonly (readonly [RegExp, string])[] = [
  [/\bDate\.now\b|\bnew Date\b|\bperformance\b/, 'the clock'],
  [/\bMath\.random\b|\brandomUUID\b|\brandomBytes\b|\bgetRandomValues\b/, 'entropy'],
  [/(?<![\w.])(?:setTimeout|setInterval|setImmediate|queueMicrotask)\(/, 'a timer'],
  [/\basync\b|\bawait\b|\bPromise\b/, 'async'],
  [/\bprocess\./, 'process'],
  [/\bconsole\./, 'console'],
  [/\bfetch\(/, 'the network'],
  [/\btoLocale\w*\(|\bIntl\./, 'the locale'],
]

const maxColumns = 120
const maxFileLines = 300
/** Files that a script writes: nobody reads them from top to bottom. */
const generated: ReadonlySet<string> = new Set(['codec/schema/messageTypes.ts'])
const maxFunctionLines = 70

/** Returns one line for each breach in the files of `src/`, by path relative to it. */
export function breaches(files: ReadonlyMap<string, string>): readonly string[] {
  const own = [...files].flatMap(([path, text]) => [
    ...importBreaches(path, text),
    ...wordBreaches(path, text),
    ...writerBreaches(path, text),
    ...sizeBreaches(path, text),
    ...nameBreaches(path, text, files),
  ])
  const imports = new Map([...files].map(([path, text]) => [path, importedFiles(path, text)]))
  return [...own, ...fileCycles(imports), ...mutualFolders(imports)]
}

/** Returns the files of ours that a file imports, types included. */
function importedFiles(path: string, text: string): readonly string[] {
  return importsIn(text).flatMap((target) => (target.startsWith('.') ? [resolve(path, target)] : []))
}

/** Returns the layer folder of a path: its first folder, or the name of a file at the top. */
function folderOf(path: string): string {
  return (path.split('/')[0] ?? '').replace(/\.ts$/, '')
}

function layerOf(folder: string): number {
  return layers.findIndex((layer) => layer.includes(folder))
}

function importBreaches(path: string, text: string): string[] {
  const folder = folderOf(path)
  const own = layerOf(folder)
  if (own < 0) return [`${path}: no layer is called ${folder}`]
  return importsIn(text).flatMap((target) => {
    if (!target.startsWith('.')) return packageBreach(path, folder, target)
    const there = folderOf(resolve(path, target))
    const ok = there === folder || layerOf(there) < own || (layerOf(there) === own && orderWithin(there, folder))
    return ok ? [] : [`${path}: ${folder} must not import ${there}`]
  })
}

/** Returns what a file imports, also in the midst of a line. */
function importsIn(text: string): readonly string[] {
  const found = text.matchAll(/(?:\bfrom |^import )'([^'\s]+)';?$|\bimport\('([^'\s]+)'\)/gm)
  return [...found].map(([, whole, lazy]) => whole ?? lazy ?? '')
}

/** Folders of one layer may still have an order: the one named first is to the left. */
function orderWithin(left: string, right: string): boolean {
  const layer = layers[layerOf(left)] ?? []
  return layer.indexOf(left) < layer.indexOf(right)
}

function packageBreach(path: string, folder: string, target: string): string[] {
  const allowed = packages[folder] ?? []
  const ok = allowed.some((name) =>
    name === 'node:' ? target.startsWith(name) : target === name || target.startsWith(`${name}/`),
  )
  return ok ? [] : [`${path}: ${folder} must not import ${target}`]
}

function resolve(from: string, target: string): string {
  const parts = from.split('/').slice(0, -1)
  for (const part of target.split('/')) {
    if (part === '..') parts.pop()
    else if (part !== '.') parts.push(part)
  }
  return parts.join('/')
}

function wordBreaches(path: string, text: string): string[] {
  const code = withoutComments(text)
  const found = /\bas any\b|: any\b|<any>/.test(code) ? [`${path}: no any`] : []
  if (['shell', 'dashboard'].includes(folderOf(path)) || path === 'main.ts' || path === 'index.ts') return found
  const words = bannedInCore.filter(([word]) => word.test(code)).map(([, what]) => `${path}: ${what} is the shell's`)
  return [...found, ...words]
}

const writers =
  /^(?:writeFile|write|appendFile|open|rename|cp|copyFile|link|symlink|truncate|mkdir|mkdtemp|rm|rmdir|unlink|chmod|utimes|createWriteStream)(?:Sync)?$/

/** Files are written through one port, which tests replace by a disk that fails. */
function writerBreaches(path: string, text: string): string[] {
  if (path === 'shell/durable/disk.ts') return []
  const imported = [...text.matchAll(/^import \{([^}]*)\} from 'node:fs(?:\/promises)?'$/gm)].flatMap(
    ([, names = '']) => names.split(',').map((name) => name.trim()),
  )
  return imported
    .filter((name) => writers.test(name))
    .map((name) => `${path}: ${name} is for shell/durable/disk.ts alone`)
}

/** Comments and strings are prose: only code is judged. */
function withoutComments(text: string): string {
  return text
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/^\s*\/\/.*$/gm, '')
    .replace(/'(?:[^'\\\n]|\\.)*'/g, "''")
}

function sizeBreaches(path: string, text: string): string[] {
  const lines = text.split('\n')
  const long =
    lines.length - 1 > maxFileLines && !generated.has(path)
      ? [`${path}: ${lines.length - 1} lines, at most ${maxFileLines}`]
      : []
  return [...long, ...wideLines(path, lines), ...longFunctions(path, lines)]
}

/** A text and a pattern stand in one line however long they are: what is around them fits. */
const inOneLine = /'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|`(?:[^`\\]|\\.)*`?|\/(?:[^/\\]|\\.)+\/[a-z]*/g

function wideLines(path: string, lines: readonly string[]): string[] {
  return lines.flatMap((line, index) => {
    const isWide = line.length > maxColumns && line.replace(inOneLine, "''").length > maxColumns
    return isWide ? [`${path}:${index + 1}: ${line.length} columns, at most ${maxColumns}`] : []
  })
}

/** A function at the top level ends at the first line that begins with a closing brace. */
function longFunctions(path: string, lines: readonly string[]): string[] {
  return lines.flatMap((line, start) => {
    const name = /^(?:export )?(?:function\*? (\w+)|const (\w+) = (?:\([^)]*\)|\w+)[^=]*=>\s*\{$)/.exec(line)
    if (name === null) return []
    const length = lines.slice(start + 1).findIndex((later) => later.startsWith('}')) + 2
    return length > maxFunctionLines
      ? [`${path}: ${name[1] ?? name[2]} has ${length} lines, at most ${maxFunctionLines}`]
      : []
  })
}

/**
 * A method's file is named after it, and its table lists it. A file with a table of its own is
 * named after the namespace of its methods.
 */
function nameBreaches(path: string, text: string, files: ReadonlyMap<string, string>): string[] {
  const [folder, side, file, deeper] = path.split('/')
  if (folder !== 'rpc' || side === undefined || file === undefined || side === 'dev') return []
  if (deeper !== undefined) return []
  const isTable = /^export const \w+: readonly Method\[\] = \[$/m.test(text)
  const declared = isTable
    ? /\b(?:name: |\w+\()'([a-z]+_\w+)'/g
    : /= (?:query|action|subscription)\(\{\s*name: '([^']+)'/g
  const names = [...text.matchAll(declared)].map((match) => match[1] ?? '')
  if (names.length === 0) return []
  const own = file.replace(/\.ts$/, '')
  const isOwn = (name: string) => (isTable ? name.startsWith(`${own}_`) : name === own)
  const listed = (files.get(`rpc/${side}/index.ts`) ?? '').includes(`./${file}`)
  return [
    ...names.filter((name) => !isOwn(name)).map((name) => `${path}: declares ${name}`),
    ...(listed ? [] : [`${path}: rpc/${side}/index.ts does not list it`]),
  ]
}
