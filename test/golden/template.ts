/**
 * Compares an answer with a wanted one. A wanted text may hold symbols (`${height:deploy}`) and
 * format classes (`${~time}`); `["${*}", t]` is any number of elements like t, `"key?"` may be
 * absent.
 */
import { Num, write, type Json } from './json.ts'
import type { Symbols } from './symbols.ts'

export type Miss = { readonly path: string; readonly wanted: string; readonly got: string }

const classes: Record<string, (argument: string) => string> = {
  any: () => '[^]*',
  string: () => '[^]*',
  word: () => '\\w*',
  q: () => '0x(?:0|[1-9a-f][0-9a-f]*)',
  data: (bytes) => `0x${hexBytes(bytes, '0-9a-f')}`,
  hex: (bytes) => hexBytes(bytes, '0-9a-f'),
  HEX: (bytes) => hexBytes(bytes, '0-9A-F'),
  dec: () => '-?\\d+',
  decimal: () => '-?\\d+\\.\\d+',
  time: () => '\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(?:\\.\\d{1,9})?Z',
  bech32: (prefix) => `${prefix}1[02-9ac-hj-np-z]{38,}`,
  b64: (bytes) =>
    bytes === '' ? '[A-Za-z0-9+/]*={0,2}' : `[A-Za-z0-9+/]{${Math.ceil((Number(bytes) * 8) / 6)}}={0,2}`,
  space: () => '\\s+',
  date: () => '[A-Z][a-z]{2}, \\d\\d [A-Z][a-z]{2} \\d{4} \\d\\d:\\d\\d:\\d\\d GMT',
  source: () => '(?: \\[[^\\]\\s]*\\.go:\\d+\\])?',
  stack: () => '(?:\\nstack:\\n[^]*)?',
}

const hexBytes = (bytes: string, digits: string) =>
  bytes === '' ? `(?:[${digits}]{2})*` : `[${digits}]{${2 * Number(bytes)}}`

/** Returns where `got` leaves the wanted template; an empty list is a match. */
export function misses(want: Json, got: Json | undefined, symbols: Symbols, path = ''): Miss[] {
  const miss = (): Miss[] => [{ path: path === '' ? '.' : path, wanted: write(want), got: write(got) }]
  if (want === '${~any}') return []
  if (want instanceof Map) {
    return got instanceof Map ? memberMisses(want, got, symbols, path) : miss()
  }
  if (Array.isArray(want)) {
    if (!Array.isArray(got)) return miss()
    const like = want[0] === '${*}' ? want[1] : undefined
    if (like !== undefined) {
      return got.flatMap((item, index) => misses(like, item, symbols, `${path}[${index}]`))
    }
    if (want.length !== got.length) return miss()
    return want.flatMap((item, index) => misses(item, got[index], symbols, `${path}[${index}]`))
  }
  return leafFits(want, got, symbols) ? [] : miss()
}

function memberMisses(want: Map<string, Json>, got: Map<string, Json>, symbols: Symbols, path: string): Miss[] {
  const inside = (name: string) => (path === '' ? name : `${path}.${name}`)
  const names = new Map(
    [...want].map(([key, inner]) => [key.replace(/\?$/, ''), { inner, optional: key.endsWith('?') }]),
  )
  const wanted = [...names].flatMap(([name, { inner, optional }]) =>
    got.has(name)
      ? misses(inner, got.get(name), symbols, inside(name))
      : optional
        ? []
        : [{ path: inside(name), wanted: write(inner), got: 'absent' }],
  )
  const extra = [...got]
    .filter(([name]) => !names.has(name))
    .map(([name, value]) => ({ path: inside(name), wanted: 'absent', got: write(value) }))
  return [...wanted, ...extra]
}

function leafFits(want: Json, got: Json | undefined, symbols: Symbols): boolean {
  if (want instanceof Num) return got instanceof Num && Number(want.raw) === Number(got.raw)
  if (typeof want !== 'string') return want === got
  const number = /^\$\{#([^}]+)\}$/.exec(want)?.[1]
  if (number === undefined) return typeof got === 'string' && patternOf(want, symbols).test(got)
  if (!(got instanceof Num)) return false
  if (number === 'int') return /^-?\d+$/.test(got.raw)
  return number === 'float' || symbols.get(number) === got.raw
}

/** `$${` stands for a literal `${`. */
function patternOf(template: string, symbols: Symbols): RegExp {
  const pieces = template.split(/(\$\$\{|\$\{[^}]*\})/).map((piece) => {
    if (piece === '$${') return quote('${')
    const hole = /^\$\{(.*)\}$/.exec(piece)?.[1]
    if (hole === undefined) return quote(piece)
    if (hole.startsWith('~')) return classPattern(hole.slice(1))
    const value = symbols.get(hole)
    return value === undefined ? '(?!)' : quote(value)
  })
  return new RegExp(`^${pieces.join('')}$`)
}

function classPattern(name: string): string {
  const [kind = '', argument = ''] = name.split(':')
  const make = classes[kind]
  if (make === undefined) throw new Error(`no format class ${name}`)
  return make(argument)
}

function quote(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')
}
