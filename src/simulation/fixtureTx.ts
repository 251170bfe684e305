/** Transactions of fixtures: their nonces, gas and fees on the chain that they are sent to. */
import type { EthereumView } from '../app/ethereumView.ts'
import type { Chain } from '../chain/chain.ts'
import type { ChainCommand } from '../chain/command.ts'
import { type DynamicFeeTx, encodeEthTx } from '../codec/ethTx.ts'
import { hexOf } from '../codec/hex.ts'
import { isExpected } from '../errors.ts'
import type { World } from '../node/world.ts'
import type { FixtureTx } from '../plan/fixtures.ts'
import { signTx } from '../rpc/eth/keys.ts'

/** Gas per block of fixtures; a transaction above it goes to the next block. */
const blockGasMost = 20_000_000n
const transferGas = 21_000n
const gasMost = 25_000_000n
const usualFeePerGas = 20_000_000_000n

/** A chain under construction. */
export type FixtureSite = {
  readonly world: World
  readonly view: EthereumView
  readonly nowMs: bigint
  readonly minTip: bigint
  readonly nonces: Map<string, bigint>
  /** Gas limits by kind of call: a kind is estimated once. */
  readonly gas: Map<string, bigint>
  chain: Chain
}

/** Returns the command that sends a transaction with the next nonce of its sender. */
export function submissionOf(
  site: FixtureSite,
  tx: FixtureTx,
  gas: bigint,
): Extract<ChainCommand, { type: 'submitTx' }> {
  const { view, chain } = site
  const { chainId } = view.params(chain.app)
  const signed = signTx(
    {
      type: 2,
      chainId,
      nonce: nonceOf(site, tx.from),
      gas,
      value: tx.value,
      data: tx.data,
      to: tx.to,
      accessList: [],
      ...feesOf(site),
      v: 0n,
      r: 0n,
      s: 0n,
    },
    { name: '', address: tx.from, privateKey: tx.privateKey },
    chainId,
  )
  return { type: 'submitTx', tx: view.wrap(chain.app, view.decode(encodeEthTx(signed))), mode: 'admit' }
}

/** Returns fees that the next block and its miner take, also where the base fee is high. */
function feesOf({ view, chain, minTip }: FixtureSite): Pick<DynamicFeeTx, 'maxFeePerGas' | 'maxPriorityFeePerGas'> {
  const fee = 2n * view.nextBaseFee(chain.app) + minTip
  return { maxFeePerGas: fee > usualFeePerGas ? fee : usualFeePerGas, maxPriorityFeePerGas: minTip }
}

/** Returns the gas that fixtures use of a block: at most what the chain allows. */
export function blockGasOf({ chain }: FixtureSite): bigint {
  return allowedGas(chain, blockGasMost)
}

/** Returns `gas`, or the gas of a block if that is less: a transaction with more is never in one. */
export function allowedGas({ consensusParams: { block } }: Chain, gas: bigint): bigint {
  return block.maxGas > 0n && block.maxGas < gas ? block.maxGas : gas
}

/** Returns the nonce of an account's next transaction. */
export function nonceOf({ view, chain, nonces }: FixtureSite, who: Uint8Array): bigint {
  return nonces.get(hexOf(who)) ?? view.account(chain.app, who).nonce
}

/** Returns the gas limit of a transaction. */
export function gasOf({ view, chain, gas }: FixtureSite, { to, from, value, data, gas: said }: FixtureTx): bigint {
  if (said !== undefined) return said
  if (to !== undefined && data.length === 0 && view.code(chain.app, to).length === 0) {
    return transferGas
  }
  const kind = to === undefined ? hexOf(data) : `${hexOf(to)}/${hexOf(data.slice(0, 4))}`
  const known = gas.get(kind)
  if (known !== undefined) return known
  const needed = estimated(view, chain, { to, from, value, data })
  gas.set(kind, needed)
  return needed
}

/**
 * Returns 1.5 times the gas estimate, because a first transfer to an account costs more than later
 * ones; at most the gas of a block.
 */
function estimated(view: EthereumView, chain: Chain, tx: Pick<FixtureTx, 'to' | 'from' | 'value' | 'data'>): bigint {
  try {
    const estimate = view.estimate(chain.app, {
      context: chain.app.transient.header,
      gasCap: gasMost,
      gasBudget: undefined,
      overrides: [],
      blockOverride: {},
      tx: {
        ...tx,
        type: 2,
        gasLimit: gasMost,
        gasPrice: 0n,
        priorityFee: undefined,
        nonce: view.account(chain.app, tx.from).nonce,
        accessList: [],
        authorizations: [],
        blobHashes: [],
        blobFeeCap: 0n,
      },
    })
    return allowedGas(chain, (estimate * 3n) / 2n)
  } catch (error) {
    if (!isExpected(error)) throw error
    return 200_000n
  }
}
