/** Settings of interface B and of the application: `app.toml` (`cosmos-evm-rpc.md` §6). */
import { setting } from './setting.ts'

const app = (section: string, key: string) => ({ name: 'app.toml', section, key }) as const

export const ethSettings = {
  ethEnable: setting({
    help: 'Whether interface B listens.', value: true, flag: 'json-rpc.enable',
    file: app('json-rpc', 'enable'),
  }),
  ethAddress: setting({
    help: 'HOST:PORT of interface B over HTTP; it takes WebSocket upgrades too.',
    value: '127.0.0.1:8545', flag: 'json-rpc.address', file: app('json-rpc', 'address'),
  }),
  ethWsAddress: setting({
    help: 'HOST:PORT of interface B over WebSocket; empty turns it off.',
    value: '127.0.0.1:8546', flag: 'json-rpc.ws-address', file: app('json-rpc', 'ws-address'),
  }),
  ethWsOrigins: setting({
    help: 'Hosts that browsers may open WebSockets to interface B from; "*" for any.',
    value: ['127.0.0.1', 'localhost'] as readonly string[], flag: 'json-rpc.ws-origins',
    file: app('json-rpc', 'ws-origins'), live: true,
  }),
  ethApi: setting({
    help: 'Namespaces of interface B.',
    value: ['eth', 'net', 'web3'] as readonly string[], flag: 'json-rpc.api',
    file: app('json-rpc', 'api'), live: true,
  }),
  gasCap: setting({
    help: 'Gas that a call or estimate may use at most; 0 is no cap.',
    value: 0, flag: 'json-rpc.gas-cap', aliases: ['rpc-gas-cap'], file: app('json-rpc', 'gas-cap'),
    live: true,
  }),
  allowInsecureUnlock: setting({
    help: 'Whether methods may sign with the keys of the node.',
    value: true, flag: 'json-rpc.allow-insecure-unlock',
    file: app('json-rpc', 'allow-insecure-unlock'), live: true,
  }),
  evmTimeout: setting({
    help: 'How long a call may run, as a duration: 100 million gas a second.',
    value: '10s', flag: 'json-rpc.evm-timeout', file: app('json-rpc', 'evm-timeout'), live: true,
  }),
  txFeeCap: setting({
    help: 'Fee that eth_resend may pay at most, in ether.',
    value: 1, flag: 'json-rpc.txfee-cap', file: app('json-rpc', 'txfee-cap'), live: true,
  }),
  filterCap: setting({
    help: 'Polled filters at one time.', value: 200, flag: 'json-rpc.filter-cap',
    file: app('json-rpc', 'filter-cap'), live: true,
  }),
  feeHistoryCap: setting({
    help: 'Blocks that eth_feeHistory covers at most.', value: 100, flag: 'json-rpc.feehistory-cap',
    file: app('json-rpc', 'feehistory-cap'), live: true,
  }),
  logsCap: setting({
    help: 'Logs that one answer holds at most.', value: 10_000, flag: 'json-rpc.logs-cap',
    file: app('json-rpc', 'logs-cap'), live: true,
  }),
  blockRangeCap: setting({
    help: 'Blocks that one log query spans at most.', value: 10_000,
    flag: 'json-rpc.block-range-cap', file: app('json-rpc', 'block-range-cap'), live: true,
  }),
  ethHttpTimeout: setting({
    help: 'How long a request may take, as a duration.', value: '30s',
    flag: 'json-rpc.http-timeout', file: app('json-rpc', 'http-timeout'),
  }),
  ethHttpIdleTimeout: setting({
    help: 'How long an idle connection stays, as a duration.', value: '2m0s',
    flag: 'json-rpc.http-idle-timeout', file: app('json-rpc', 'http-idle-timeout'),
  }),
  allowUnprotectedTxs: setting({
    help: 'Whether transactions without a chain id are taken.', value: false,
    flag: 'json-rpc.allow-unprotected-txs', file: app('json-rpc', 'allow-unprotected-txs'),
    live: true,
  }),
  ethMaxOpenConnections: setting({
    help: 'Connections to interface B at one time; 0 is unlimited.',
    value: 0, flag: 'json-rpc.max-open-connections', file: app('json-rpc', 'max-open-connections'),
  }),
  ethBatchRequestLimit: setting({
    help: 'Requests in one batch to interface B.', value: 1000,
    flag: 'json-rpc.batch-request-limit', file: app('json-rpc', 'batch-request-limit'), live: true,
  }),
  ethBatchResponseMaxSize: setting({
    help: 'Bytes of the answer to one batch.', value: 25_000_000,
    flag: 'json-rpc.batch-response-max-size', file: app('json-rpc', 'batch-response-max-size'),
    live: true,
  }),
  ethEnableProfiling: setting({
    help: 'Whether debug methods may write profiles.', value: false,
    flag: 'json-rpc.enable-profiling', file: app('json-rpc', 'enable-profiling'),
  }),
  evmChainId: setting({
    help: 'The EIP-155 chain id.', value: 262_144, flag: 'evm.evm-chain-id',
    file: app('evm', 'evm-chain-id'),
  }),
  evmMinTip: setting({
    help: 'Priority fee per gas below which the EVM mempool keeps transactions out of blocks, in wei.',
    value: 0, flag: 'evm.min-tip', file: app('evm', 'min-tip'),
  }),
  mempoolMaxTxs: setting({
    help: 'Transactions in the EVM mempool of the application; 0 is unlimited, -1 turns it off.',
    value: -1, flag: 'mempool.max-txs', file: app('mempool', 'max-txs'),
  }),
  mempoolPriceBump: setting({
    help: 'Percent by which a replacement must raise tip and fee cap.', value: 10,
    flag: 'evm.mempool.price-bump', file: app('evm.mempool', 'price-bump'),
  }),
  minimumGasPrices: setting({
    help: 'Price per gas with its denomination. As on the node it refuses nothing: the base fee stands in its place.',
    value: '0atest',
    flag: 'minimum-gas-prices', file: app('', 'minimum-gas-prices'),
  }),
  pruning: setting({
    help: 'Which states are kept: default 362880 of them, everything 2, nothing all, custom as the next two say.',
    value: 'default', choices: ['default', 'nothing', 'everything', 'custom'], flag: 'pruning',
    file: app('', 'pruning'),
  }),
  pruningKeepRecent: setting({
    help: 'States to keep besides the latest, for custom pruning.', value: '0',
    flag: 'pruning-keep-recent', file: app('', 'pruning-keep-recent'),
  }),
  pruningInterval: setting({
    help: 'Blocks from one pruning of states to the next, for custom pruning; 0 never prunes.',
    value: '0',
    flag: 'pruning-interval', file: app('', 'pruning-interval'),
  }),
  minRetainBlocks: setting({
    help: 'Blocks to keep, and at least those that evidence may name; 0 keeps all.', value: 0,
    flag: 'min-retain-blocks', file: app('', 'min-retain-blocks'),
  }),
} as const
