/** Converts the values of other tools' flags to flags of chainstage. */
import { SimError } from '../../errors.ts'
import { derivedChainId } from '../config/resolve.ts'

/** Values of the other foreign flags by their first name, and all words of the command line. */
export type Others = { readonly values: ReadonlyMap<string, string>; readonly words: readonly string[] }

/** Returns the flags of chainstage that a value stands for. Throws `BadForeignValue`. */
export type Means = (value: string, others: Others) => readonly string[]

/** Returns the given words, with `$` replaced by the value. */
export function to(...words: readonly string[]): Means {
  return (value) => words.map((word) => (word === '$' ? value : word))
}

/** Returns the address of Ethereum JSON-RPC. */
export const portOf: Means = (port, { values }) => {
  if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535) throw new BadForeignValue('--port', 'a port up to 65535', port)
  return ['--json-rpc.address', at(values.get('--host'), port)]
}

/** Returns the addresses of all listeners except the control port, each with its default port. */
export const hostOf: Means = (host, { values }) => [
  ...['--json-rpc.address', at(host, values.get('--port') ?? '8545')],
  ...['--json-rpc.ws-address', at(host, '8546')],
  ...['--rpc.laddr', `tcp://${at(host, '26657')}`],
  ...['--api.address', at(host, '1317')],
  ...['--grpc.address', at(host, '9090')],
]

function at(host = '127.0.0.1', port: string): string {
  return `${host.includes(':') && !host.startsWith('[') ? `[${host}]` : host}:${port}`
}

/**
 * Returns both chain ids for a number, as in Anvil, and the Cosmos chain id for other text. With
 * `--evm.evm-chain-id`, a number is the Cosmos chain id, as in the node's own flags.
 */
export const chainIdOf: Means = (value, { words }) =>
  /^\d+$/.test(value) && !words.some((word) => word.startsWith('--evm.evm-chain-id'))
    ? ['--evm.evm-chain-id', value, '--chain-id', derivedChainId(value)]
    : ['--chain-id', value]

/** Flags of CometMock that Anvil does not have. With one of them, `--block-time` is CometMock's. */
const ofCometMock = [
  '--block-production-interval',
  '--auto-tx',
  '--starting-timestamp',
  '--starting-timestamp-from-genesis',
] as const

/**
 * Returns the interval for a number of seconds, as in Anvil. With another flag of CometMock, the
 * number is in milliseconds and sets block times only; a negative number selects wall time. A value
 * with a unit is passed on to chainstage's own `--block-time`.
 */
export const blockTimeOf: Means = (value, { values }) => {
  if (ofCometMock.some((name) => values.has(name)) && /^-?\d+$/.test(value)) {
    return Number(value) < 0 ? ['--time', 'wall'] : ['--time', 'logical', '--block-time', `${value}ms`]
  }
  if (!/^\d+(?:\.\d+)?$/.test(value)) return ['--block-time', value]
  const blocks = values.has('--mixed-mining') ? 'mixed' : 'interval'
  return ['--blocks', blocks, '--interval', `${value}s`, '--block-time', `${value}s`]
}

/**
 * Returns the mining mode of CometMock. Transactions mine blocks unless `--auto-tx=false`; a timer
 * mines blocks if the value is positive.
 */
export const productionOf: Means = (value, { values }) => {
  const isAuto = values.get('--auto-tx') !== 'false'
  if (Number(value) > 0) return ['--blocks', isAuto ? 'mixed' : 'interval', '--interval', `${value}ms`]
  return ['--blocks', isAuto ? 'auto' : 'manual']
}

/** Returns whether transactions mine blocks. `--block-production-interval` takes precedence. */
export const autoTxOf: Means = (value, { values }) =>
  values.has('--block-production-interval') ? [] : ['--blocks', value === 'false' ? 'manual' : 'auto']

/** Returns the fork flags for a URL or `URL@HEIGHT`. */
export const forkOf: Means = (value) => {
  const [, url, height] = /^(.+)@(\d+)$/.exec(value) ?? []
  return url === undefined || height === undefined ? ['--fork', value] : ['--fork', url, '--fork-height', height]
}

/** Returns no flags for `prague`, the only supported hard fork. */
export const hardforkOf: Means = (value) => {
  if (value.toLowerCase() === 'prague') return []
  throw new BadForeignValue('--hardfork', 'prague, the hard fork of Cosmos EVM v0.5.0', value)
}

/** Returns no flags for Anvil's default, at which the accounts of the mnemonic are. */
export const derivationPathOf: Means = (value) => {
  if (/^m\/44'\/60'\/0'\/0\/?$/.test(value)) return []
  const expected = "m/44'/60'/0'/0 (accounts at other paths are scenario fixtures)"
  throw new BadForeignValue('--derivation-path', expected, value)
}

/** Returns the genesis time for a Unix time in seconds or milliseconds. */
export function timeOf(flag: string, unit: 'seconds' | 'milliseconds'): Means {
  return (value) => {
    const given = /^\d{1,15}$/.test(value) ? Number(value) * (unit === 'seconds' ? 1000 : 1) : NaN
    const time = new Date(given)
    if (Number.isNaN(time.getTime())) throw new BadForeignValue(flag, `${unit} since 1970`, value)
    return ['--genesis-time', time.toISOString()]
  }
}

/** Thrown for an invalid value of another tool's flag. */
export class BadForeignValue extends SimError {
  constructor(flag: string, expected: string, received: string) {
    super('BAD_SETTING', `${flag}: expected ${expected}, received ${JSON.stringify(received)}`)
  }
}
