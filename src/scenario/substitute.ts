import type { Diagnostic } from './diagnostic.ts'
import { BadExpression, evaluate, type Known, type Names, type Scalar } from './expression.ts'
import { isLate, jsonOfScalar } from './late.ts'
import type { Path, ScenarioSource } from './source.ts'

/** Sections whose expressions may be late. */
const isRun: ReadonlySet<string> = new Set(['steps', 'rules', 'finally'])

/** The names and the drawing functions that expressions may use. */
export type Substituting = {
  readonly names: Names
  readonly functions?: NonNullable<Known['functions']> | undefined
}

/**
 * Returns the value of a file with every `${…}` evaluated and names such as `@alice` resolved, and
 * the problems found. Draws of fixtures and late expressions are left unchanged.
 */
export function substitute(
  file: string,
  source: ScenarioSource,
  { names, functions = {} }: Substituting,
): { readonly value: unknown; readonly problems: readonly Diagnostic[] } {
  const problems: Diagnostic[] = []
  const noted = namesSet(source.value)
  const known: Known = { get: (name) => names.get(name), keys: () => names.keys(), functions }
  return { value: walk(source.value, []), problems }

  function walk(value: unknown, path: Path): unknown {
    if (typeof value === 'string') return substitutedText(value, path)
    if (Array.isArray(value)) return value.map((one, index) => walk(one, [...path, index]))
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(
      Object.entries(value).map(([key, one]) => {
        const below = [...path, key]
        if (key !== 'if' || typeof one !== 'string') return [key, walk(one, below)]
        const whole = withNoted(`\${${one}}`)
        const waits = isRun.has(String(path[0])) && isLate(whole)
        return [key, waits ? withVars(whole, names).slice(2, -1) : worth(one, below)]
      }),
    )
  }

  function substitutedText(text: string, path: Path): unknown {
    if (isRun.has(String(path[0])) && isLate(withNoted(text))) {
      // What beside a late expression does not wait for the run is evaluated now.
      return withVars(withNoted(text), names).replace(/\$\{([^}]*)\}/g, (piece, inner: string) =>
        isLate(piece) ? piece : String(worth(inner, path)),
      )
    }
    const stands = names.get(text)
    const isDrawn =
      path[0] === 'fixtures'
        ? /^@|\$\{faker\.|\$\{it\}/.test(text)
        : path.includes('label') && text.includes('${faker.')
    if (isDrawn) return text
    if (text.startsWith('@') && stands !== undefined) return stands
    const whole = /^\$\{([^}]*)\}$/.exec(text)?.[1]
    if (whole !== undefined) return jsonOfScalar(worth(whole, path))
    return text.replace(/\$\{([^}]*)\}/g, (_, inner: string) => String(worth(inner, path)))
  }

  /** Rewrites `vars.NAME` to `set.NAME` if a step sets the name and no file declares it. */
  function withNoted(text: string): string {
    return text.replace(/\$\{[^}]*\}/g, (piece) =>
      piece.replace(/\bvars\.(\w+)/g, (name, plain: string) =>
        noted.has(plain) && !names.has(name) ? `set.${plain}` : name,
      ),
    )
  }

  function worth(text: string, path: Path): Scalar {
    try {
      return evaluate(text, known)
    } catch (error) {
      if (!(error instanceof BadExpression)) throw error
      const { message, hint } = error
      problems.push({ file, ...source.placeOf(path), code: 'SC2010', message, hint })
      return text
    }
  }
}

/**
 * Replaces names of the file in late expressions by their values, because the names are unknown at
 * run time.
 */
function withVars(text: string, names: Names): string {
  const literal = (name: string) => {
    const value = names.get(name)
    return value === undefined ? name : typeof value === 'string' ? `'${value}'` : String(value)
  }
  return text.replace(
    /\$\{([^}]*)\}/g,
    (_, inner: string) => `\${${inner.replace(/\b(?:vars|accounts|contracts)\.[\w.-]+/g, literal)}}`,
  )
}

/** Returns the names that steps set while they run. */
export function namesSet(value: unknown): ReadonlySet<string> {
  if (typeof value !== 'object' || value === null) return new Set()
  const own = 'set' in value && typeof value.set === 'object' && value.set !== null ? Object.keys(value.set) : []
  return new Set([...own, ...Object.values(value).flatMap((one) => [...namesSet(one)])])
}
