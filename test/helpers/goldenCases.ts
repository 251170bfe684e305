/** The recorded cases of a file with their wanted answers, constants filled in. */
import { golden } from '../golden.ts'

export type GoldenCase = {
  readonly name: string
  readonly via: string
  readonly request: unknown
  readonly path?: string
  readonly headers?: Readonly<Record<string, string | null>>
  readonly tolerate?: readonly unknown[]
}

export type Wanted = {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: unknown
}

type Session = {
  readonly constants: Readonly<Record<string, string>>
  readonly txs: Readonly<Record<string, { readonly raw?: string; readonly ethHash?: string }>>
}

const session = golden<Session>('session.json')

/** Returns the cases of `b-blocks` and the like; heights are 16 and hashes of blocks unknown. */
export function goldenCases(file: string): readonly (readonly [GoldenCase, Wanted])[] {
  const wanted = golden<Readonly<Record<string, Wanted>>>(`want/${file}.json`)
  const cases = golden<readonly GoldenCase[]>(`cases/${file}.json`)
  return cases.flatMap((one) => {
    const want = wanted[one.name]
    return want === undefined ? [] : [[filled(one), want] as const]
  })
}

function filled(one: GoldenCase): GoldenCase {
  const text = JSON.stringify(one.request)
  return {
    ...one,
    request: JSON.parse(
      text.replace(/\$\{([^}]+)\}/g, (_, name: string) => JSON.stringify(quirkValue(name)).slice(1, -1)),
    ) as unknown,
  }
}

function quirkValue(name: string): string {
  const [kind = '', key = ''] = name.split(':')
  const known = session.constants[name]
  if (known !== undefined) return known
  const tx = session.txs[key]
  if (kind === 'raw' && tx?.raw !== undefined) return tx.raw
  if (kind === 'ethHash' && tx?.ethHash !== undefined) return tx.ethHash
  if (kind === 'heightHex') return '0x10'
  return `0x${'22'.repeat(32)}`
}

/** Returns a body as text: objects as JSON, `$text` pieces repeated. */
export function bodyOf(request: unknown): string {
  if (typeof request === 'string') return request
  const pieces = (request as { $text?: readonly (readonly [string, number])[] } | null)?.$text
  return pieces === undefined ? JSON.stringify(request) : pieces.map(([text, times]) => text.repeat(times)).join('')
}

/** Returns a wanted text without the class for a source position, which is optional. */
export function withoutSource(text: string): string {
  return text.replace('${~source}', '')
}
