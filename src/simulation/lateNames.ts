import { latestBlock } from '../chain/view.ts'
import { hexOf } from '../codec/hex.ts'
import type { World } from '../node/world.ts'
import type { Names, Scalar } from '../scenario/expression.ts'
import type { Simulation } from '../simulation.ts'

/** Returns what late expressions may name: the chain, transactions with the contracts they make, and what was set. */
export function lateNames(world: World, { node, progress: { facts } }: Simulation): Names {
  const { chain } = node
  const names = new Map<string, Scalar>([
    ['chain.height', chain.height],
    ['chain.time', latestBlock(chain)?.block.header.time.seconds ?? chain.genesis.time.seconds],
    ['chain.baseFee', world.ethereum?.nextBaseFee(chain.app) ?? 0n],
    ['chain.hash', hexOf(chain.lastBlockId.hash)],
  ])
  for (const [name, { hash, ethHash, from, nonce }] of Object.entries(facts.txs)) {
    names.set(`tx.${name}.hash`, `0x${ethHash ?? hash}`)
    names.set(`tx.${name}.cometHash`, hash.toUpperCase())
    names.set(`tx.${name}.from`, `0x${from}`)
    names.set(`tx.${name}.nonce`, nonce)
  }
  for (const [name, address] of Object.entries(facts.accounts)) names.set(`tx.${name}.contract`, address)
  for (const [name, value] of Object.entries(facts.noted)) names.set(`set.${name}`, value)
  return names
}
