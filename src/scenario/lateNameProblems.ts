/** Checks the names in late expressions at compile time, as far as possible. */
import { nearest } from '../data/nearest.ts'
import type { Closure } from './closure.ts'
import type { Diagnostic } from './diagnostic.ts'
import { BadExpression, namesIn } from './expression.ts'
import { isLate } from './late.ts'
import type { Path } from './source.ts'
import { namesSet } from './substitute.ts'

const chainNames = ['height', 'time', 'baseFee', 'hash']
const txNames = ['hash', 'cometHash', 'from', 'nonce', 'label', 'contract']
const stepNames = ['outcome', 'height', 'timeMs', 'result']
const isRun = ['steps', 'rules', 'finally']

/** Returns a problem for every name in late expressions that can never have a value. */
export function lateNameProblems(entry: string, { file, source }: Closure): readonly Diagnostic[] {
  if (file === undefined || typeof source.value !== 'object' || source.value === null) return []
  const value = source.value as Readonly<Record<string, unknown>>
  const noted = namesSet(value)
  const known = {
    set: noted,
    tx: txsNamed(value),
    step: new Set((file.steps ?? []).map(({ id }, index) => id ?? `step-${index + 1}`)),
  }
  const expressions = textsIn(value, []).flatMap(({ text, path }) =>
    expressionsOf(text, path).map((inner) => ({ inner, path })),
  )
  return expressions.flatMap(({ inner, path }) => {
    const problem = attempt(() =>
      namesIn(inner)
        .map((name) => problemOf(name, known))
        .find((one) => one !== undefined),
    )
    if (problem === undefined) return []
    return [
      {
        file: entry,
        ...source.placeOf(path),
        code: 'SC2010',
        message: `the expression ${inner.trim()}: ${problem.message}`,
        hint: problem.hint,
      },
    ]
  })
}

type Problem = { readonly message: string; readonly hint: string | undefined }
type Known = Readonly<Record<'set' | 'tx' | 'step', ReadonlySet<string>>>

/** Returns the problem of an expression; a syntax error is one too. */
function attempt(look: () => Problem | undefined): Problem | undefined {
  try {
    return look()
  } catch (error) {
    if (!(error instanceof BadExpression)) throw error
    return { message: error.message.replace(/^the expression .*?: /, ''), hint: error.hint }
  }
}

function problemOf(name: string, known: Known): Problem | undefined {
  const [root = '', one = '', member = ''] = name.split('.')
  if (root === 'chain')
    return chainNames.includes(one)
      ? undefined
      : missing(
          name,
          chainNames.map((each) => `chain.${each}`),
        )
  if (root !== 'set' && root !== 'tx' && root !== 'step') return undefined
  if (!known[root].has(one))
    return missing(
      name,
      [...known[root]].map((each) => [root, each, ...name.split('.').slice(2)].join('.')),
    )
  if (root === 'set') return undefined
  const members = root === 'tx' ? [...txNames, 'replacement'] : stepNames
  return members.includes(member)
    ? undefined
    : missing(
        name,
        members.map((each) => `${root}.${one}.${each}`),
      )
}

function missing(name: string, known: readonly string[]): Problem {
  const near = nearest(name, known)
  return {
    message: `unknown name "${name}"`,
    hint: near === undefined ? undefined : `Did you mean "${near}"?`,
  }
}

type Text = { readonly text: string; readonly path: Path }

function textsIn(value: unknown, path: Path): readonly Text[] {
  if (typeof value === 'string') return [{ text: value, path }]
  if (typeof value !== 'object' || value === null) return []
  const isRoot = path.length === 0
  return Object.entries(value)
    .filter(([key]) => !isRoot || isRun.includes(key))
    .flatMap(([key, one]) => textsIn(one, [...path, Array.isArray(value) ? Number(key) : key]))
}

/** Returns the late expressions of a text; a condition is one expression as a whole. */
function expressionsOf(text: string, path: Path): readonly string[] {
  if (path.at(-1) === 'if') return isLate(`\${${text}}`) ? [text] : []
  return [...text.matchAll(/\$\{([^}]*)\}/g)].flatMap(([whole, inner = '']) => (isLate(whole) ? [inner] : []))
}

/** Returns the names that `as` gives to sent and held transactions. */
function txsNamed(value: unknown): ReadonlySet<string> {
  if (typeof value !== 'object' || value === null) return new Set()
  const own = 'as' in value && typeof value.as === 'string' ? [value.as] : []
  const held = 'hold' in value && own.length === 0 ? ['held'] : []
  return new Set([...own, ...held, ...Object.values(value).flatMap((one) => [...txsNamed(one)])])
}
