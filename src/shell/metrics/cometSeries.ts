/**
 * The metrics of CometBFT, named as in its `consensus/metrics.go`, `mempool/metrics.go` and so on.
 */
import type { BlockRecord, Commit, ValidatorSet } from '../../chain/block.ts'
import { heldByComet } from '../../chain/mempool.ts'
import { blockAt, latestBlock } from '../../chain/view.ts'
import { upperHexOf } from '../../codec/comet.ts'
import { timeToMs } from '../../data/time.ts'
import type { World } from '../../node/world.ts'
import { ownValidator } from '../../rpc/comet/identity.ts'
import type { Family, Labels } from './exposition.ts'
import { createHistogram, type Histogram } from './histogram.ts'
import type { NewBlock } from './newBlocks.ts'
import type { Simulation } from '../../simulation/turn.ts'

export type CometSeries = {
  /** Counts a committed block. */
  readonly committed: (world: World, simulation: Simulation, block: NewBlock) => void
  /** Returns the current value of every series; `namespace` is the prefix of all names. */
  readonly families: (world: World, simulation: Simulation, namespace: string) => readonly Family[]
}

/** The default bounds of the Prometheus client, in seconds. */
const intervalBounds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

const noCounts = { txs: 0, bytes: 0, proposed: 0, received: 0, params: 0, validators: 0, signed: 0n, missed: 0 }

/** Returns the series with every counter at 0. */
export function createCometSeries(): CometSeries {
  const intervals = createHistogram(intervalBounds)
  const counts = { ...noCounts }
  return {
    committed: (world, { node }, { record, before }) => {
      const { block, results, sizeBytes } = record
      const own = ownValidator({ world, node })?.address
      counts.txs += block.txs.length
      counts.bytes += sizeBytes
      counts.received += 1
      counts.proposed += isSame(block.header.proposerAddress, own) ? 1 : 0
      counts.params += Object.keys(results.consensusParamUpdates ?? {}).length > 0 ? 1 : 0
      counts.validators += results.validatorUpdates.length > 0 ? 1 : 0
      if (before === undefined) return
      const sincePreviousMs = timeToMs(block.header.time) - timeToMs(before.block.header.time)
      intervals.observe(Number(sincePreviousMs) / 1000)
      const at = before.validators.validators.findIndex(({ address }) => isSame(address, own))
      if (at < 0) return
      if (block.lastCommit.signatures[at]?.flag === 2) counts.signed = block.header.height
      else counts.missed += 1
    },
    families: (world, simulation, namespace) => familiesOf({ world, simulation, namespace, counts, intervals }),
  }
}

type Counted = {
  readonly world: World
  readonly simulation: Simulation
  readonly namespace: string
  readonly counts: typeof noCounts
  readonly intervals: Histogram
}

