import test from 'ava'
import { parse } from 'smol-toml'
import { SimError } from '../../../src/errors.ts'
import { profileSettings } from '../../../src/settings/profiles.ts'
import { type SettingName, type Settings, settings } from '../../../src/settings/settings.ts'
import { settingsChange } from '../../../src/settings/changes.ts'
import { environmentName, resolveSettings, type SettingSources } from '../../../src/shell/config/resolve.ts'

type Given = {
  flags?: Record<string, string>
  env?: Record<string, string>
  config?: string
  app?: string
  scenario?: Partial<Settings>
}

function resolved({ flags = {}, env = {}, config, app, scenario }: Given): Settings {
  const files: SettingSources['files'] =
    config === undefined && app === undefined
      ? undefined
      : new Map([
          ['config.toml', parse(config ?? '')],
          ['app.toml', parse(app ?? '')],
        ])
  return resolveSettings({ flags: new Map(Object.entries(flags)), environment: env, files, scenario })
}

const wins = test.macro(async (t, given: Given, name: SettingName, expected: unknown) => {
  t.deepEqual(resolved(given)[name], expected as never)
})

const everywhere = {
  flags: { 'json-rpc.filter-cap': '1' },
  env: { CHAINSTAGE_JSON_RPC_FILTER_CAP: '2' },
  app: '[json-rpc]\nfilter-cap = 3',
  scenario: { filterCap: 4 },
} satisfies Given
const { flags, env, app, scenario } = everywhere

test('a flag wins over all', wins, everywhere, 'filterCap', 1)
test('the environment wins over files, scenario and profile', wins, { env, app, scenario }, 'filterCap', 2)
test('a file wins over scenario and profile', wins, { app, scenario }, 'filterCap', 3)
test('a scenario wins over the profile', wins, { scenario }, 'filterCap', 4)
test('the profile says the rest', wins, {}, 'filterCap', 200)
test('a flag wins over a file alone', wins, { flags, app }, 'filterCap', 1)

test('nothing said is the profile local', wins, {}, 'profile', 'local')
test('a home without a scenario is the profile documented', wins, { config: '' }, 'profile', 'documented')
test('a home with a scenario is the profile local', wins, { config: '', scenario: {} }, 'profile', 'local')
test('a scenario names its profile', wins, { config: '', scenario: { profile: 'evmd' } }, 'profile', 'evmd')
test(
  'a flag names the profile over a scenario',
  wins,
  { flags: { profile: 'documented' }, scenario: { profile: 'evmd' } },
  'profile',
  'documented',
)
test('the profile of a flag brings its values', wins, { flags: { profile: 'evmd' } }, 'gasCap', 25_000_000)

test('a list comes with commas', wins, { flags: { 'json-rpc.api': 'eth, net' } }, 'ethApi', ['eth', 'net'])
test('a list comes as the node writes it', wins, { app: '[json-rpc]\napi = "eth,net"' }, 'ethApi', ['eth', 'net'])
test('a list comes as TOML', wins, { config: '[rpc]\ncors_allowed_origins = ["*"]' }, 'corsAllowedOrigins', ['*'])
test('an empty list is one', wins, { flags: { 'rpc.cors_allowed_origins': '' } }, 'corsAllowedOrigins', [])
test(
  'a listener is turned off by an empty address',
  wins,
  { env: { CHAINSTAGE_JSON_RPC_WS_ADDRESS: '' } },
  'ethWsAddress',
  '',
)
test('a top-level key has no section', wins, { config: 'moniker = "mine"' }, 'moniker', 'mine')
test('the documented key of the gas cap is read', wins, { app: '[json-rpc]\nrpc-gas-cap = 7' }, 'gasCap', 7)
test("the node's key of the gas cap is read", wins, { app: '[json-rpc]\ngas-cap = 7' }, 'gasCap', 7)
test('both keys may say the same', wins, { app: '[json-rpc]\ngas-cap = 7\nrpc-gas-cap = 7' }, 'gasCap', 7)
const refused = test.macro(async (t, given: Given, code: string, text: RegExp) => {
  const error = t.throws(() => resolved(given), { instanceOf: SimError })
  t.is(error?.code, code)
  t.regex(String(error), text)
})

