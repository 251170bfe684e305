/** Settings and genesis documents: what a document gives, and settings that have no effect beside it. */
import { prefixIn } from '../../app/evmd/genesis/prefix.ts'
import { parseGenesis } from '../../chain/genesis.ts'
import { SimError } from '../../errors.ts'
import { genesisNames } from '../../settings/changes.ts'
import type { SettingName, Settings } from '../../settings/settings.ts'
import { isDerivedChainId } from './resolve.ts'

type Beside = {
  /** Returns only the settings that were given for this run. Most runs have a genesis of their own and never ask. */
  readonly given: () => Partial<Settings>
  /** The user's genesis document. */
  readonly document: string | undefined
  /** The resolved profile. */
  readonly profile: Settings['profile']
}

/** The settings of the genesis that have an effect beside any document, or a check of their own (`decided`). */
const effective: readonly SettingName[] = [
  ...(['profile', 'application', 'chainId', 'evmChainId', 'bech32Prefix'] as const),
  ...(['seed', 'mnemonic', 'accounts'] as const),
]
const inDocument = genesisNames.filter((name) => !effective.includes(name))

/**
 * Throws `BesideGenesis` for a setting without effect beside the user's genesis document, or beside that of the
 * profile `evmd`. The latter takes another Cosmos chain id; a document has its own. `labelOf` names a setting as it
 * was given.
 */
export function assertBesideGenesis(beside: Beside, labelOf: (name: SettingName) => string): void {
  const [first] = withoutEffect(beside)
  if (first === undefined) return
  const { name, own } = first
  const label = labelOf(name)
  throw new BesideGenesis(
    own === undefined
      ? `expected no ${label} beside ${decider(beside)}, received both`
      : `expected ${decided[name]}, ${own}, received ${beside.given()[name]}`,
    `Leave ${label} out, or ${beside.document === undefined ? 'start with another profile' : 'change the document'}.`,
  )
}

/**
 * Returns a warning for each setting without effect, of a scenario or of the environment: those may be for other runs
 * too. `whereOf` says where a setting is, as in `the scenario sets accounts`.
 */
export function warningsBesideGenesis(beside: Beside, whereOf: (name: SettingName) => string): readonly string[] {
  return withoutEffect(beside).map(({ name }) => `${whereOf(name)}, without effect beside ${decider(beside)}`)
}

function decider({ document }: Beside): string {
  return document === undefined ? 'the profile evmd, whose genesis is recorded' : 'a genesis document'
}

/** What a document has an own value of, for errors. */
const decided: Partial<Record<SettingName, string>> = {
  chainId: 'the Cosmos chain id of the genesis document',
  bech32Prefix: 'the prefix of the addresses in the genesis document',
}

/** A setting without effect; `own` is the value of the document if another one was given. */
type Idle = { readonly name: SettingName; readonly own?: string }

function withoutEffect({ given: settingsGiven, document, profile }: Beside): readonly Idle[] {
  if (document === undefined && profile !== 'evmd') return []
  const given = settingsGiven()
  const names: readonly SettingName[] =
    document === undefined ? [...inDocument, 'accounts', 'bech32Prefix'] : inDocument
  const idle = names.filter((name) => given[name] !== undefined).map((name) => ({ name }))
  if (document === undefined) return idle
  const { chainId, evmChainId, bech32Prefix } = given
  const ownId = () => parseGenesis(document, new Uint8Array(0)).chainId
  return [
    ...idle,
    ...(isDerivedChainId(chainId, evmChainId) ? [] : contradicted('chainId', chainId, ownId)),
    ...contradicted('bech32Prefix', bech32Prefix, () => prefixIn(document)),
  ]
}

function contradicted(
  name: SettingName,
  given: string | undefined,
  ownValue: () => string | undefined,
): readonly Idle[] {
  const own = given === undefined ? undefined : ownValue()
  return own === undefined || own === given ? [] : [{ name, own }]
}

/** Returns the settings that a user's genesis document decides, and that the chain needs to know beside it. */
export function settingsOfGenesis(document: string | undefined): Partial<Settings> {
  const bech32Prefix = document === undefined ? undefined : prefixIn(document)
  return bech32Prefix === undefined ? {} : { bech32Prefix }
}

/** Thrown for a setting that contradicts the genesis document of its chain. */
export class BesideGenesis extends SimError {
  constructor(text: string, hint: string) {
    super('CONTRADICTION', text, { hint })
  }
}
