/**
 * Expressions of scenario files (`mocks.md` §3.3): integers, texts and booleans, without loops or
 * clock. Evaluation always ends; an expression without a value throws `BadExpression`.
 */
import { ownValue } from '../data/members.ts'
import { nearest } from '../data/nearest.ts'
import { SimError } from '../errors.ts'

export type Scalar = bigint | string | boolean

/** Values by dotted name. */
export type Names = ReadonlyMap<string, Scalar>

/** The names and functions that an expression may use; the functions can depend on its position. */
export type Known = Pick<Names, 'get' | 'keys'> & {
  readonly functions?: Readonly<Record<string, (given: readonly Scalar[]) => Scalar>>
}

/** Functions whose arguments may be unquoted words: `tx.encode(alice, bank.send)`. */
const takesWords: ReadonlySet<string> = new Set(['tx.encode'])

/** Returns the value of an expression like `vars.gap + 1`. Throws `BadExpression`. */
export function evaluate(text: string, names: Known): Scalar {
  const parser: Parser = { tokens: tokensOf(text), at: 0, depth: 0, names, text }
  const value = binary(parser, 0)
  if (parser.at < parser.tokens.length) throw unexpected(parser)
  return value
}

/**
 * Returns the names whose values an expression needs. Throws `BadExpression` if the text contains
 * an invalid token.
 */
export function namesIn(text: string): readonly string[] {
  const tokens = tokensOf(text)
  let inWords = false
  return tokens.filter((one, at) => {
    if (takesWords.has(tokens[at - 1] ?? '') && one === '(') inWords = true
    if (one === ')') inWords = false
    return !inWords && /^[A-Za-z_]/.test(one) && one !== 'true' && one !== 'false' && tokens[at + 1] !== '('
  })
}

type Parser = {
  readonly tokens: readonly string[]
  at: number
  /** How many values are open: each contains the next. */
  depth: number
  readonly names: Known
  readonly text: string
}

const token = /\s*(\d+|'[^']*'|[A-Za-z_][\w.]*|==|!=|<=|>=|&&|\|\||[-+*/<>!(),])/y

function tokensOf(text: string): readonly string[] {
  const found: string[] = []
  token.lastIndex = 0
  while (text.slice(token.lastIndex).trim() !== '') {
    const at = token.lastIndex
    const piece = token.exec(text)?.[1]
    if (piece === undefined) {
      throw new BadExpression(text, `"${text.slice(at).trim()}" is not valid here`)
    }
    found.push(piece)
  }
  return found
}

/** Operators by precedence, lowest first. */
const levels: readonly (readonly string[])[] = [
  ['||'],
  ['&&'],
  ['==', '!='],
  ['<', '<=', '>', '>='],
  ['+', '-'],
  ['*', '/'],
]

function binary(parser: Parser, level: number): Scalar {
  const operators = levels[level]
  if (operators === undefined) return unary(parser)
  let left = binary(parser, level + 1)
  for (;;) {
    const operator = parser.tokens[parser.at]
    if (operator === undefined || !operators.includes(operator)) return left
    parser.at++
    left = joined(parser, operator, [left, binary(parser, level + 1)])
  }
}

function joined(parser: Parser, operator: string, [left, right]: readonly [Scalar, Scalar]): Scalar {
  if (operator === '==') return isSame(left, right)
  if (operator === '!=') return !isSame(left, right)
  if (operator === '&&') return truth(parser, left) && truth(parser, right)
  if (operator === '||') return truth(parser, left) || truth(parser, right)
  if (operator === '+' && typeof left === 'string') return left + String(right)
  const [a, b] = [integer(parser, left), integer(parser, right)]
  switch (operator) {
    case '<':
      return a < b
    case '<=':
      return a <= b
    case '>':
      return a > b
    case '>=':
      return a >= b
    case '+':
      return a + b
    case '-':
      return a - b
    case '*':
      return a * b
    default:
      if (b === 0n) throw new BadExpression(parser.text, 'division by zero')
      return a / b
  }
}

/**
 * Returns whether two values are equal. An integer equals a text that spells it, because interfaces
 * write integers both ways.
 */
function isSame(left: Scalar, right: Scalar): boolean {
  if (typeof left === typeof right || typeof left === 'boolean') return left === right
  return typeof right !== 'boolean' && spelled(left) === spelled(right)
}

function spelled(value: bigint | string): bigint | string {
  return typeof value === 'string' && /^(-?\d+|0x[0-9a-fA-F]+)$/.test(value) ? BigInt(value) : value
}

/** The most values that may contain each other; the call stack ends at some thousands. */
const depthMost = 100

function unary(parser: Parser): Scalar {
  parser.depth++
  if (parser.depth > depthMost) throw new BadExpression(parser.text, `it is more than ${depthMost} deep`)
  const value = innermost(parser)
  parser.depth--
  return value
}