test(
  'two gas caps are refused',
  refused,
  { app: '[json-rpc]\ngas-cap = 7\nrpc-gas-cap = 8' },
  'CONTRADICTION',
  /gas-cap is 7 and .*rpc-gas-cap is 8/,
)
test(
  'two gas caps by flag are refused',
  refused,
  { flags: { 'json-rpc.gas-cap': '7', 'rpc-gas-cap': '8' } },
  'CONTRADICTION',
  /Remove one of them/,
)
test(
  'a time as a way to mine',
  refused,
  { flags: { blocks: '1s' } },
  'BAD_SETTING',
  /received "1s" Hint: The time between blocks is --block-time 1s\./,
)
test(
  'a key that is not there',
  refused,
  { config: '[rpc]\ncors_alowed_origins = []' },
  'UNKNOWN_KEY',
  /config\.toml.*Did you mean rpc\.cors_allowed_origins\?/,
)
test(
  'a key that is not there, in a section without a setting',
  refused,
  { app: '[tls]\ncertificate-pth = "x"' },
  'UNKNOWN_KEY',
  /app\.toml.*tls\.certificate-pth.*Did you mean tls\.certificate-path\?/,
)
test(
  'a key that is not there, above the sections',
  refused,
  { config: 'monicker = "x"' },
  'UNKNOWN_KEY',
  /config\.toml.*monicker.*Did you mean moniker\?/,
)
test(
  'a key in a section below a section',
  refused,
  { app: '[evm.mempool]\nprice-bum = 1' },
  'UNKNOWN_KEY',
  /Did you mean evm\.mempool\.price-bump\?/,
)
test(
  'a key in the section of another file',
  refused,
  { app: '[rpc]\nladdr = "x"' },
  'UNKNOWN_KEY',
  /app\.toml: unknown section \[rpc\].*Did you mean \[grpc\]\?/,
)
test(
  'a section that is not there',
  refused,
  { app: '[json_rpc]\nenable = true' },
  'UNKNOWN_KEY',
  /app\.toml: unknown section \[json_rpc\].*Did you mean \[json-rpc\]\?/,
)
test(
  'an empty section that is not there',
  refused,
  { config: '[menpool]' },
  'UNKNOWN_KEY',
  /unknown section \[menpool\].*Did you mean \[mempool\]\?/,
)
test(
  'a key of another section',
  refused,
  { config: '[rpc]\nwal_file = "x"' },
  'UNKNOWN_KEY',
  /Did you mean consensus\.wal_file\?/,
)
test(
  'a variable that is not there',
  refused,
  { env: { CHAINSTAGE_RPC_LADR: 'x' } },
  'UNKNOWN_KEY',
  /Did you mean CHAINSTAGE_RPC_LADDR\?/,
)
test(
  'a word for a number',
  refused,
  { flags: { 'json-rpc.filter-cap': 'many' } },
  'BAD_SETTING',
  /--json-rpc\.filter-cap: expected a number, received "many"/,
)
test(
  'a fraction for a whole number',
  refused,
  { flags: { accounts: '1.5' } },
  'BAD_SETTING',
  /expected a whole number from 0 to 10000/,
)
test(
  'a block gas limit that no transaction fits in',
  refused,
  { flags: { 'gas-limit': '0' } },
  'BAD_SETTING',
  /--gas-limit: expected a whole number of at least 1, received "0"/,
)
test(
  'a negative limit',
  refused,
  { app: '[json-rpc]\nfilter-cap = -1' },
  'BAD_SETTING',
  /app\.toml: json-rpc\.filter-cap: expected a whole number of at least 0, received "-1"/,
)
test(
  'a text for a number in a file',
  refused,
  { app: '[json-rpc]\nfilter-cap = "3"' },
  'BAD_SETTING',
  /expected a number, received "3"/,
)
test(
  'a number of blocks without quotes',
  refused,
  { app: 'pruning-keep-recent = 100' },
  'BAD_SETTING',
  /expected a text in quotes/,
)
test(
  'a number of blocks that is none',
  refused,
  { app: 'pruning-interval = "ten"' },
  'BAD_SETTING',
  /a number of blocks in quotes/,
)
test(
  'a word for yes or no',
  refused,
  { flags: { 'rpc.unsafe': 'yes' } },
  'BAD_SETTING',
  /expected true or false, received "yes"/,
)
test(
  'a duration without a unit',
  refused,
  { flags: { interval: '5' } },
  'BAD_SETTING',
  /expected a duration like .*received "5".*5ms or 5s/,
)
test(
  'a choice that is none',
  refused,
  { flags: { blocks: 'manuel' } },
  'BAD_SETTING',
  /one of auto, interval, mixed, manual, received "manuel".*Did you mean manual\?/,
)
test(
  'a namespace that is none',
  refused,
  { flags: { 'json-rpc.api': 'eth,nett' } },
  'BAD_SETTING',
  /expected a namespace, received "eth,nett".*Did you mean net\?/,
)
for (const [what, powers] of Object.entries({
  'no power': '0',
  'a fraction': '1.5',
  'a word': 'much',
  'a debt': '5,-1',
})) {
  test(
    `a validator whose voting power is ${what}`,
    refused,
    { flags: { 'validator-powers': powers } },
    'BAD_SETTING',
    /--validator-powers: expected a whole number from 1 to 1000000000, received/,
  )
}
test(
  'two validators of one name',
  refused,
  { flags: { 'validator-names': 'ann,ben,ann' } },
  'BAD_SETTING',
  /--validator-names: expected each name once, and ann is repeated, received "ann,ben,ann"/,
)
test('a quirk that is none', refused, { flags: { quirks: 'faithfull' } }, 'BAD_SETTING', /Did you mean faithful\?/)
test(
  'an address without a scheme on CometBFT RPC',
  refused,
  { flags: { 'rpc.laddr': '127.0.0.1:1' } },
  'BAD_SETTING',
  /expected tcp:\/\/HOST:PORT or unix:\/\/PATH/,
)
test(
  'a port that is none',
  refused,
  { flags: { 'json-rpc.address': '127.0.0.1:70000' } },
  'BAD_SETTING',
  /port up to 65535/,
)
test('a time that is none', refused, { flags: { 'genesis-time': 'yesterday' } }, 'BAD_SETTING', /RFC 3339/)

