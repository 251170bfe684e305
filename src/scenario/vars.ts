/** Constants that scenario files declare, and the values that a run gives them. */
import { BadExpression, type Scalar } from './expression.ts'
import type { Diagnostic } from './diagnostic.ts'
import { importsIn, ownVars, valueLike } from './imports.ts'
import { nearest } from '../data/nearest.ts'
import { readSource } from './source.ts'
import { scalarOf } from './late.ts'

/** The text of every file, by its path in diagnostics. */
export type Files = ReadonlyMap<string, string>

type Given = { readonly given: ReadonlyMap<string, Scalar>; readonly trail: readonly string[] }

/**
 * Returns the constants of a file and its imports by name. Given values take precedence, then those
 * of the file, then those of its imports.
 */
export function scenarioVars(files: Files, file: string, { given, trail }: Given): ReadonlyMap<string, Scalar> {
  const text = files.get(file)
  if (text === undefined || trail.includes(file)) return new Map()
  const source = readSource(file, text)
  const below = importsIn(file, source).flatMap(({ path, as, values }) => {
    const found = scenarioVars(files, path, { given: values, trail: [...trail, file] })
    return [...(as === undefined ? found : prefixed(as, found))]
  })
  const own = [...ownVars(source)].map(([name, value]) => [name.slice('vars.'.length), value] as const)
  const all = new Map<string, Scalar>()
  for (const [name, value] of [...below, ...own]) all.set(name, given.get(name) ?? workedOut(value, all))
  return all
}

/**
 * Returns a constant with its expression evaluated; it may use earlier constants. If that fails,
 * the text is returned, and the error is reported where the constant is used.
 */
function workedOut(value: Scalar, before: ReadonlyMap<string, Scalar>): Scalar {
  if (typeof value !== 'string' || !value.includes('${')) return value
  try {
    return scalarOf(value, prefixed('vars', before))
  } catch (error) {
    if (error instanceof BadExpression) return value
    throw error
  }
}

export function prefixed<Value>(prefix: string, names: ReadonlyMap<string, Value>): ReadonlyMap<string, Value> {
  return new Map([...names].map(([name, value]) => [`${prefix}.${name}`, value]))
}

/** Returns the vars of the command line and their problems; only declared vars can be set. */
export function givenVars(files: Files, entry: string, vars: ReadonlyMap<string, string>) {
  const declared = scenarioVars(files, entry, { given: new Map(), trail: [] })
  const values = new Map<string, Scalar>()
  const problems: Diagnostic[] = []
  for (const [name, text] of vars) {
    const like = declared.get(name)
    const value = like === undefined ? undefined : valueLike(like, text)
    if (value !== undefined) values.set(name, value)
    else
      problems.push({
        file: entry,
        line: 1,
        column: 1,
        code: 'SC2006',
        ...whyNot(name, text, { like, declared }),
      })
  }
  return { values, problems }
}

type Wanted = { readonly like: Scalar | undefined; readonly declared: ReadonlyMap<string, Scalar> }

function whyNot(name: string, text: string, { like, declared }: Wanted): Pick<Diagnostic, 'message' | 'hint'> {
  if (like !== undefined) {
    const kind = typeof like === 'bigint' ? 'an integer' : 'true or false'
    return { message: `the var "${name}" is ${kind}, received "${text}"`, hint: undefined }
  }
  return {
    message: `no var is called "${name}"`,
    hint: advice(name, declared.keys(), 'Declare it under "vars".'),
  }
}

/** Returns a hint with the nearest known name, or `otherwise`. */
export function advice(name: string, known: Iterable<string>, otherwise: string): string {
  const near = nearest(name, known)
  return near === undefined ? otherwise : `Did you mean "${near}"?`
}
