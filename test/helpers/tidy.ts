/**
 * The house rules as data, and the check that finds breaches in source texts (style.md §3.3, §4).
 */

/** Folders from left to right; a folder may import itself and what stands before it. */
export const layers: readonly (readonly string[])[] = [
  ['errors', 'settings', 'data'], ['codec'], ['crypto'], ['evm'], ['app'], ['chain'],
  ['fault', 'feed'], ['node'], ['rpc'], ['scenario', 'recording'], ['simulation'], ['shell'],
  ['main', 'index'],
]

/** Third-party packages and `node:` modules by the folders that may import them (design §9). */
const packages: Readonly<Record<string, readonly string[]>> = {
  codec: ['cosmjs-types', '@scure/base', 'fflate'],
  crypto: [
    '@noble/curves', '@noble/hashes', '@scure/bip32', '@scure/bip39', 'tiny-secp256k1', 'secp256k1',
    'node:crypto', 'node:module',
  ],
  scenario: ['json5', '@humanwhocodes/momoa', '@faker-js/faker', 'zod'],
  shell: [
    'koa', 'koa-router', 'ws', 'chokidar', 'zod', 'smol-toml', 'commander', 'picocolors',
    'cli-progress', 'pino', 'node:',
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

const maxColumns = 100
const maxFileLines = 300
const maxFunctionLines = 70

/** Returns one line for each breach in the files of `src/`, by path relative to it. */
export function breaches(files: ReadonlyMap<string, string>): readonly string[] {
  return [...files].flatMap(([path, text]) => [
    ...importBreaches(path, text),
    ...wordBreaches(path, text),
    ...sizeBreaches(path, text),
    ...nameBreaches(path, text, files),
  ])
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
  const imports = [
    ...text.matchAll(/(?:\bfrom |^import |\bimport\()'([^'\s]+)'\)?;?$/gm),
  ].map((match) => match[1] ?? '')
  return imports.flatMap((target) => {
    if (!target.startsWith('.')) return packageBreach(path, folder, target)
    const there = folderOf(resolve(path, target))
    const ok = there === folder || layerOf(there) < own
      || (layerOf(there) === own && orderWithin(there, folder))
    return ok ? [] : [`${path}: ${folder} must not import ${there}`]
  })
}

/** Folders of one layer may still have an order: the one named first is to the left. */
function orderWithin(left: string, right: string): boolean {
  const layer = layers[layerOf(left)] ?? []
  return layer.indexOf(left) < layer.indexOf(right)
}

function packageBreach(path: string, folder: string, target: string): string[] {
  const allowed = packages[folder] ?? []
  const ok = allowed.some((name) =>
    name === 'node:' ? target.startsWith(name) : target === name || target.startsWith(`${name}/`))
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
  if (folderOf(path) === 'shell' || path === 'main.ts' || path === 'index.ts') return found
  const words = bannedInCore.filter(([word]) => word.test(code))
    .map(([, what]) => `${path}: ${what} is the shell's`)
  return [...found, ...words]
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
  const long = lines.length - 1 > maxFileLines
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
    const name =
      /^(?:export )?(?:function\*? (\w+)|const (\w+) = (?:\([^)]*\)|\w+)[^=]*=>\s*\{$)/.exec(line)
    if (name === null) return []
    const length = lines.slice(start + 1).findIndex((later) => later.startsWith('}')) + 2
    return length > maxFunctionLines
      ? [`${path}: ${name[1] ?? name[2]} has ${length} lines, at most ${maxFunctionLines}`]
      : []
  })
}

/** A method's file is named after it, and its table lists it. */
function nameBreaches(path: string, text: string, files: ReadonlyMap<string, string>): string[] {
  const [folder, side, file] = path.split('/')
  if (folder !== 'rpc' || side === undefined || file === undefined) return []
  const names = [
    ...text.matchAll(/= (?:query|action|subscription)\(\{\s*name: '([^']+)'/g),
  ].map((match) => match[1] ?? '')
  if (side === 'dev' || names.length === 0) return []
  const listed = (files.get(`rpc/${side}/index.ts`) ?? '').includes(`./${file}`)
  return [
    ...names.filter((name) => `${name}.ts` !== file).map((name) => `${path}: declares ${name}`),
    ...(listed ? [] : [`${path}: rpc/${side}/index.ts does not list it`]),
  ]
}
