/**
 * The expressions of scenario files (`mocks.md` §3.3): integers, texts and truth, no loops, no clock.
 * They are total: what has no value is refused with `BadExpression`.
 */
import { nearest } from '../data/nearest.ts'
import { SimError } from '../errors.ts'

export type Scalar = bigint | string | boolean

/** Finds the value of a dotted name; undefined where there is none. */
export type Names = ReadonlyMap<string, Scalar>

/** Returns the value of an expression like `vars.gap + 1`. Throws `BadExpression`. */
export function evaluate(text: string, names: Names): Scalar {
  const parser: Parser = { tokens: tokensOf(text), at: 0, names, text }
  const value = binary(parser, 0)
  if (parser.at < parser.tokens.length) throw unexpected(parser)
  return value
}

type Parser = {
  readonly tokens: readonly string[]
  at: number
  readonly names: Names
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
      throw new BadExpression(text, `"${text.slice(at).trim()}" is not understood`)
    }
    found.push(piece)
  }
  return found
}

/** Loosest first. */
const levels: readonly (readonly string[])[] = [
  ['||'], ['&&'], ['==', '!='], ['<', '<=', '>', '>='], ['+', '-'], ['*', '/'],
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
  if (operator === '==') return left === right
  if (operator === '!=') return left !== right
  if (operator === '&&') return truth(parser, left) && truth(parser, right)
  if (operator === '||') return truth(parser, left) || truth(parser, right)
  if (operator === '+' && typeof left === 'string') return left + String(right)
  const [a, b] = [integer(parser, left), integer(parser, right)]
  switch (operator) {
    case '<': return a < b
    case '<=': return a <= b
    case '>': return a > b
    case '>=': return a >= b
    case '+': return a + b
    case '-': return a - b
    case '*': return a * b
    default:
      if (b === 0n) throw new BadExpression(parser.text, 'it divides by zero')
      return a / b
  }
}

function unary(parser: Parser): Scalar {
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
    given.push(binary(parser, 0))
  } while (parser.tokens[parser.at] === ',')
  closed(parser, true)
  const [first] = given
  if (first === undefined) throw unexpected(parser)
  const smaller = (a: bigint, b: bigint) => (a < b ? a : b)
  const larger = (a: bigint, b: bigint) => (a > b ? a : b)
  switch (name) {
    case 'len': return BigInt(String(first).length)
    case 'hex': return `0x${integer(parser, first).toString(16)}`
    case 'min': return given.map((one) => integer(parser, one)).reduce(smaller)
    case 'max': return given.map((one) => integer(parser, one)).reduce(larger)
    default: {
      const hint = hintFor(name, ['len', 'hex', 'min', 'max'])
      throw new BadExpression(parser.text, `there is no function "${name}"`, hint)
    }
  }
}

function named({ names, text }: Parser, name: string): Scalar {
  const value = names.get(name)
  if (value === undefined) {
    throw new BadExpression(text, `nothing is called "${name}"`, hintFor(name, names.keys()))
  }
  return value
}

function hintFor(name: string, known: Iterable<string>): string {
  const near = nearest(name, known)
  return near === undefined ? 'Declare it under "vars" and write vars.NAME.' : `Did you mean "${near}"?`
}

function integer({ text }: Parser, value: Scalar): bigint {
  if (typeof value === 'bigint') return value
  throw new BadExpression(text, `expected an integer, received ${JSON.stringify(value)}`)
}

function truth({ text }: Parser, value: Scalar): boolean {
  if (typeof value === 'boolean') return value
  throw new BadExpression(text, `expected true or false, received "${value}"`)
}

function unexpected({ tokens, at, text }: Parser): BadExpression {
  const next = tokens[at]
  const why = next === undefined ? 'it ends too early' : `"${next}" is not expected here`
  return new BadExpression(text, why)
}

/** An expression has no value. */
export class BadExpression extends SimError {
  constructor(text: string, why: string, hint?: string) {
    const advice = hint === undefined ? {} : { hint }
    super('BAD_EXPRESSION', `the expression ${text.trim()}: ${why}`, advice)
  }
}