function innermost(parser: Parser): Scalar {
  const next = parser.tokens[parser.at++]
  if (next === '!') return !truth(parser, unary(parser))
  if (next === '-') return -integer(parser, unary(parser))
  if (next === '(') return closed(parser, binary(parser, 0))
  if (next === undefined || !/^[\w']/.test(next)) {
    parser.at--
    throw unexpected(parser)
  }
  if (/^\d/.test(next)) return BigInt(next)
  if (next.startsWith("'")) return next.slice(1, -1)
  if (next === 'true' || next === 'false') return next === 'true'
  return parser.tokens[parser.at] === '(' ? called(parser, next) : named(parser, next)
}

function closed(parser: Parser, value: Scalar): Scalar {
  if (parser.tokens[parser.at++] !== ')') throw new BadExpression(parser.text, '")" is missing')
  return value
}

function called(parser: Parser, name: string): Scalar {
  const given: Scalar[] = []
  do {
    parser.at++
    given.push(takesWords.has(name) ? wordOf(parser) : binary(parser, 0))
  } while (parser.tokens[parser.at] === ',')
  closed(parser, true)
  const [first] = given
  const special = ownValue(parser.names.functions ?? {}, name)
  if (special !== undefined) return special(given)
  if (first === undefined) throw unexpected(parser)
  const smaller = (a: bigint, b: bigint) => (a < b ? a : b)
  const larger = (a: bigint, b: bigint) => (a > b ? a : b)
  switch (name) {
    case 'len':
      return BigInt(String(first).length)
    case 'hex':
      return `0x${natural(parser, first).toString(16)}`
    case 'min':
      return given.map((one) => integer(parser, one)).reduce(smaller)
    case 'max':
      return given.map((one) => integer(parser, one)).reduce(larger)
    default: {
      if (['rand', 'pick'].includes(name))
        throw new BadExpression(parser.text, 'random functions are not available here')
      const hint = hintFor(name, functionNames)
      throw new BadExpression(parser.text, `there is no function "${name}"`, hint)
    }
  }
}

const functionNames = ['len', 'hex', 'min', 'max', 'rand', 'pick', 'tx.encode']

function wordOf(parser: Parser): Scalar {
  const word = parser.tokens[parser.at++]
  if (word === undefined || !/^[A-Za-z_']/.test(word)) {
    parser.at--
    throw unexpected(parser)
  }
  return word.startsWith("'") ? word.slice(1, -1) : word
}

function named({ names, text }: Parser, name: string): Scalar {
  const value = names.get(name)
  if (value === undefined) {
    throw new BadExpression(text, `unknown name "${name}"`, hintFor(name, names.keys()))
  }
  return value
}

function hintFor(name: string, known: Iterable<string>): string {
  const near = nearest(name, known)
  return near === undefined ? 'Declare it under "vars" and refer to it as vars.NAME.' : `Did you mean "${near}"?`
}

function integer({ text }: Parser, value: Scalar): bigint {
  const number = typeof value === 'string' ? spelled(value) : value
  if (typeof number === 'bigint') return number
  throw new BadExpression(text, `expected an integer, received ${JSON.stringify(value)}`)
}

function natural(parser: Parser, value: Scalar): bigint {
  const number = integer(parser, value)
  if (number >= 0n) return number
  throw new BadExpression(parser.text, `expected an integer of at least 0, received ${number}`)
}

function truth({ text }: Parser, value: Scalar): boolean {
  if (typeof value === 'boolean') return value
  throw new BadExpression(text, `expected true or false, received "${value}"`)
}

function unexpected({ tokens, at, text }: Parser): BadExpression {
  const next = tokens[at]
  const why = next === undefined ? 'unexpected end' : `unexpected "${next}"`
  return new BadExpression(text, why)
}

/** Draws an integer from 0 to `below` - 1; equal labels give equal numbers. */
export type Draw = (label: string, below: bigint) => bigint

const drawnBelow = 1_000_000n

/**
 * Returns the drawing functions. `rand('label')` is an integer from 0 to 999999, `rand('label', 6)`
 * one below 6. `pick('a', 'b')` is one of its arguments.
 */
export function drawingFunctions(draw: Draw): NonNullable<Known['functions']> {
  return {
    rand: ([label = '', below = drawnBelow]) => {
      if (typeof below !== 'bigint' || below < 1n) throw new BadExpression('rand', 'expected a limit above 0')
      return draw(`rand:${label}`, below)
    },
    pick: (given) => given[Number(draw(`pick:${given.join(',')}`, BigInt(given.length)))] ?? false,
  }
}

/** The expression has no value. */
export class BadExpression extends SimError {
  constructor(text: string, why: string, hint?: string) {
    const advice = hint === undefined ? {} : { hint }
    super('BAD_EXPRESSION', `the expression ${text.trim()}: ${why}`, advice)
  }
}
