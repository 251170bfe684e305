/**
 * Flags of Anvil, `hardhat node` and CometMock that `chainstage start` accepts. They are rewritten
 * to flags of chainstage before the command line is parsed (`rewriteFlags.ts`).
 */
import {
  autoTxOf,
  blockTimeOf,
  chainIdOf,
  forkOf,
  hardforkOf,
  hostOf,
  portOf,
  productionOf,
  timeOf,
  to,
  type Means,
} from './foreignValues.ts'

export type ForeignTool = 'Anvil' | 'Hardhat' | 'CometMock'

/** A flag of another tool. Exactly one of `means`, `idle` and `instead` is set. */
export type ForeignFlag = {
  readonly tools: readonly ForeignTool[]
  /** All spellings, including dashes. */
  readonly names: readonly string[]
  /**
   * Whether the flag takes a value. With `optional`, the next word is the value unless it is a
   * flag.
   */
  readonly takes: 'nothing' | 'value' | 'optional'
  readonly means?: Means
  /** Why the flag has no effect. */
  readonly idle?: string
  /** The alternative to a flag that is refused. */
  readonly instead?: string
  /** Explanation, if the equivalent flags of chainstage are not enough. */
  readonly note?: string
}

type Spec = Pick<ForeignFlag, 'names' | 'takes'>

/** Parses a flag such as `--port, -p <value>`: spellings, then `<value>`, `[value]` or nothing. */
function specOf(text: string): Spec {
  const [, names = '', value = ''] = /^(.*?)( <value>| \[value\])?$/.exec(text) ?? []
  return { names: names.split(', '), takes: value === '' ? 'nothing' : value.includes('<') ? 'value' : 'optional' }
}

function flagsOf(...tools: readonly ForeignTool[]) {
  return {
    means: (spec: string, means: Means, note?: string): ForeignFlag => ({
      tools,
      ...specOf(spec),
      means,
      ...(note === undefined ? {} : { note }),
    }),
    idle: (spec: string, idle: string): ForeignFlag => ({ tools, ...specOf(spec), idle }),
    refused: (spec: string, instead: string): ForeignFlag => ({ tools, ...specOf(spec), instead }),
  }
}

const anvil = flagsOf('Anvil')
const both = flagsOf('Anvil', 'Hardhat')
const anvilAndCometMock = flagsOf('Anvil', 'CometMock')
const hardhat = flagsOf('Hardhat')
const cometMock = flagsOf('CometMock')

const codeLimit = 'The limit of 24,576 bytes is part of Cosmos EVM. Split the contract.'
const otherNetworks = 'chainstage serves Cosmos EVM chains only. Use Anvil for other networks.'

