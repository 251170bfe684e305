/**
 * Parses CometBFT's query language. Errors are those of `comet-rpc.md` §4.2, with offsets in bytes.
 */
import { parseDate, parseTime, TimeSyntaxError } from '../codec/time.ts'
import { SimError } from '../errors.ts'
import type { CometQuery, Condition, Operand } from './cometQuery.ts'

type Kind =
  | 'tag'
  | 'string'
  | 'number'
  | 'time'
  | 'date'
  | 'AND'
  | 'EXISTS'
  | 'CONTAINS'
  | '='
  | '<'
  | '<='
  | '>'
  | '>='
  | 'invalid'
  | 'end'

type Token = {
  readonly kind: Kind
  readonly text: string
  readonly at: number
  readonly end: number
  readonly bad: string
}

const names: Readonly<Record<Kind, string>> = {
  tag: 'tag',
  string: 'string',
  number: 'number',
  time: 'timestamp',
  date: 'datestamp',
  AND: 'AND operator',
  EXISTS: 'EXISTS operator',
  CONTAINS: 'CONTAINS operator',
  '=': '= operator',
  '<': '< operator',
  '<=': '<= operator',
  '>': '> operator',
  '>=': '>= operator',
  invalid: 'invalid token',
  end: 'EOF',
}

const operators: readonly Kind[] = ['<=', '>=', '<', '>', '=', 'CONTAINS', 'EXISTS']
const ordered: readonly Kind[] = ['number', 'time', 'date']

/** Returns the conditions of a query. Throws `QuerySyntaxError` if the text is not a query. */
export function parseQuery(text: string): CometQuery {
  const conditions: Condition[] = []
  let at = 0
  for (;;) {
    const { condition, end } = readCondition(text, at)
    conditions.push(condition)
    const next = scan(text, end)
    if (next.kind === 'end') return { conditions }
    // CometBFT prints the number of its AND token here, not the name.
    if (next.kind !== 'AND') {
      throw new QuerySyntaxError(byteOffset(text, next.at), `got ${names[next.kind]}, want 6`)
    }
    at = next.end
  }
}

function readCondition(text: string, from: number): { condition: Condition; end: number } {
  const tag = need(text, from, ['tag'])
  const operator = need(text, tag.end, operators)
  const name = operator.kind as Condition['operator']
  if (name === 'EXISTS') {
    return { condition: { tag: tag.text, operator: name, operand: undefined }, end: operator.end }
  }
  const wanted: readonly Kind[] = name === 'CONTAINS' ? ['string'] : name === '=' ? [...ordered, 'string'] : ordered
  const operand = need(text, operator.end, wanted)
  return {
    condition: { tag: tag.text, operator: name, operand: operandOf(text, operand) },
    end: operand.end,
  }
}

function need(text: string, from: number, kinds: readonly Kind[]): Token {
  const token = scan(text, from)
  if (kinds.includes(token.kind)) return token
  const offset = byteOffset(text, token.at)
  if (token.kind === 'end') throw new QuerySyntaxError(offset, 'EOF')
  if (token.kind === 'invalid') throw new QuerySyntaxError(offset, token.bad)
  throw new QuerySyntaxError(offset, `got ${names[token.kind]}, wanted ${oneOf(kinds)}`)
}

function oneOf(kinds: readonly Kind[]): string {
  const texts = kinds.map((kind) => names[kind])
  return texts.length === 1 ? texts.join('') : `${texts.slice(0, -1).join(', ')} or ${texts.at(-1)}`
}

/** Reads the token after any spaces; `at` is the token's start. */
function scan(text: string, from: number): Token {
  const at = from + (/^[\s]*/.exec(text.slice(from))?.[0].length ?? 0)
  const rest = text.slice(at)
  const token = (kind: Kind, length: number, value = rest.slice(0, length)): Token => ({
    kind,
    text: value,
    at,
    end: at + length,
    bad: '',
  })
  if (rest === '') return token('end', 0)
  const mark = /^(<=|>=|<|>|=)/.exec(rest)?.[1]
  if (mark !== undefined) return token(mark as Kind, mark.length)
  if (rest.startsWith("'")) {
    const close = rest.indexOf("'", 1)
    return close < 0 ? token('end', 0) : token('string', close + 1, rest.slice(1, close))
  }
  const number = /^\d+(?:\.\d*)?/.exec(rest)?.[0]
  if (number !== undefined) return token('number', number.length)
  // A time ends at the first character that no time contains. Parsing the value reports missing
  // parts.
  const time = /^TIME ([-T:+Z\d]*)/.exec(rest)
  if (time !== null) return token('time', time[0].length, time[1])
  const date = /^DATE ([-\d]*)/.exec(rest)
  if (date !== null) return token('date', date[0].length, date[1])
  const word = /^[\p{L}_][\p{L}\p{Nd}._-]*/u.exec(rest)?.[0]
  if (word !== undefined) {
    return token(word === 'AND' || word === 'EXISTS' || word === 'CONTAINS' ? word : 'tag', word.length)
  }
  const [first = ''] = rest
  return {
    ...token('invalid', first.length),
    bad: `invalid input ${first} at offset ${byteOffset(text, at + first.length)}`,
  }
}

function operandOf(text: string, { kind, text: value, at }: Token): Operand {
  if (kind === 'string') return { type: 'string', value }
  if (kind === 'number') return { type: 'number', text: value }
  const [word, name] = kind === 'time' ? ['TIME', 'timestamp'] : ['DATE', 'datestamp']
  try {
    const time = kind === 'time' ? parseTime(value) : parseDate(value)
    const year = Number(value.slice(0, 4))
    if (year < 1900 || year > 2999) {
      throw new QuerySyntaxError(byteOffset(text, at), `${name} year ${year} out of range`)
    }
    return { type: kind === 'time' ? 'time' : 'date', value: time, text: value }
  } catch (error) {
    if (!(error instanceof TimeSyntaxError)) throw error
    throw new QuerySyntaxError(byteOffset(text, at), `invalid ${word} value: ${error.message}`)
  }
}

function byteOffset(text: string, index: number): number {
  return new TextEncoder().encode(text.slice(0, index)).length
}

/** Returns a query's normal form, which CometBFT compares to detect duplicate subscriptions. */
export function queryText({ conditions }: CometQuery): string {
  return conditions
    .map(({ tag, operator, operand }) =>
      operand === undefined ? `${tag} ${operator}` : `${tag} ${operator} ${operandText(operand)}`,
    )
    .join(' AND ')
}

function operandText(operand: Operand): string {
  if (operand.type === 'string') return `'${operand.value}'`
  if (operand.type === 'number') return operand.text
  return `${operand.type === 'time' ? 'TIME' : 'DATE'} ${operand.text}`
}

export class QuerySyntaxError extends SimError {
  constructor(offset: number, problem: string) {
    super('QUERY_SYNTAX', `offset ${offset}: ${problem}`)
  }
}
