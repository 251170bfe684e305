/**
 * Flags of Anvil, `hardhat node` and CometMock that `chainstage start` accepts. They are rewritten
 * to flags of chainstage before the command line is parsed (`rewriteFlags.ts`).
 */
import {
  autoTxOf,
  blockTimeOf,
  chainIdOf,
  derivationPathOf,
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

const otherNetworks = 'chainstage serves Cosmos EVM chains only. Use Anvil for other networks.'

/** All flags of the other tools, except those that chainstage has with the same meaning. */
export const foreignFlags: readonly ForeignFlag[] = [
  both.means('--port, -p <value>', portOf, 'Sets the port of Ethereum JSON-RPC over HTTP and WebSocket.'),
  both.means('--host, --hostname <value>', hostOf, 'Applies to every listener except the control and metrics ports.'),
  both.means(
    '--chain-id <value>',
    chainIdOf,
    'A number sets the EVM chain ID and derives the Cosmos chain ID. Any other text sets the Cosmos chain ID.',
  ),
  both.means('--fork-block-number <value>', to('--fork-height', '$')),
  anvil.means('--fork-url, --rpc-url, -f <value>', forkOf, 'Accepts URL@HEIGHT.'),
  anvilAndCometMock.means(
    '--block-time, --blockTime, -b <value>',
    blockTimeOf,
    'A bare number is in seconds and sets the interval, as in Anvil. With another CometMock flag, it is in ' +
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
  anvil.refused('--no-cors', 'Ethereum JSON-RPC always lets any origin read responses, as the node does.'),
  anvil.refused('--init <value>', 'Pass a Cosmos genesis document with --genesis.'),
  anvil.means('--hardfork <value>', hardforkOf, 'Accepts only prague, the hard fork of Cosmos EVM v0.5.0.'),
  anvil.refused('--enable-tx-gas-limit, --tx-gas-limit', 'EIP-7825 is part of Osaka; Cosmos EVM v0.5.0 runs Prague.'),
  anvil.refused('--config-out <value>', 'Read addresses, keys and URLs from the first line of start --json.'),
  anvil.refused('--ipc, --ipcpath [value]', 'Connect over HTTP or WebSocket.'),
  anvil.refused(
    '--mnemonic-random [value]',
    'Accounts are the same on every run. Choose other accounts with --mnemonic.',
  ),
  anvil.refused('--mnemonic-seed-unsafe <value>', 'Set the mnemonic with --mnemonic.'),
  anvil.means(
    '--derivation-path <value>',
    derivationPathOf,
    "Accepts only Anvil's default, m/44'/60'/0'/0. Add accounts at other derivation paths as scenario fixtures.",
  ),
  anvil.refused(
    '--number <value>',
    'A Cosmos chain starts at height 1. Mine blocks up to the height with chainstage mine COUNT.',
  ),
  anvil.refused('--auto-impersonate, --auto-unlock', 'Call anvil_autoImpersonateAccount with [true] after startup.'),
  anvil.refused(
    '--state-interval, -s <value>',
    '--state saves every change. Write a copy with chainstage checkpoint save.',
  ),
  anvil.refused('--prune-history, --max-persisted-states [value]', 'Set the number of states to keep with --pruning.'),
  anvil.refused('--transaction-block-keeper <value>', 'Set the number of blocks to keep with --min-retain-blocks.'),
  anvil.refused('--max-transactions <value>', 'Limit the gas of a block with --gas-limit.'),
  anvil.refused('--order <value>', 'Transactions are ordered by fee. Order them by arrival with --mempool.max-txs -1.'),
  anvil.refused('--fork-transaction-hash <value>', 'Choose the block to fork at with --fork-height.'),
  anvil.refused('--fork-header <value>', 'Put credentials in the --fork URL, or run a proxy that adds the header.'),
  anvil.refused('--fork-chain-id <value>', 'Remove the flag. The chain IDs are read from the forked chain.'),
  anvil.refused(
    '--code-size-limit <value>',
    'Cosmos EVM limits contract code to 24,576 bytes. Split the contract, or allow any size with --disable-code-size-limit.',
  ),
  anvil.refused(
    '--disable-block-gas-limit',
    'Raise the block gas limit with --gas-limit, and the limit of calls with --json-rpc.gas-cap.',
  ),
  anvil.refused('--disable-pool-balance-checks', 'Raise balances with --balance or anvil_setBalance.'),
  anvil.refused(
    '--disable-default-create2-deployer, --no-create2',
    'Pass a genesis document without the deployer with --genesis.',
  ),
  anvil.refused('--memory-limit <value>', 'Limit the gas of calls with --json-rpc.gas-cap.'),
  anvil.refused('--network, -n <value>', otherNetworks),
  anvil.refused('--celo', otherNetworks),
  anvil.refused('--optimism', otherNetworks),
  anvil.refused('--print-traces, --enable-trace-printing', 'Request a trace with debug_traceTransaction.'),
  anvil.refused(
    '--no-request-size-limit',
    'Ethereum JSON-RPC accepts request bodies of up to 5 MiB, as the node does.',
  ),
  anvil.refused('--color <value>', 'Set NO_COLOR=1 or FORCE_COLOR=1.'),
  anvil.refused('--md', 'Use start --json for JSON output.'),
  anvil.refused('--verbosity, -v, -vv, -vvv, -vvvv, -vvvvv', 'Log every request with start --log-requests.'),
  anvil.idle('--steps-tracing, --tracing', 'traces are always available'),
  anvil.idle('--preserve-historical-states', 'a state file contains every height'),
  anvil.idle('--slots-in-an-epoch <value>', 'a block is final once it is mined'),
  anvil.idle('--disable-min-priority-fee, --no-priority-fee', 'no priority fee is required'),
  anvil.idle('--gas-price <value>', 'as in Anvil, the base fee decides the gas price; set it with --base-fee'),
  anvil.idle('--threads, --jobs, -j <value>', 'blocks are mined in one thread'),
  anvil.idle('--cache-path <value>', 'nothing is cached on disk'),
  anvil.idle('--no-storage-caching', 'nothing is cached on disk'),
  anvil.idle('--compute-units-per-second <value>', 'requests to the forked chain are not throttled'),
  anvil.idle('--no-rate-limit, --no-rpc-rate-limit', 'requests to the forked chain are not throttled'),
  anvil.idle(
    '--fork-retry-backoff, --retries, --timeout <value>',
    'requests to the forked chain are retried automatically',
  ),
  hardhat.refused('--no-deploy', 'Contracts present at startup are scenario fixtures. Remove them from the scenario.'),
  hardhat.refused('--chain-type <value>', otherNetworks),
  hardhat.idle('--show-stack-traces', 'errors explain what to do without a stack trace'),
  cometMock.means(
    '--block-production-interval <value>',
    productionOf,
    'Sets the interval in milliseconds; 0 or less means no timer. Transactions mine blocks too unless --auto-tx=false.',
  ),
  cometMock.means(
    '--auto-tx [value]',
    autoTxOf,
    'Same as --blocks auto; --auto-tx=false is the same as --blocks manual.',
  ),
  cometMock.means(
    '--starting-timestamp <value>',
    timeOf('--starting-timestamp', 'milliseconds'),
    'Sets the genesis time, in milliseconds since 1970.',
  ),
  cometMock.idle(
    '--starting-timestamp-from-genesis [value]',
    'the first block always takes its timestamp from the genesis',
  ),
]
