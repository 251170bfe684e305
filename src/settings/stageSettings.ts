/** Settings that no real node has: flags, environment and scenario only. */
import { setting } from './setting.ts'

export const stageSettings = {
  profile: setting({
    help: 'Which set of defaults to start from.', value: 'local',
    choices: ['local', 'evmd', 'documented'], flag: 'profile',
  }),
  application: setting({
    help: 'The application behind the chain.', value: 'evmd', choices: ['evmd', 'kvstore'],
    flag: 'app',
  }),
  infoFails: setting({
    help: 'The text with which the application fails abci_info; empty lets it answer.', value: '',
    flag: 'info-fails', live: true,
  }),
  appVersion: setting({
    help: 'The version that the application says it has; empty is its own.', value: '',
    flag: 'app-version', live: true,
  }),
  catchingUp: setting({
    help: 'Whether the node says that it is catching up with others.', value: false,
    flag: 'catching-up', live: true,
  }),
  peers: setting({
    help: 'How many peers the node says it has.', value: 0, flag: 'peers', live: true,
  }),
  clockSpeed: setting({
    help: 'How many times as fast as the wall simulation time passes, where it follows the wall.',
    value: 1, flag: 'clock-speed',
  }),
  chainId: setting({
    help: 'The Cosmos chain id.', value: '9001', flag: 'chain-id',
  }),
  quirks: setting({
    help: 'Habits of the real node to imitate: sane, faithful, or names of quirks.',
    value: ['sane'] as readonly string[], flag: 'quirks', live: true,
  }),
  abciInfo: setting({
    help: 'How abci_info answers: auto is as documented to GET and as the wire does otherwise.',
    value: 'auto', choices: ['auto', 'documented', 'wire'], flag: 'abci-info', live: true,
  }),
  dialect: setting({
    help: 'Whose development controls clashing names are: units and answers differ. /hardhat and /ganache on interface B say so for one client.',
    value: 'anvil', choices: ['anvil', 'hardhat', 'ganache'], flag: 'dialect', live: true,
  }),
  blocks: setting({
    help: 'When blocks are made.', value: 'interval',
    choices: ['auto', 'interval', 'mixed', 'manual'], flag: 'blocks',
  }),
  interval: setting({
    help: 'Time between interval blocks, as a duration; empty is as the consensus timeouts say.',
    value: '', flag: 'interval',
  }),
  lazy: setting({
    help: 'Whether a submission is answered before its block is made, as the real node does.',
    value: true, flag: 'lazy',
  }),
  time: setting({
    help: 'What block headers carry: logical is genesis time plus block time, wall the clock.',
    value: 'wall', choices: ['logical', 'wall'], flag: 'time',
  }),
  blockTime: setting({
    help: 'Logical time from block to block, as a duration.', value: '1s', flag: 'block-time',
  }),
  genesisTime: setting({
    help: 'Time of the genesis document, RFC 3339.', value: '2025-01-01T00:00:00Z',
    flag: 'genesis-time',
  }),
  startTimeMs: setting({
    help: 'Wall time at the start in milliseconds since 1970, for time: wall; 0 takes that of the genesis.',
    value: 0, flag: 'start-time-ms',
  }),
  pace: setting({
    help: 'How simulation time passes: wall follows the clock, instant jumps to what is due, manual stands.',
    value: 'wall', choices: ['wall', 'instant', 'manual'], flag: 'pace',
  }),
  seed: setting({
    help: 'What keys, ids and random draws come from.', value: 'chainstage', flag: 'seed',
  }),
  mnemonic: setting({
    help: 'The mnemonic of the funded accounts.',
    value: 'test test test test test test test test test test test junk', flag: 'mnemonic',
  }),
  accounts: setting({
    help: 'How many accounts are funded.', value: 10, flag: 'accounts',
  }),
  balance: setting({
    help: 'What each of them has, in whole tokens.', value: 10_000, flag: 'balance',
  }),
  validators: setting({
    help: 'How many validators the chain starts with.', value: 1, flag: 'validators',
  }),
  validatorNames: setting({
    help: 'Their names, in order; the others are validator0, validator1 and so on.',
    value: [] as readonly string[], flag: 'validator-names',
  }),
  validatorPowers: setting({
    help: 'Their powers, in order; the others have 1000.', value: [] as readonly string[],
    flag: 'validator-powers',
  }),
  controlAddress: setting({
    help: 'HOST:PORT of the dashboard and control API; empty turns it off.',
    value: '127.0.0.1:8555', flag: 'control',
  }),
  controlExposed: setting({
    help: 'Whether --control may name an address beyond this machine: whoever reaches it rules the chain.',
    value: false, flag: 'expose-control',
  }),
  checkpoints: setting({
    help: 'The folder of checkpoints that last.', value: '.chainstage/checkpoints',
    flag: 'checkpoints',
  }),
  consoleLog: setting({
    help: 'Whether what contracts say with console.log is printed.', value: true,
    flag: 'console-log',
  }),
  allowedHosts: setting({
    help: 'Host names besides loopback that requests may be addressed to.',
    value: [] as readonly string[], flag: 'allowed-hosts', live: true,
  }),
  allowedOrigins: setting({
    help: 'Origins besides loopback that may call methods which change the world from outside.',
    value: [] as readonly string[], flag: 'allowed-origins', live: true,
  }),
} as const
