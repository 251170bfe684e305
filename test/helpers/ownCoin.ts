/** Genesis documents of chains whose coin has another name, or fewer decimals. */
import { createHash } from 'node:crypto'
import { genesisDocument } from '../../src/app/evmd/genesisDocument.ts'
import { profileSettings } from '../../src/settings/profiles.ts'

type Coin = { readonly denom: string; readonly extendedDenom?: string; readonly decimals: number }
type Unit = { readonly denom: string; readonly exponent: number }
type Written = {
  readonly app_state: {
    readonly auth: { readonly accounts: object[] }
    readonly bank: { readonly denom_metadata: { denom_units: Unit[] }[]; readonly balances: object[]; supply: object[] }
    readonly evm: { readonly params: { extended_denom_options: object } }
    readonly staking: { params?: object }
    readonly feemarket: { readonly params: { base_fee: string } }
    precisebank?: object
  }
}

/**
 * Returns the document of the profile local with another coin, as JSON. A unit of gas costs 1 gwei at genesis,
 * and accounts have as many of the smallest coins as they have of `atest` otherwise. `change` may change more.
 */
export function genesisWithCoin(
  { denom, extendedDenom = denom, decimals }: Coin,
  change: (document: Written) => void = () => {},
): string {
  const settings = profileSettings('local')
  // Another seed would make validators whose keys the chain does not have.
  const text = genesisDocument(settings, createHash('sha256').update(settings.seed).digest())
  const document = JSON.parse(text.replaceAll('"atest"', `"${denom}"`)) as Written
  const { bank, evm, staking, feemarket } = document.app_state
  for (const metadata of bank.denom_metadata) {
    metadata.denom_units = metadata.denom_units.map((unit) =>
      unit.denom === denom ? unit : { ...unit, exponent: decimals },
    )
  }
  evm.params.extended_denom_options = { extended_denom: extendedDenom }
  staking.params = { ...staking.params, bond_denom: denom }
  feemarket.params.base_fee = (10 ** (decimals - 9)).toFixed(18)
  change(document)
  return JSON.stringify(document)
}

/** A coin with 6 decimals: wei are `atest`, and each `utest` has 10^12 of them. */
export const sixDecimals = { denom: 'utest', extendedDenom: 'atest', decimals: 6 } as const
