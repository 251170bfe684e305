/** The `imports` of a file: paths, each with an optional namespace and values for vars. */
import { membersOf } from '../data/members.ts'
import { substitute } from './substitute.ts'
import { part } from './schema.ts'
import { readSource, type ScenarioSource } from './source.ts'
import { evaluate, type Names, type Scalar } from './expression.ts'

/**
 * `index` is the position in the list; `values` are the values of `with`, evaluated in the
 * importing file.
 */
export type Import = {
  readonly path: string
  readonly as: string | undefined
  readonly values: Names
  readonly override: boolean
  readonly index: number
}

/** Returns the imports of a file; invalid entries are left to the schema. */
export function importsIn(file: string, source: ScenarioSource): readonly Import[] {
  const list = membersOf(source.value)['imports']
  return (Array.isArray(list) ? list : []).flatMap((one: unknown, index): readonly Import[] => {
    if (typeof one === 'string') {
      return [{ path: relative(file, one), as: undefined, values: new Map(), override: false, index }]
    }
    const { from, as, with: given, override } = membersOf(one)
    if (typeof from !== 'string') return []
    const worked = membersOf(substitute(file, { ...source, value: given ?? {} }, { names: ownVars(source) }).value)
    return [
      {
        path: relative(file, from),
        as: typeof as === 'string' ? as : undefined,
        index,
        values: new Map(Object.entries(worked).flatMap(([name, value]) => scalarOf(name, value))),
        override: override === true,
      },
    ]
  })
}

/** Returns the paths of a file's imports, which the shell reads next. */
export function importsOf(file: string, text: string): readonly string[] {
  return importsIn(file, readSource(file, text)).map(({ path }) => path)
}

/** Returns the paths of the artifacts that a file names. */
export function artifactsOf(file: string, text: string): readonly string[] {
  return artifactsIn(readSource(file, text).value).map((one) => relative(file, one))
}

function artifactsIn(value: unknown): readonly string[] {
  if (typeof value !== 'object' || value === null) return []
  const { artifact, artifacts } = membersOf(value)
  const named = Object.values(membersOf(artifacts)).filter((one) => typeof one === 'string')
  const path = typeof artifact === 'string' && /[./]/.test(artifact) ? [artifact] : []
  return [...path, ...named, ...Object.values(value).flatMap(artifactsIn)]
}

/** Returns the file's own constants, as `vars.NAME`. */
export function ownVars(source: ScenarioSource): Names {
  const given = part.shape.vars.safeParse(membersOf(source.value)['vars'])
  return new Map(Object.entries(given.data ?? {}).flatMap(([name, value]) => scalarOf(`vars.${name}`, value)))
}

/**
 * Returns a command-line value with the type of the declared one (text, integer or boolean), or
 * undefined if it has another type.
 */
export function valueLike(declared: Scalar, text: string): Scalar | undefined {
  if (typeof declared === 'string') return text
  if (typeof declared === 'bigint') return /^-?\d+$/.test(text) ? BigInt(text) : undefined
  return text === 'true' || text === 'false' ? evaluate(text, new Map()) : undefined
}

function scalarOf(name: string, value: unknown): readonly (readonly [string, Scalar])[] {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? [[name, BigInt(value)]] : []
  return typeof value === 'string' || typeof value === 'boolean' ? [[name, value]] : []
}

/**
 * Returns the path of an imported file, relative to the root of `from`. `../b.json5` in `a/x.json5`
 * is `b.json5`; in `x.json5` it stays `../b.json5`. `from` uses slashes; `target` may also use
 * backslashes. An absolute target is returned with slashes.
 */
export function relative(from: string, target: string): string {
  const pieces = target.split(/[/\\]/)
  if (isRoot(pieces[0])) return pieces.join('/')
  const parts = from.split('/').slice(0, -1)
  for (const piece of pieces) {
    const last = parts.at(-1)
    if (piece === '.' || piece === '') continue
    if (piece !== '..' || last === undefined || last === '..') parts.push(piece)
    else if (last === '.') parts.splice(-1, 1, '..')
    else if (parts.length > 1 || !isRoot(last)) parts.pop()
  }
  return parts.join('/')
}

/** Returns whether a piece is the start of an absolute path: empty, or a Windows drive. */
function isRoot(piece: string | undefined): boolean {
  return piece === '' || /^[A-Za-z]:$/.test(piece ?? '')
}