function familiesOf({ world, simulation: { node }, namespace, counts, intervals }: Counted): readonly Family[] {
  const { chain } = node
  const labels = { chain_id: chain.genesis.chainId }
  const record = latestBlock(chain)
  const own = ownValidator({ world, node })
  const held = heldByComet(chain.mempool)
  const series =
    (type: 'counter' | 'gauge') =>
    (name: string, help: string, value: number, more: Labels = {}): Family => ({
      name: named(namespace, name),
      help,
      type,
      samples: [{ labels: { ...labels, ...more }, value }],
    })
  const [counter, gauge] = [series('counter'), series('gauge')]
  const validator = { validator_address: own === undefined ? '' : upperHexOf(own.address) }
  return [
    gauge('consensus_height', 'Height of the block in progress.', Number(chain.height + 1n)),
    gauge('consensus_latest_block_height', 'Height of the newest block.', Number(chain.height)),
    gauge('consensus_total_txs', 'Number of transactions in blocks since the start.', counts.txs),
    counter('consensus_chain_size_bytes', 'Total size of the blocks since the start, in bytes.', counts.bytes),
    counter('consensus_proposal_create_count', 'Number of blocks proposed by this node.', counts.proposed),
    counter('consensus_proposal_receive_count', 'Number of proposals received, by status.', counts.received, {
      status: 'accepted',
    }),
    counter('state_consensus_param_updates', 'Number of blocks that changed consensus parameters.', counts.params),
    counter('state_validator_set_updates', 'Number of blocks that changed the validator set.', counts.validators),
    gauge('mempool_size', 'Number of transactions in the mempool.', held.length),
    gauge(
      'mempool_size_bytes',
      'Total size of the transactions in the mempool, in bytes.',
      held.reduce((sum, { tx }) => sum + tx.length, 0),
    ),
    ...blockGauges(record, blockAt(chain, chain.height - 1n), gauge),
    {
      name: named(namespace, 'consensus_block_interval_seconds'),
      type: 'histogram',
      help: 'Seconds between consecutive block timestamps.',
      samples: intervals.samples(labels),
    },
    ...(own === undefined
      ? []
      : [
          gauge(
            'consensus_validator_power',
            'Voting power of this node.',
            powerOf(record?.validators, own.address),
            validator,
          ),
          gauge(
            'consensus_validator_last_signed_height',
            'Last height that this node signed.',
            Number(counts.signed),
            validator,
          ),
          counter(
            'consensus_validator_missed_blocks',
            'Number of blocks that this node did not sign.',
            counts.missed,
            validator,
          ),
        ]),
  ]
}

type Gauge = (name: string, help: string, value: number, labels?: Labels) => Family

/** Returns the gauges of the newest block; all are 0 before the first block. */
function blockGauges(
  record: BlockRecord | undefined,
  before: BlockRecord | undefined,
  gauge: Gauge,
): readonly Family[] {
  const all = record?.validators.validators ?? []
  const power = powerSum(all)
  const missing = absentIn(before?.validators, record?.block.lastCommit)
  const silent = absentIn(record?.validators, record?.seenCommit)
  const guilty = (record?.block.evidence ?? []).flatMap((one) =>
    one.type !== 'duplicateVote' ? [] : all.filter(({ address }) => isSame(address, one.voteA.validatorAddress)),
  )
  return [
    gauge('consensus_validators', 'Number of validators of the newest block.', all.length),
    gauge('consensus_validators_power', 'Voting power of all validators.', power),
    gauge('consensus_missing_validators', 'Number of validators that did not sign the previous block.', missing.length),
    gauge('consensus_missing_validators_power', 'Voting power of the missing validators.', powerSum(missing)),
    gauge('consensus_byzantine_validators', 'Number of validators that signed two conflicting blocks.', guilty.length),
    gauge('consensus_byzantine_validators_power', 'Voting power of the byzantine validators.', powerSum(guilty)),
    gauge('consensus_num_txs', 'Number of transactions in the newest block.', record?.block.txs.length ?? 0),
    gauge('consensus_block_size_bytes', 'Size of the newest block, in bytes.', record?.sizeBytes ?? 0),
    gauge('consensus_rounds', 'Round in which the newest block was decided.', record?.seenCommit.round ?? 0),
    gauge(
      'consensus_round_voting_power_percent',
      'Share of the voting power that voted, from 0 to 1.',
      power === 0 ? 0 : (power - powerSum(silent)) / power,
      { vote_type: 'precommit' },
    ),
  ]
}

/** Returns the validators of a set that did not vote in its commit. */
function absentIn(set: ValidatorSet | undefined, commit: Commit | undefined) {
  return set?.validators.filter((_, index) => commit?.signatures[index]?.flag === 1) ?? []
}

function named(namespace: string, name: string): string {
  return namespace === '' ? name : `${namespace}_${name}`
}

function powerOf(set: ValidatorSet | undefined, own: Uint8Array): number {
  return powerSum(set?.validators.filter(({ address }) => isSame(address, own)) ?? [])
}

function powerSum(validators: ValidatorSet['validators']): number {
  return Number(validators.reduce((sum, { power }) => sum + power, 0n))
}

function isSame(a: Uint8Array, b: Uint8Array | undefined): boolean {
  return b !== undefined && upperHexOf(a) === upperHexOf(b)
}
