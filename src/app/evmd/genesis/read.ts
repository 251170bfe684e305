/** Reading a genesis document's `app_state`: plain JSON values, with the path in every refusal. */
import { SimError } from '../../../errors.ts'

/** An object of the document and where it stands. */
export type Section = { readonly path: string; readonly value: Readonly<Record<string, unknown>> }

/** Returns a section for a parsed JSON value; null and absence are an empty one. */
export function sectionOf(value: unknown, path: string): Section {
  if (value === null || value === undefined) return { path, value: {} }
  if (typeof value !== 'object' || Array.isArray(value)) throw new InvalidGenesis(path, 'an object')
  return { path, value: { ...value } }
}

/** Returns the section under a name. */
export function section({ path, value }: Section, name: string): Section {
  return sectionOf(value[name], `${path}.${name}`)
}

/** Returns the objects of a list; null and absence are an empty one. */
export function list({ path, value }: Section, name: string): readonly Section[] {
  return items(value[name], `${path}.${name}`).map((item, index) => (
    sectionOf(item, `${path}.${name}[${index}]`)
  ))
}

/** Returns a list of texts. */
export function texts({ path, value }: Section, name: string): readonly string[] {
  return items(value[name], `${path}.${name}`).map((item) => {
    if (typeof item !== 'string') throw new InvalidGenesis(`${path}.${name}`, 'texts')
    return item
  })
}

/** Returns a text; absence is ''. */
export function text({ path, value }: Section, name: string): string {
  const found = value[name]
  if (found === undefined || found === null) return ''
  if (typeof found === 'string') return found
  throw new InvalidGenesis(`${path}.${name}`, 'a text')
}

/** Returns an integer that stands as text or number; absence is 0. */
export function integer({ path, value }: Section, name: string): bigint {
  const found = value[name]
  if (found === undefined || found === null || found === '') return 0n
  if (typeof found === 'number' && Number.isSafeInteger(found)) return BigInt(found)
  if (typeof found === 'string' && /^-?\d+$/.test(found)) return BigInt(found)
  throw new InvalidGenesis(`${path}.${name}`, 'an integer')
}

/** Returns true or false; absence is false. */
export function flag({ path, value }: Section, name: string): boolean {
  const found = value[name]
  if (found === undefined || found === null) return false
  if (typeof found === 'boolean') return found
  throw new InvalidGenesis(`${path}.${name}`, 'true or false')
}

function items(value: unknown, path: string): readonly unknown[] {
  if (value === undefined || value === null) return []
  if (Array.isArray(value)) return value
  throw new InvalidGenesis(path, 'a list')
}

/** A genesis document that cannot be loaded; the message names the key. */
export class InvalidGenesis extends SimError {
  constructor(path: string, expected: string) {
    super('INVALID_GENESIS', `genesis: ${path} must be ${expected}`, {
      hint: 'Correct the genesis document, or start from the one that chainstage writes.',
    })
  }
}