/** All flags of the other tools, except those that chainstage has with the same meaning. */
export const foreignFlags: readonly ForeignFlag[] = [
  both.means('--port, -p <value>', portOf, 'Sets the port of Ethereum JSON-RPC, HTTP and WebSocket.'),
  both.means('--host, --hostname <value>', hostOf, 'Applies to every listener except the control port.'),
  both.means(
    '--chain-id <value>',
    chainIdOf,
    'A number sets the EVM chain id and derives the Cosmos chain id. A word sets the Cosmos chain id.',
  ),
  both.means('--fork-block-number <value>', to('--fork-height', '$')),
  anvil.means('--fork-url, --rpc-url, -f <value>', forkOf, 'Accepts URL@HEIGHT.'),
  anvilAndCometMock.means(
    '--block-time, --blockTime, -b <value>',
    blockTimeOf,
    'A bare number is in seconds and sets the interval, as in Anvil. Beside another flag of CometMock it is in ' +
      'milliseconds and sets only the time between block timestamps; a negative number follows the clock. ' +
      'A value with a unit, such as 500ms, sets only the time between block timestamps.',
  ),
  anvil.means('--no-mining, --no-mine', to('--blocks', 'manual')),
  anvil.means('--mixed-mining', to('--blocks', 'mixed')),
  anvil.means('--timestamp <value>', timeOf('--timestamp', 'seconds'), 'Sets the genesis time, in seconds since 1970.'),
  anvil.means('-a <value>', to('--accounts', '$')),
  anvil.means('-m <value>', to('--mnemonic', '$')),
  anvil.means('--block-base-fee-per-gas <value>', to('--base-fee', '$')),
  anvil.means('--quiet, -q', to('--silent')),
  anvil.means('--disable-console-log, --no-console-log', to('--console-log', 'false')),
  anvil.means('--allow-origin <value>', to('--allowed-origins', '$')),
  anvil.refused('--no-cors', 'Ethereum JSON-RPC always allows any origin to read, as the node does.'),
  anvil.refused('--init <value>', 'Give a Cosmos genesis document with --genesis.'),
  anvil.means('--hardfork <value>', hardforkOf, 'Accepts prague only, the hard fork of Cosmos EVM v0.5.0.'),
  anvil.refused('--enable-tx-gas-limit, --tx-gas-limit', 'EIP-7825 is part of Osaka; Cosmos EVM v0.5.0 runs Prague.'),
  anvil.refused('--gas-price <value>', 'Set the base fee with --base-fee.'),
  anvil.refused('--config-out <value>', 'start --json prints addresses, keys and URLs on its first line.'),
  anvil.refused('--ipc, --ipcpath [value]', 'Connect over HTTP or WebSocket.'),
  anvil.refused('--mnemonic-random [value]', 'Accounts are the same on every run. Set other words with --mnemonic.'),
  anvil.refused('--mnemonic-seed-unsafe <value>', 'Set the words with --mnemonic.'),
  anvil.refused('--derivation-path <value>', 'Add accounts at other paths as fixtures of a scenario.'),
  anvil.refused('--number <value>', 'A Cosmos chain starts at height 1. Mine up to the height: chainstage mine COUNT.'),
  anvil.refused('--auto-impersonate, --auto-unlock', 'Call anvil_autoImpersonateAccount with [true] after the start.'),
  anvil.refused(
    '--state-interval, -s <value>',
    '--state keeps every change; chainstage checkpoint save writes a copy.',
  ),
  anvil.refused('--prune-history, --max-persisted-states [value]', 'Limit the states that are kept with --pruning.'),
  anvil.refused('--transaction-block-keeper <value>', 'Limit the blocks that are kept with --min-retain-blocks.'),
  anvil.refused('--max-transactions <value>', 'Limit a block by its gas with --gas-limit.'),
  anvil.refused('--order <value>', 'Transactions are ordered by fee; with --mempool.max-txs -1, by arrival.'),
  anvil.refused('--fork-transaction-hash <value>', 'Fork at a block with --fork-height.'),
  anvil.refused(
    '--fork-header <value>',
    'Put credentials into the URL of --fork, or run a proxy that adds the header.',
  ),
  anvil.refused('--fork-chain-id <value>', 'Leave it out: the chain ids are read from the forked chain.'),
  anvil.refused('--code-size-limit <value>', codeLimit),
  anvil.refused('--disable-code-size-limit', codeLimit),
  anvil.refused(
    '--disable-block-gas-limit',
    'Raise the limit with --gas-limit, and that of calls with --json-rpc.gas-cap.',
  ),
  anvil.refused('--disable-pool-balance-checks', 'Raise balances with --balance or anvil_setBalance.'),
  anvil.refused(
    '--disable-default-create2-deployer, --no-create2',
    'Give a genesis document without it with --genesis.',
  ),
  anvil.refused('--memory-limit <value>', 'Limit calls by gas with --json-rpc.gas-cap.'),
  anvil.refused('--network, -n <value>', otherNetworks),
  anvil.refused('--celo', otherNetworks),
  anvil.refused('--optimism', otherNetworks),
  anvil.refused('--print-traces, --enable-trace-printing', 'Request a trace with debug_traceTransaction.'),
  anvil.refused('--no-request-size-limit', 'Ethereum JSON-RPC takes bodies of up to 5 MiB, as the node does.'),
  anvil.refused('--color <value>', 'Set NO_COLOR=1 or FORCE_COLOR=1.'),
  anvil.refused('--md', 'start --json prints JSON.'),
  anvil.refused('--verbosity, -v, -vv, -vvv, -vvvv, -vvvvv', 'start --log-requests logs every request.'),
  anvil.idle('--steps-tracing, --tracing', 'traces are always available'),
  anvil.idle('--preserve-historical-states', 'a state file contains every height'),
  anvil.idle('--slots-in-an-epoch <value>', 'a block is final once it is mined'),
  anvil.idle('--disable-min-priority-fee, --no-priority-fee', 'no priority fee is required'),
  anvil.idle('--threads, --jobs, -j <value>', 'the chain runs in one thread'),
  anvil.idle('--cache-path <value>', 'nothing is cached on disk'),
  anvil.idle('--no-storage-caching', 'nothing is cached on disk'),
  anvil.idle('--compute-units-per-second <value>', 'requests to the forked chain are not throttled'),
  anvil.idle('--no-rate-limit, --no-rpc-rate-limit', 'requests to the forked chain are not throttled'),
  anvil.idle('--fork-retry-backoff, --retries, --timeout <value>', 'a fork retries by itself'),
  hardhat.refused('--no-deploy', 'Contracts that exist at the start are fixtures of a scenario.'),
  hardhat.refused('--chain-type <value>', otherNetworks),
  hardhat.idle('--show-stack-traces', 'errors say what to do without a stack trace'),
  cometMock.means(
    '--block-production-interval <value>',
    productionOf,
    'The interval in milliseconds; transactions mine blocks too unless --auto-tx=false. Zero or less: no timer.',
  ),
  cometMock.means('--auto-tx [value]', autoTxOf, 'Means --blocks auto; --auto-tx=false means --blocks manual.'),
  cometMock.means(
    '--starting-timestamp <value>',
    timeOf('--starting-timestamp', 'milliseconds'),
    'Sets the genesis time, in milliseconds since 1970.',
  ),
  cometMock.idle('--starting-timestamp-from-genesis [value]', 'the first block takes its time from the genesis'),
]
