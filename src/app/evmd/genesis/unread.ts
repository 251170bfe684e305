/** Rejects genesis entries that this application would ignore, so that nobody is misled. */
import { isJsonObject } from '../../../data/members.ts'
import { SimError } from '../../../errors.ts'
import { list, section, type Section } from './read.ts'
import { moduleVersions } from './versions.ts'

const modules: ReadonlySet<string> = new Set([...Object.keys(moduleVersions), 'params'])

/** Throws `UnreadGenesis` for the modules that evmd lacks and that are not empty. */
export function refuseModules(root: Section): void {
  const unknown: string[] = []
  for (const [name, value] of Object.entries(root.value)) {
    if (modules.has(name)) section(root, name)
    else if (!isEmpty(value)) unknown.push(`${root.path}.${name}`)
  }
  refuse(unknown, 'evmd has no such module')
}

/** Throws `UnreadGenesis` for the lists that have entries, which would change behavior but are not loaded. */
export function refuseEntries(from: Section, names: readonly string[]): void {
  const filled = names.filter((name) => list(from, name).length > 0)
  refuse(
    filled.map((name) => `${from.path}.${name}`),
    'its entries are not loaded',
  )
}

/** Throws `UnreadGenesis` for the members that were not read while the document was loaded. */
export function refuseUnread(root: Section): void {
  const left = [...modules].flatMap((name) => leftIn(root.namesRead, root.value[name], `${root.path}.${name}`))
  refuse(left, 'it is not known, or not loaded')
}

function refuse(paths: readonly string[], why: string): void {
  if (paths.length > 0) throw new UnreadGenesis(paths, why)
}

/** Returns the paths of unread members, except those that are empty or match `unneeded`. */
function leftIn(namesRead: Section['namesRead'], value: unknown, path: string): readonly string[] {
  if (Array.isArray(value)) return value.flatMap((each, index) => leftIn(namesRead, each, `${path}[${index}]`))
  if (!isJsonObject(value)) return []
  const known = namesRead.get(value)
  return Object.entries(value).flatMap(([name, inner]) => {
    const at = `${path}.${name}`
    if (unneeded.some((pattern) => pattern.test(at)) || isEmpty(inner)) return []
    return known?.has(name) === true ? leftIn(namesRead, inner, at) : [at]
  })
}

/** Members that the SDK itself ignores, or that the chain does not need. */
const unneeded: readonly RegExp[] = [
  /^app_state\.ibc\.connection_genesis\.connections\[/,
  /^app_state\.genutil\.gen_txs\[/,
  /\.accounts\[\d+\]\.code_hash$/,
  /^app_state\.evm\.preinstalls\[\d+\]\.name$/,
]

const nothing: ReadonlySet<unknown> = new Set([undefined, '', '0', '0s', 0, false])

/** Returns whether a value is zero, an empty text, or holds only such values. */
function isEmpty(value: unknown): boolean {
  if (typeof value !== 'object') return nothing.has(value)
  if (Array.isArray(value)) return value.length === 0
  return value === null || Object.values(value).every(isEmpty)
}

/** The number of places that an error names. */
const namedMost = 10

/** A genesis document contains something that this chain does not support; the message names the places. */
export class UnreadGenesis extends SimError {
  constructor(paths: readonly string[], why: string) {
    const more = paths.length > namedMost ? ` and ${paths.length - namedMost} more` : ''
    const named = paths.slice(0, namedMost).join(', ')
    super('UNREAD_GENESIS', `genesis: ${named}${more} ${paths.length === 1 ? 'is' : 'are'} not supported: ${why}`, {
      hint: `Take ${paths.length === 1 ? 'it' : 'them'} out of the document; the rest of it loads without.${commandFor(paths)}`,
    })
  }
}

/** Returns a command that takes members out, for people to run; nothing for names that a shell might read otherwise. */
function commandFor(paths: readonly string[]): string {
  if (!paths.every((path) => /^[\w.[\]]+$/.test(path))) return ''
  return ` For example: jq 'del(${paths.map((path) => `.${path}`).join(', ')})' genesis.json > other.json`
}
