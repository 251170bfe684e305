/** Consensus timeouts: the section `consensus` of `config.toml`. */
import { configKey, setting } from './setting.ts'

const neverSplit = "the validators' prevotes are never split"

export const consensusSettings = {
  timeoutCommit: setting({
    help: 'Pause after each block, as a duration; it is the block interval unless --interval sets one.',
    value: '1s',
    flag: 'consensus.timeout_commit',
    file: configKey('consensus', 'timeout_commit'),
  }),
  timeoutPropose: setting({
    help: 'Time that a round waits for an offline proposer, as a duration.',
    value: '3s',
    flag: 'consensus.timeout_propose',
    file: configKey('consensus', 'timeout_propose'),
  }),
  timeoutProposeDelta: setting({
    help: 'Time added to timeout_propose in each further round, as a duration.',
    value: '500ms',
    flag: 'consensus.timeout_propose_delta',
    file: configKey('consensus', 'timeout_propose_delta'),
  }),
  timeoutPrevote: setting({
    help: 'Time that a round waits when prevotes are split, as a duration; has no effect because they never are.',
    value: '1s',
    flag: 'consensus.timeout_prevote',
    file: configKey('consensus', 'timeout_prevote'),
    inert: neverSplit,
  }),
  timeoutPrevoteDelta: setting({
    help: 'Time added to timeout_prevote in each further round, as a duration; has no effect.',
    value: '500ms',
    flag: 'consensus.timeout_prevote_delta',
    file: configKey('consensus', 'timeout_prevote_delta'),
    inert: neverSplit,
  }),
  timeoutPrecommit: setting({
    help: 'Time that an undecided round waits for late precommits, as a duration.',
    value: '1s',
    flag: 'consensus.timeout_precommit',
    file: configKey('consensus', 'timeout_precommit'),
  }),
  timeoutPrecommitDelta: setting({
    help: 'Time added to timeout_precommit in each further round, as a duration.',
    value: '500ms',
    flag: 'consensus.timeout_precommit_delta',
    file: configKey('consensus', 'timeout_precommit_delta'),
  }),
  skipTimeoutCommit: setting({
    help: 'Start the next block as soon as every validator has signed.',
    value: false,
    flag: 'consensus.skip_timeout_commit',
    file: configKey('consensus', 'skip_timeout_commit'),
  }),
  createEmptyBlocks: setting({
    help: 'Mine interval blocks even without transactions; the block after an app hash change is always mined.',
    value: true,
    flag: 'consensus.create_empty_blocks',
    file: configKey('consensus', 'create_empty_blocks'),
  }),
  createEmptyBlocksInterval: setting({
    help: 'Time that an interval block waits for a transaction, as a duration; 0s means no wait.',
    value: '0s',
    flag: 'consensus.create_empty_blocks_interval',
    file: configKey('consensus', 'create_empty_blocks_interval'),
  }),
} as const