test('every default is a value that would be taken', (t) => {
  for (const profile of ['local', 'evmd', 'documented'] as const) {
    const wanted = profileSettings(profile)
    const texts = settings.map(([name, { flag }]) => [flag, String(wanted[name])] as const)
    t.deepEqual(
      resolveSettings({ flags: new Map(texts), environment: {}, files: undefined, scenario: undefined }),
      wanted,
    )
  }
})

test('no two settings share a flag, a variable or a key', (t) => {
  const flagNames = settings.flatMap(([, one]) => [one.flag, ...(one.aliases ?? [])])
  t.is(new Set(flagNames).size, flagNames.length)
  t.is(new Set(flagNames.map(environmentName)).size, flagNames.length)
  const keys = settings.flatMap(([, { file }]) =>
    file === undefined ? [] : [`${file.name} ${file.section} ${file.key}`],
  )
  t.is(new Set(keys).size, keys.length)
})

test('of two versions of a file, live keys change and others wait', (t) => {
  const before = resolved({ config: '' })
  const after = resolved({ config: '[rpc]\ncors_allowed_origins = ["*"]\nladdr = "tcp://127.0.0.1:1"' })
  t.deepEqual(settingsChange(before, after), {
    live: { corsAllowedOrigins: ['*'] },
    later: ['rpc.laddr'],
    laterNames: ['rpcLaddr'],
  })
  t.deepEqual(settingsChange(before, before), { live: {}, later: [], laterNames: [] })
})

const asNumber = { env: { CHAINSTAGE_CHAIN_ID: '1337' } }
test('a number as the chain id in the environment is the EVM chain id', wins, asNumber, 'evmChainId', 1337)
test('a number as the chain id in the environment gives the Cosmos one', wins, asNumber, 'chainId', 'chainstage_1337-1')
const both = { env: { CHAINSTAGE_CHAIN_ID: '1337', CHAINSTAGE_EVM_EVM_CHAIN_ID: '5' } }
test('beside an EVM chain id a number is the Cosmos chain id', wins, both, 'chainId', '1337')
