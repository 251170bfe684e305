/** Finds settings that have no effect because a genesis document decides them. */
import { parseGenesis } from '../../chain/genesis.ts'
import { SimError } from '../../errors.ts'
import type { SettingName, Settings } from '../../settings/settings.ts'
import { isDerivedChainId } from './resolve.ts'

/** `given` has only the settings that were given for this run. */
type Beside = {
  readonly given: Partial<Settings>
  /** The user's genesis document. */
  readonly document: string | undefined
  /** The resolved profile. */
  readonly profile: Settings['profile']
}

const inDocument: readonly SettingName[] = [
  ...(['genesisTime', 'balance', 'gasLimit', 'baseFee'] as const),
  ...(['validators', 'validatorNames', 'validatorPowers'] as const),
]

/**
 * Throws `BesideGenesis` for a setting without effect beside the user's genesis document, or beside that of the
 * profile `evmd`. The latter takes another Cosmos chain id; a document has its own. `labelOf` names a setting as it
 * was given.
 */
export function assertBesideGenesis(beside: Beside, labelOf: (name: SettingName) => string): void {
  const [name] = withoutEffect(beside)
  if (name === undefined) return
  const label = labelOf(name)
  const own = name === 'chainId' ? ownChainId(beside.document) : undefined
  throw new BesideGenesis(
    own === undefined
      ? `expected no ${label} beside ${decider(beside)}, received both`
      : `expected the Cosmos chain id of the genesis document, ${own}, received ${beside.given.chainId}`,
    `Leave ${label} out, or ${beside.document === undefined ? 'start with another profile' : 'change the document'}.`,
  )
}

/** Returns a warning for each setting of a scenario without effect, because the scenario runs on another genesis. */
export function warningsBesideGenesis(beside: Beside): readonly string[] {
  return withoutEffect(beside).map((name) => `the scenario sets ${name}, without effect beside ${decider(beside)}`)
}

function decider({ document }: Beside): string {
  return document === undefined ? 'the profile evmd, whose genesis is recorded' : 'a genesis document'
}

function withoutEffect({ given, document, profile }: Beside): readonly SettingName[] {
  if (document === undefined && profile !== 'evmd') return []
  const names: readonly SettingName[] = document === undefined ? [...inDocument, 'accounts'] : inDocument
  const { chainId, evmChainId } = given
  const isOther =
    document !== undefined &&
    chainId !== undefined &&
    !isDerivedChainId(chainId, evmChainId) &&
    chainId !== ownChainId(document)
  return [...names.filter((name) => given[name] !== undefined), ...(isOther ? (['chainId'] as const) : [])]
}

function ownChainId(document: string | undefined): string | undefined {
  return document === undefined ? undefined : parseGenesis(document, new Uint8Array(0)).chainId
}

/** Thrown for a setting that contradicts the genesis document of its chain. */
export class BesideGenesis extends SimError {
  constructor(text: string, hint: string) {
    super('CONTRADICTION', text, { hint })
  }
}
