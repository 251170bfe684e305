/**
 * Checks of setting values beyond their type, chosen by setting or by the form of the default
 * value.
 */
import { bech32Prefixes } from '../../settings/bech32Prefix.ts'
import { nearest } from '../../data/nearest.ts'
import { durationMs } from '../../settings/duration.ts'
import { quirks } from '../../settings/quirks.ts'
import type { Setting, SettingValue } from '../../settings/setting.ts'
import type { SettingName } from '../../settings/settings.ts'
import { mostVotingPower } from '../../settings/validators.ts'

/** The expected value, and a suggestion if there is one. */
export type Complaint = { readonly expected: string; readonly hint?: string }

type Check = (value: SettingValue) => Complaint | undefined

const namespaces = ['eth', 'web3', 'net', 'txpool', 'debug', 'personal', 'miner', 'admin', 'dev']

const byName: Partial<Record<SettingName, Check>> = {
  ethApi: (value) => eachOf('a namespace', namespaces)(value) ?? repeated('namespace', value),
  quirks: eachOf('sane, faithful or the name of a quirk', ['sane', 'faithful', ...Object.keys(quirks)]),
  rpcLaddr: (value) =>
    addresses(
      String(value),
      /^(?:tcp:\/\/(?:\[[^\]]+\]|[^:/]*):\d{1,5}|unix:\/\/.+)$/,
      'tcp://HOST:PORT or unix://PATH',
    ),
  ethAddress: hostAndPort,
  ethWsAddress: hostAndPort,
  controlAddress: hostAndPort,
  prometheusAddress: hostAndPort,
  prometheusNamespace: metricName,
  telemetryService: metricName,
  grpcAddress: hostAndPort,
  apiAddress: (value) =>
    addresses(String(value), /^(?:tcp:\/\/)?(?:\[[^\]]+\]|[^:/]*):\d{1,5}$/, 'HOST:PORT or tcp://HOST:PORT'),
  genesisTime: (value) =>
    /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/.test(String(value)) && !Number.isNaN(Date.parse(String(value)))
      ? undefined
      : { expected: 'an RFC 3339 time in UTC like 2025-01-01T00:00:00Z' },
  chainId: (value) => (/^.{1,50}$/.test(String(value)) ? undefined : { expected: '1 to 50 characters' }),
  bech32Prefix: (value) =>
    bech32Prefixes.test(String(value)) ? undefined : { expected: '1 to 40 lower-case letters or digits, like cosmos' },
  mnemonic: (value) => (String(value).trim() === '' ? { expected: 'the words of a mnemonic' } : undefined),
  minimumGasPrices: (value) =>
    /^(?:\d+(?:\.\d+)?[a-z][a-z0-9/]*(?:,|$))*$/.test(String(value))
      ? undefined
      : { expected: 'a price with its denomination like 0atest' },
  subscriptionBuffer: between(100, Number.MAX_SAFE_INTEGER),
  evmChainId: between(1, Number.MAX_SAFE_INTEGER),
  accounts: between(0, 10_000),
  validators: between(1, 100),
  validatorNames: (value) => repeated('name', value),
  validatorPowers: votingPowers,
  validatorKeys: (value) =>
    membersOf(value).every((one) => /^[A-Za-z0-9+/]{86}==$/.test(one))
      ? undefined
      : { expected: '64 bytes in base64 for each key, like priv_key.value of a priv_validator_key.json' },
  gasLimit: between(1, Number.MAX_SAFE_INTEGER),
  mempoolMaxTxs: between(-1, Number.MAX_SAFE_INTEGER),
  feeHistoryCap: between(1, Number.MAX_SAFE_INTEGER),
  mempoolPriceBump: between(1, Number.MAX_SAFE_INTEGER),
  ethBatchRequestLimit: between(1, Number.MAX_SAFE_INTEGER),
  interval: (value) => (value === '' ? undefined : duration(String(value))),
  pruningKeepRecent: blockCount,
  pruningInterval: blockCount,
  maxHeaderBytes: between(1, 16 * 1024 * 1024),
  txFeeCap: (value) => (Number(value) >= 0 ? undefined : { expected: 'a number of at least 0' }),
}

const looksLikeDuration = /^(?:\d+(?:\.\d+)?(?:ms|s|m|h))+$/

