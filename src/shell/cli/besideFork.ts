/** Checks that no other flag contradicts `--fork`. */
import { SimError } from '../../errors.ts'
import { isDerivedChainId } from '../config/resolve.ts'
import type { Settings } from '../../settings/settings.ts'

/** Flags given on the command line, by their names in Commander. */
export type BesideFork = {
  readonly genesis?: string
  readonly playback?: string
  readonly genesisTime?: string
  readonly baseFee?: string
  readonly gasLimit?: string
  readonly chainId?: string
  readonly 'evm.evmChainId'?: string
  readonly bech32Prefix?: string
}

const other = 'start without --fork'

/**
 * Throws `ForkContradiction` for flags that the other chain replaces. The same settings from files,
 * scenarios and variables hold for other chains too, so a fork ignores them.
 */
export function assertNothingReplaced(given: BesideFork): void {
  const { genesis, playback, genesisTime, baseFee, gasLimit } = given
  const refused = [
    ['--genesis', genesis, `Leave --genesis out, or ${other}.`],
    ['--playback', playback, `A recording is either played back or forked: leave out --playback, or ${other}.`],
    ['--genesis-time', genesisTime, 'Leave it out: the fork begins a second after the block at its height.'],
    ['--base-fee', baseFee, 'Leave it out: a fork continues with the base fee of the other chain.'],
    ['--gas-limit', gasLimit, 'Leave it out: a fork keeps the gas limit of the other chain.'],
  ] as const
  for (const [flag, value, hint] of refused) {
    if (value !== undefined) throw new ForkContradiction(`expected --fork without ${flag}, received both`, hint)
  }
}

/**
 * Throws `ForkContradiction` for chain ids, and a prefix of addresses, that are not those of the fork. A number given as
 * `--chain-id` sets the EVM chain id, and the Cosmos chain id that follows from it is no demand.
 */
export function assertSameIds(
  { chainId, 'evm.evmChainId': evmChainId, bech32Prefix }: BesideFork,
  fork: Pick<Settings, 'evmChainId' | 'chainId' | 'bech32Prefix'>,
): void {
  if (evmChainId !== undefined && Number(evmChainId) !== fork.evmChainId) {
    throw new ForkContradiction(
      `expected the EVM chain id of the other chain, ${fork.evmChainId}, received ${evmChainId}`,
      ids,
    )
  }
  if (chainId !== undefined && !isDerivedChainId(chainId, evmChainId) && chainId !== fork.chainId) {
    throw new ForkContradiction(
      `expected the Cosmos chain id of the other chain, ${fork.chainId}, received ${chainId}`,
      ids,
    )
  }
  if (bech32Prefix !== undefined && bech32Prefix !== fork.bech32Prefix) {
    throw new ForkContradiction(
      `expected the prefix of the other chain's addresses, ${fork.bech32Prefix}, received ${bech32Prefix}`,
      'Leave --bech32-prefix out: a fork keeps the prefix of the other chain.',
    )
  }
}

const ids = 'Leave --chain-id and --evm.evm-chain-id out: a fork keeps the ids of the other chain.'

/** Thrown for a flag that a fork cannot follow. */
export class ForkContradiction extends SimError {
  constructor(text: string, hint: string) {
    super('CONTRADICTION', text, { hint })
  }
}
