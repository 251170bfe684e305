/** The modules of evmd and the versions that x/upgrade stores for them. */
import type { Context } from '../context.ts'
import { bigEndian, storeKey } from '../storeKeys.ts'

/** Versions of evmd's modules (ADR-041). */
export const moduleVersions: Readonly<Record<string, bigint>> = {
  '07-tendermint': 0n,
  auth: 5n,
  authz: 2n,
  bank: 4n,
  consensus: 1n,
  distribution: 3n,
  erc20: 1n,
  evidence: 1n,
  evm: 1n,
  feegrant: 2n,
  feemarket: 1n,
  genutil: 1n,
  gov: 5n,
  ibc: 8n,
  mint: 2n,
  precisebank: 1n,
  slashing: 4n,
  staking: 5n,
  transfer: 6n,
  upgrade: 2n,
  vesting: 1n,
}

/** Stores the initial module versions of a new chain. */
export function loadVersions(context: Context): void {
  for (const [name, version] of Object.entries(moduleVersions)) {
    const key = storeKey(2, new TextEncoder().encode(name))
    context.store('upgrade').set(key, bigEndian(version))
  }
}
