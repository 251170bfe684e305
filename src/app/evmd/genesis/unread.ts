/** Rejects genesis entries that this application would ignore, so that nobody is misled. */
import { SimError } from '../../../errors.ts'
import { list, section, type Section } from './read.ts'
import { moduleVersions } from './versions.ts'

const modules: ReadonlySet<string> = new Set([...Object.keys(moduleVersions), 'params'])

/** Throws `UnreadGenesis` for a module that evmd lacks and that is not empty. */
export function refuseModules(root: Section): void {
  for (const [name, value] of Object.entries(root.value)) {
    if (modules.has(name)) section(root, name)
    else if (!isEmpty(value)) throw new UnreadGenesis(`${root.path}.${name}`, 'evmd has no such module')
  }
}

/** Throws `UnreadGenesis` if a list that would change behavior, but is not loaded, has entries. */
export function refuseEntries(from: Section, names: readonly string[]): void {
  for (const name of names) {
    if (list(from, name).length > 0) throw new UnreadGenesis(`${from.path}.${name}`, 'its entries are not loaded')
  }
}

/** Throws `UnreadGenesis` for a member that was not read while the document was loaded. */
export function refuseUnread(root: Section): void {
  for (const name of modules) refuseLeft(root.namesRead, root.value[name], `${root.path}.${name}`)
}

/** Throws `UnreadGenesis` for an unread member, unless it is empty or matches `unneeded`. */
function refuseLeft(namesRead: Section['namesRead'], value: unknown, path: string): void {
  if (Array.isArray(value)) {
    value.forEach((each: unknown, index) => {
      refuseLeft(namesRead, each, `${path}[${index}]`)
    })
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return
  const known = namesRead.get(value)
  for (const [name, inner] of Object.entries(value)) {
    const at = `${path}.${name}`
    if (unneeded.some((pattern) => pattern.test(at)) || isEmpty(inner)) continue
    if (known === undefined || !known.has(name)) {
      throw new UnreadGenesis(at, 'it is not known, or not loaded')
    }
    refuseLeft(namesRead, inner, at)
  }
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

/**
 * A genesis document contains something that this chain does not support; the message names the
 * key.
 */
export class UnreadGenesis extends SimError {
  constructor(path: string, why: string) {
    super('UNREAD_GENESIS', `genesis: ${path} is not supported: ${why}`, {
      hint: `Take ${path} out of the document; the rest of it loads without.`,
    })
  }
}
