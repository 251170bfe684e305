/** The control API's views of a chain: plain JSON values, read from the current simulation. */
import { addressText } from '../../app/evmd/address.ts'
import { countsOf } from '../../simulation/journal.ts'
import { time, upperHexOf } from '../../codec/comet.ts'
import { hexOf } from '../../codec/hex.ts'
import type { BlockRecord } from '../../chain/block.ts'
import { ethHashOf, ethParentOf } from '../../chain/ethIds.ts'
import { waitingCount } from '../../chain/mempool.ts'
import { blockAt, latestBlock } from '../../chain/view.ts'
import { timeToMs } from '../../data/time.ts'
import { chainFactsOrNone } from '../wallets/chainFacts.ts'
import { keysOf } from '../../node/world.ts'
import type { Instance } from '../ports.ts'
import { checksumAddress } from '../../crypto/checksumAddress.ts'

/** Returns the latest height that clients see, which is the playback's if there is one. */
export function latestHeight({ simulation, playback }: Pick<Instance, 'simulation' | 'playback'>): number {
  return playback?.height() ?? Number(simulation().node.chain.height)
}

/** Returns the latest height as the result of an action. */
export function heightView(instance: Instance) {
  return { height: latestHeight(instance) }
}

/** Returns the key figures of a chain. */
export function statusView({ session, world, simulation, playback }: Instance) {
  const { node, plan, progress, journal } = simulation()
  const { chain, settings } = node
  const record = playback === undefined ? latestBlock(chain) : undefined
  const facts = playback === undefined ? chainFactsOrNone({ world, simulation }) : undefined
  return {
    session,
    height: latestHeight({ simulation, playback }),
    playback: playback?.name ?? null,
    hash: record === undefined ? null : hexOf(ethHashOf(record)),
    parentHash: record === undefined ? null : hexOf(ethParentOf(record)),
    blockTime: record === undefined ? null : time.encode(record.block.header.time),
    simulationMs: Number(node.nowMs),
    pace: settings.pace,
    blocks: {
      mode: playback === undefined ? chain.policy.mode : 'playback',
      intervalMs: Number(chain.policy.intervalMs),
      lazy: chain.policy.lazy,
    },
    evmChainId: settings.evmChainId,
    chainId: chain.genesis.chainId,
    coin: facts === undefined ? null : { ...facts.coin, gasPrice: facts.gasPrices.average },
    seed: settings.seed,
    mining: (node.mining ?? []).map(({ asked, left }) => ({ asked, mined: asked - left })),
    profile: settings.profile,
    waiting: waitingCount(chain.mempool),
    faults: node.faults.active.length,
    connections: node.connections.size,
    calls: [...countsOf(journal).values()].reduce((sum, count) => sum + count, 0),
    scenario: {
      name: plan.name,
      state: progress.state,
      step: progress.step,
      steps: plan.steps.length,
      generation: progress.generation,
    },
  }
}

type Blocks = { readonly before: number | undefined; readonly limit: number; readonly step: number }

/** Returns blocks below a height, newest first: those with a height that `step` divides. A playback has none. */
export function blocksView({ simulation, playback }: Instance, { before, limit, step }: Blocks) {
  if (playback !== undefined) return []
  const { chain } = simulation().node
  const gap = BigInt(step)
  const top = ((before === undefined ? chain.height : BigInt(before) - 1n) / gap) * gap
  const heights = Array.from({ length: limit }, (_, index) => top - BigInt(index) * gap)
  return heights.flatMap((height) => {
    const record = height < 1n ? undefined : blockAt(chain, height)
    return record === undefined ? [] : [blockView(record)]
  })
}

/** Returns a block with its names on both interfaces. */
export function blockView({ id, block, txs, ethereum, sizeBytes, results }: BlockRecord) {
  const { header } = block
  return {
    height: Number(header.height),
    time: time.encode(header.time),
    timeMs: Number(timeToMs(header.time)),
    hash: upperHexOf(id.hash),
    appHash: upperHexOf(results.appHash),
    proposer: upperHexOf(header.proposerAddress),
    transactions: txs.length,
    ethereumTransactions: ethereum.transactions.length,
    gasUsed: Number(ethereum.gasUsed),
    gasLimit: Number(ethereum.gasLimit),
    baseFee: ethereum.baseFee === undefined ? null : String(ethereum.baseFee),
    sizeBytes,
    evidence: block.evidence.length,
  }
}

/** Returns the node's own accounts with balances in wei. Both interfaces read the same state. */
export function accountsView({ simulation, world }: Instance) {
  const { node } = simulation()
  return keysOf(world, node).map(({ name, address }) => {
    const account = world.ethereum?.account(node.chain.app, address)
    return {
      name,
      ethereum: checksumAddress(address),
      cosmos: addressText(node.settings, address),
      wei: String(account?.wei ?? 0n),
      nonce: Number(account?.nonce ?? 0n),
    }
  })
}

/** Returns the connected clients and their subscriptions. */
export function subscriptionsView({ simulation }: Instance) {
  const { connections, subscriptions, filters } = simulation().node
  return {
    connections: [...connections].map(([connection, { side, remote }]) => ({
      connection,
      side,
      remote,
      listens:
        side === 'comet'
          ? (subscriptions.comet.get(connection) ?? []).map(({ text }) => text)
          : (subscriptions.eth.get(connection) ?? []).map((one) => `${one.kind} (${one.id})`),
    })),
    filters: [...filters].map(([id, { spec }]) => ({ id, kind: spec.kind })),
  }
}

/** Returns the checkpoints that can be restored, oldest first. */
export function checkpointsView({ simulation }: Instance) {
  return simulation().node.checkpoints.map(({ id, chain }) => ({
    id,
    height: Number(chain.height),
    time: time.encode(chain.lastBlockTime),
    waiting: waitingCount(chain.mempool),
  }))
}
