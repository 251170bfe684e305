/** Minting and distribution in a genesis document. */
import type { Context } from '../context.ts'
import { decimalOf } from '../decimal.ts'
import { setCommunityTax } from '../modules/distribution/allocate.ts'
import { setMinter, setMintParams } from '../modules/mint/mint.ts'
import { integer, InvalidGenesis, section, type Section, text } from './read.ts'

/** Loads x/mint; a document without it mints nothing. */
export function loadMint(context: Context, mint: Section): void {
  if (mint.value['params'] === undefined) return
  const minter = section(mint, 'minter')
  const params = section(mint, 'params')
  setMinter(context, {
    inflation: digits(minter, 'inflation'), annualProvisions: digits(minter, 'annual_provisions'),
  })
  const blocksPerYear = integer(params, 'blocks_per_year')
  if (blocksPerYear <= 0n) throw new InvalidGenesis(`${params.path}.blocks_per_year`, 'above 0')
  setMintParams(context, {
    mintDenom: text(params, 'mint_denom'),
    inflationRateChange: digits(params, 'inflation_rate_change'),
    inflationMax: digits(params, 'inflation_max'),
    inflationMin: digits(params, 'inflation_min'),
    goalBonded: digits(params, 'goal_bonded'),
    blocksPerYear,
  })
}

/** Loads x/distribution. */
export function loadDistribution(context: Context, distribution: Section): void {
  const tax = decimalOf(text(section(distribution, 'params'), 'community_tax') || '0')
  setCommunityTax(context, tax ?? 0n)
}

function digits(section: Section, name: string): string {
  const value = decimalOf(text(section, name))
  if (value === undefined) throw new InvalidGenesis(`${section.path}.${name}`, 'a decimal number')
  return value.toString()
}
