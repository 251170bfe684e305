/** Keys of this chain for the validators of a node's genesis document. */
import { base64Of, readBase64 } from '../../../codec/base64.ts'
import { upperHexOf } from '../../../codec/comet.ts'
import { ed25519Address } from '../../../crypto/ed25519.ts'
import { membersOf, type Members, membersOfEach } from '../../../data/members.ts'
import type { Settings } from '../../../settings/settings.ts'
import { addressText } from '../address.ts'

/** The keys that the chain signs with. */
export type OwnKeys = {
  /** Returns whether the chain has the key of a consensus address. */
  readonly has: (address: Uint8Array) => boolean
  /** Returns the keys that validators get in place of theirs, each once. */
  readonly spare: () => Iterable<{ readonly publicKey: Uint8Array }>
}

/** A genesis document, and the state of the application in it. */
type Document = { readonly document: string; readonly appState: unknown }

/**
 * Returns a genesis document in which each validator whose key the chain lacks has another one, wherever
 * the document names the key or its consensus address. Without such validators it is the same text.
 */
export function withOwnKeys(
  { document, appState }: Document,
  own: OwnKeys,
  settings: Pick<Settings, 'bech32Prefix'>,
): string {
  const foreign = consensusKeys(membersOf(appState)).filter((key) => !own.has(ed25519Address(key)))
  if (foreign.length === 0) return document
  const replaced = new Map<string, string>()
  const spare = own.spare()[Symbol.iterator]()
  for (const key of foreign) {
    const next = spare.next()
    if (next.done === true) break
    const after = namesOf(next.value.publicKey, settings)
    for (const [at, name] of namesOf(key, settings).entries()) replaced.set(name, after[at] ?? name)
  }
  // A key in base64 has 44 characters, an address in hex 40, and one in bech32 a few more than its prefix.
  return document.replaceAll(/"([\w+/=]{40,100})"/g, (whole, name: string) => {
    const other = replaced.get(name)
    return other === undefined ? whole : JSON.stringify(other)
  })
}

/** Returns all that a document may call a validator by. */
function namesOf(key: Uint8Array, settings: Pick<Settings, 'bech32Prefix'>): readonly string[] {
  const address = ed25519Address(key)
  return [base64Of(key), upperHexOf(address), addressText(settings, address, 'consensus')]
}

/** Returns the ed25519 keys of validators, each once: those of x/staking, and of transactions that make some. */
function consensusKeys(state: Members): readonly Uint8Array[] {
  const staked = membersOfEach(membersOf(state['staking'])['validators']).map((one) => one['consensus_pubkey'])
  const made = membersOfEach(membersOf(state['genutil'])['gen_txs'])
    .flatMap(({ body }) => membersOfEach(membersOf(body)['messages']))
    .map(({ pubkey }) => pubkey)
  const texts = [...staked, ...made].map((key) => ed25519Text(membersOf(key)))
  return [...new Set(texts)].flatMap((text) => {
    const key = readBase64(text)
    return key instanceof Uint8Array && key.length === 32 ? [key] : []
  })
}

function ed25519Text({ '@type': type, key }: Members): string {
  return type === '/cosmos.crypto.ed25519.PubKey' && typeof key === 'string' ? key : ''
}