/** Returns the problem of a value that has the right type, or undefined. */
export function complaintOf(name: SettingName, one: Setting<SettingValue>, value: SettingValue): Complaint | undefined {
  if (one.choices !== undefined) {
    if (one.choices.includes(String(value))) return undefined
    const hint =
      nearestHint(String(value), one.choices) ?? (name === 'blocks' ? blockTimeHint(String(value)) : undefined)
    return { expected: `one of ${one.choices.join(', ')}`, ...(hint !== undefined && { hint }) }
  }
  const own = byName[name]
  if (own !== undefined) return own(value)
  if (typeof value === 'number') return between(0, Number.MAX_SAFE_INTEGER)(value)
  if (typeof one.value === 'string' && looksLikeDuration.test(one.value)) {
    return duration(String(value))
  }
  return undefined
}

/** Checks a number of blocks, which is a quoted string in the node's own files. */
function blockCount(value: SettingValue): Complaint | undefined {
  return /^\d{1,15}$/.test(String(value)) ? undefined : { expected: 'a number of blocks in quotes' }
}

function duration(text: string): Complaint | undefined {
  try {
    return durationMs(text) < 0n ? { expected: 'a duration of at least 0' } : undefined
  } catch {
    return {
      expected: 'a duration like 500ms, 10s or 1m30s',
      ...(/^\d+$/.test(text) ? { hint: `Give its unit: ${text}ms or ${text}s.` } : {}),
    }
  }
}

function between(least: number, most: number): Check {
  const range =
    most === Number.MAX_SAFE_INTEGER ? `a whole number of at least ${least}` : `a whole number from ${least} to ${most}`
  const isIn = (value: unknown) => Number.isInteger(value) && Number(value) >= least && Number(value) <= most
  return (value) => (isIn(value) ? undefined : { expected: range })
}

function eachOf(expected: string, known: readonly string[]): Check {
  return (value) => {
    const wrong = membersOf(value).find((one) => !known.includes(one))
    if (wrong === undefined) return undefined
    return { expected, hint: nearestHint(wrong, known) ?? `Choose from ${known.join(', ')}.` }
  }
}

function nearestHint(wrong: string, known: readonly string[]): string | undefined {
  const near = nearest(wrong, known)
  return near === undefined ? undefined : `Did you mean ${near}?`
}

/** Returns the hint for a time where a way to mine is expected. */
function blockTimeHint(text: string): string | undefined {
  return looksLikeDuration.test(text) || /^\d+$/.test(text)
    ? `The time between blocks is --block-time ${text}.`
    : undefined
}

/** Checks for repeated members of a list; `kind` names a member. */
function repeated(kind: string, value: SettingValue): Complaint | undefined {
  const names = membersOf(value)
  const twice = names.find((one, index) => names.indexOf(one) < index)
  return twice === undefined ? undefined : { expected: `each ${kind} once, and ${twice} is repeated` }
}

/** Checks voting powers, whose range is that of powers in scenarios. */
function votingPowers(value: SettingValue): Complaint | undefined {
  const check = between(1, mostVotingPower)
  return membersOf(value)
    .map((one) => check(/^\d+$/.test(one) ? Number(one) : Number.NaN))
    .find((complaint) => complaint !== undefined)
}

function membersOf(value: SettingValue): readonly string[] {
  return Array.isArray(value) ? value : []
}

function hostAndPort(value: SettingValue): Complaint | undefined {
  return addresses(String(value), /^(?:\[[^\]]+\]|[^:/]*):\d{1,5}$/, 'HOST:PORT')
}

/**
 * Checks for letters, digits and underscores, as in names of Prometheus metrics; an empty value is
 * allowed.
 */
function metricName(value: SettingValue): Complaint | undefined {
  return /^(?:[a-zA-Z_][a-zA-Z0-9_]*)?$/.test(String(value))
    ? undefined
    : { expected: 'letters, digits and underscores, not beginning with a digit' }
}

/** Checks listener addresses. An empty text turns the listener off; port 0 selects a free port. */
function addresses(text: string, form: RegExp, expected: string): Complaint | undefined {
  const isGood = (one: string) => form.test(one) && Number(/:(\d+)$/.exec(one)?.[1] ?? 0) <= 65_535
  if (text === '' || text.split(',').every((one) => isGood(one.trim()))) return undefined
  return {
    expected: `${expected}, with a port up to 65535`,
    hint: 'Port 0 means any free port. An empty text turns the listener off.',
  }
}
