/**
 * Descriptions of scenario keys for editors: meaning, default and an example. If the meaning
 * depends on the parent, the entry is `parent.key` or `grandparent.parent.key`; lists in between
 * are skipped.
 */
export const chainKeys: Readonly<Record<string, string>> = {
  chainstage: 'Version of the scenario format. Always 1. Example: 1.',
  $schema:
    'JSON Schema of this file, for editors. ' +
    "Example: './node_modules/chainstage/dist/program/scenario-1.schema.json'.",
  imports: "Parts to import: files whose names start with an underscore. Example: ['./_net.json5'].",
  'imports.from': "Path of the part, relative to this file. Example: './_net.json5'.",
  'imports.as':
    "Prefix for the names that the part declares. Without a prefix, the names stay as they are. Example: 'net'.",
  with: "Values for the vars of the part. Example: { wait: '5s' }.",
  override: 'Whether names of the part may replace existing names. Default: false. Example: true.',
  vars: "Values for ${vars.NAME}; --var NAME=VALUE and CHAINSTAGE_VAR_NAME override them. Example: { wait: '2s' }.",
  fixtures:
    'Content of the chain before its first response: accounts, contracts, transactions and history. ' +
    "Example: { accounts: { alice: { balance: '10 evm' } } }.",
  faker: "Settings for generated values (${faker.…}). Example: { locale: 'en' }.",
  lock: "Version of the data that ${faker.…} draws from; it keeps names stable across updates. Example: 'simdata@1'.",
  locale: "Language of generated names. Default: 'en'. Example: 'de_AT'.",
  refDate: "Reference date for generated dates. Default: the genesis time. Example: '2025-01-01T00:00:00Z'.",
  artifacts: "Contract artifacts (JSON files with abi and bytecode), by name. Example: { Token: './Token.json' }.",
  'fixtures.accounts': "Funded accounts, by name; steps call them @alice. Example: { alice: { balance: '10 evm' } }.",
  'chain.accounts': 'Number of funded accounts derived from the mnemonic. Default: 10. Example: 20.',
  'accounts.balance': "Balance at genesis. Example: '100 evm'.",
  'chain.balance': 'Balance of each account derived from the mnemonic, in whole tokens. Default: 10000. Example: 500.',
  pick: "Draws one element of a list, or of a group of accounts. Example: '@users'.",
  'value.pick': "Draws one of several amounts. Example: ['1 evm', '5 evm'].",
  weight: "even: all are equally likely; zipf: the first ones are drawn more often. Default: even. Example: 'zipf'.",
  int: 'Draws an integer between two numbers, both included. Example: [1, 6].',
  'value.lognormal': "Draws an amount. Example: { median: '1 evm', p99: '50 evm' }.",
  'balance.lognormal': "Draws an amount. Example: { median: '1 evm', p99: '50 evm' }.",
  median: "Median: half of the drawn values are below it. Example: '80ms'.",
  p99: "99th percentile: 1 in 100 drawn values is above it. Example: '3s'.",
  label: "Label that the dashboard shows. ${faker.…} in it is drawn anew each time. Example: 'Coffee at noon'.",
  'accounts.count': 'Number of accounts: @users is the group, @users.0 its first member. Example: 60.',
  mnemonicIndex: 'Index of a mnemonic key, used instead of a key drawn from the seed. Example: 3.',
  contracts: "Contracts deployed at genesis, by name. Example: { demo: { artifact: './Demo.json', from: '@alice' } }.",
  artifact: 'Compiled contract. ' + "Example: './Demo.json'.",
  'contracts.from': "Account that deploys the contract. Example: '@alice'.",
  args: "Arguments in order. Example: ['@bob', '20 DEMO'].",
  'log.args': "Indexed arguments in order; null matches any value. Example: ['@alice', null].",
  value: "Amount to send. Example: '1.5 evm'.",
  decimals: 'Decimals of the token, for amounts in its unit. Default: the decimals of the contract. Example: 18.',
  symbol: "Unit of amounts in this token. Default: the name in capitals. Example: 'DEMO'.",
  genesisTxs:
    'Transactions executed before the first response, in order. ' +
    "Example: [{ sendTx: { from: '@alice', to: '@bob', value: '1 evm' } }].",
  forEach: "Sends the transaction once for each member of a group, called $it. Example: '@users'.",
  history:
    'Past blocks with transactions, so that the chain does not start empty. ' +
    "Example: { blocks: 100, over: '14d' }.",
  'history.blocks': 'Number of past blocks. Example: 100.',
  over: "Time span of the past blocks. Example: '14d'.",
  'history.profile':
    'even: traffic is spread evenly; office-hours: more by day than by night. Default: even. ' +
    "Example: 'office-hours'.",
  txs:
    'Kinds of past transactions, by name. ' +
    "Example: { payments: { count: 20, sendTx: { from: '@alice', to: '@bob', value: '1 evm' } } }.",
  'txs.count': 'Number of transactions of this kind. Example: 20.',
  'history.rules': "Ids of rules whose transactions also fill the past. Example: ['traffic'].",
  name: "Name of the scenario, for reports. Example: 'slow node'.",
  'validators.name': "Name of the validator. Example: 'valA'.",
  description: "Description of the scenario, for readers. Example: 'A wallet sends a payment while the node is slow.'.",
  tags: "Tags for chainstage test --tag. Example: ['fast'].",
  seed: "Seed of all random values. The same seed gives the same run. Example: 'demo'.",
  'run.seed': "Seed of all random values, like seed at the top of the file. Example: 'demo'.",
  app: "Behavior of the application behind the chain. Example: { infoFails: 'not ready' }.",
  'chain.app': "Application behind the chain: evmd (Cosmos EVM) or kvstore. Default: evmd. Example: 'kvstore'.",
  infoFails: "Makes abci_info fail with this text. Example: 'not ready'.",
  slow: "Delays responses of the application. Example: '2s'.",
  clock: "How time passes and when blocks are mined. Example: { pace: 'instant' }.",
  'clock.mode': "Shorthand for pace and blocks: manual, instant, or interval with blockTime. Example: 'manual'.",
  pace:
    'wall: real time; instant: time jumps to the next event; manual: only steps move time. Default: wall. ' +
    "Example: 'instant'.",
  'clock.blocks':
    "When to mine: auto (per transaction), interval, mixed (both) or manual. Default: auto. Example: 'manual'.",
  speed: "Speed of time, as a multiple of real time. Example: 'x10'.",
  lazy: 'Responds to a transaction before its block is mined, as a real node does. Default: false. Example: true.',
  interval: "Time between blocks. Example: '2s'.",
  'clock.time': "logical: block time follows the clock of the chain; wall: it follows real time. Example: 'wall'.",
  blockTime: "Time between blocks. Example: '2s'.",
  genesisTime: "Time of genesis, RFC 3339 in UTC. Example: '2025-01-01T00:00:00Z'.",
  chain: "Settings of the chain: ids, accounts, validators, quirks. Example: { profile: 'local', accounts: 20 }.",
  'chain.profile':
    "Preset of defaults: local, evmd (the recorded node) or documented. Default: local. Example: 'evmd'.",
  chainId: "Cosmos chain id. Example: 'cosmos_262144-1'.",
  cosmosChainId: "Alias of chainId. Example: 'cosmos_262144-1'.",
  appVersion: "Version of the application that the node reports. Example: '1.2.0'.",
  evmChainId: 'EVM chain id. Default: the number in the Cosmos chain id. Example: 262144.',
  bech32Prefix: "Prefix of Cosmos addresses. Default: cosmos. Example: 'mantra'.",
  'chain.mempool':
    'evm: a transaction with a higher fee replaces one of the same nonce; comet: first come, first served. ' +
    "Example: 'evm'.",
  validators: 'Number of validators, or their names and powers. Default: 1. Example: 4.',
  power: 'Voting power. Example: 10.',
  mnemonic:
    'Mnemonic of the funded accounts. Default: the well-known test mnemonic. ' +
    "Example: 'test test test test test test test test test test test junk'.",
  quirks: "Node behaviors to reproduce: sane (none), faithful (all), or a list. Default: sane. Example: 'faithful'.",
  'value.lognormal.median': "Median: half of the drawn amounts are below it. Example: '1 evm'.",
  'value.lognormal.p99': "99th percentile: 1 in 100 drawn amounts is above it. Example: '50 evm'.",
  'balance.lognormal.median': "Median: half of the drawn amounts are below it. Example: '1 evm'.",
  'balance.lognormal.p99': "99th percentile: 1 in 100 drawn amounts is above it. Example: '50 evm'.",
  'accounts.label': "Label that the dashboard shows. ${faker.…} in it is drawn anew each time. Example: 'Alice'.",
}
