/** Calls as evmd v0.5.0 answered them. */
import test from 'ava'
import { decodeFunctionResult, encodeFunctionData, type Hex, parseAbi } from 'viem'
import { localSimulation } from '../../helpers/ethSimulation.ts'

const chain = localSimulation({ quirks: ['faithful'] })
const from = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266'
const to = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8'
const word = (value: bigint | number) => value.toString(16).padStart(64, '0')
const answer42 = `0x${word(42)}`
const answers = { code: '0x602a5f5260205ff3' }
const precompile = (number: number) => `0x${number.toString(16).padStart(40, '0')}`

const ask = (method: string, ...params: unknown[]) => {
  const { result, error } = chain.call(method, ...params)
  return result ?? error?.message
}
const hexOf = (value: bigint) => `0x${value.toString(16)}`

test('a call may bring more init code than a transaction', (t) => {
  const data = `0x5f5ff3${'00'.repeat(49_160)}`
  t.is(ask('eth_call', { from, data }, 'latest'), '0x')
  t.is(ask('eth_estimateGas', { from, data }), '0x7d2d0')
  t.like(ask('eth_createAccessList', { from, data }, 'latest'), { accessList: [] })
})

test('an override takes the place of a precompile of Ethereum', (t) => {
  for (const number of [1, 5]) {
    const at = precompile(number)
    t.is(ask('eth_call', { from, to: at }, 'latest', { [at]: answers }), answer42)
  }
  const [identity, moved] = [precompile(4), `0x${'77'.repeat(20)}`]
  const call = (override: object, address: string) =>
    ask('eth_call', { from, to: address, data: '0x12' }, 'latest', { [identity]: override })
  t.is(call({ balance: '0x5' }, identity), '0x')
  t.is(call({ movePrecompileToAddress: moved }, moved), '0x12')
})

test('a precompile does not move to an address that is overridden too', (t) => {
  const moved = `0x${'77'.repeat(20)}`
  for (const [target, more] of [
    [moved, { [moved]: answers }],
    [precompile(4), {}],
  ] as const) {
    const overrides = { [precompile(4)]: { movePrecompileToAddress: target }, ...more }
    const text = `failed to apply state override: account ${target} is already overridden`
    t.is(ask('eth_call', { from, to: moved }, 'latest', overrides), `rpc error: code = Internal desc = ${text}`)
  }
})

test('null in place of the block of an estimate is no block', (t) => {
  t.is(ask('eth_estimateGas', { from, to }, null), '0x5208')
})

const staking = precompile(0x800)
const spelling = parseAbi(['function hexToBech32(address,string) returns (string)'])
const bech32 = {
  from,
  to: precompile(0x400),
  data: encodeFunctionData({ abi: spelling, args: [from, 'cosmos'] }),
}

test('with state overrides the node finds no precompile of Cosmos EVM, neither the overridden one nor another', (t) => {
  t.is(ask('eth_call', { from, to: staking }, 'latest', { [staking]: answers }), answer42)
  t.is(ask('eth_call', bech32, 'latest', { [to]: { balance: '0x5' } }), '0x')
})

test('in sane mode an override hides the precompile of its own address only', (t) => {
  const sane = localSimulation()
  const call = (...params: unknown[]) => sane.call('eth_call', ...params)
  const plain = call(bech32, 'latest').result
  t.regex(String(plain), /^0x[0-9a-f]{192,}$/)
  t.is(call(bech32, 'latest', { [to]: { balance: '0x5' } }).result, plain)
  t.is(call(bech32, 'latest', { [bech32.to]: answers }).result, answer42)
})

const most = 'f'.repeat(64)
for (const lengths of [most.repeat(3), word(0) + most + word(1), word(0) + word(0) + most]) {
  test(`nobody can pay for ModExp of the lengths 0x${lengths.replace(/f{60}/g, '…')}`, (t) => {
    const call = { from, to: precompile(5), data: `0x${lengths}` }
    t.is(ask('eth_call', call, 'latest'), 'rpc error: code = Internal desc = out of gas')
    t.is(ask('eth_estimateGas', call), 'rpc error: code = Unknown desc = gas required exceeds allowance (50000000)')
  })
}

for (const price of [1n << 128n, 1n << 255n]) {
  for (const fee of ['maxFeePerGas', 'gasPrice']) {
    test(`a call may name ${fee} ${hexOf(price)}`, (t) => {
      const call = { from, to, gas: '0x5208', [fee]: hexOf(price) }
      t.is(ask('eth_call', call, 'latest'), '0x')
      t.like(ask('debug_traceCall', call, 'latest', { tracer: 'callTracer' }), { gas: '0x5208' })
    })
  }
}

for (const gas of [1n << 63n, (1n << 64n) - 1n]) {
  test(`gas of ${gas} is refused before the balance is looked at`, (t) => {
    const most64 = '9223372036854775807'
    t.is(
      ask('eth_sendTransaction', { from, to, gas: hexOf(gas) }),
      `tx basic validation failed: invalid gas supplied; ${gas} > ${most64}: invalid request: invalid request`,
    )
  })
}

/** Calls bech32ToHex of the bech32 precompile. */
function read(text: string): unknown {
  const digits = Buffer.from(text).toString('hex')
  const padded = digits.padEnd(Math.ceil(digits.length / 64) * 64, '0')
  const data = `0xe6df461e${word(32)}${word(text.length)}${padded}`
  return ask('eth_call', { from, to: precompile(0x400), data }, 'latest')
}
const zero = 'cosmos1qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqnrql8a'
const refusals: readonly (readonly [string, string])[] = [
  [zero.toUpperCase(), 'invalid Bech32 prefix; expected COSMOS, got cosmos'],
  [`C${zero.slice(1)}`, 'decoding bech32 failed: string not all lowercase or all uppercase'],
  ['cosmos1', 'decoding bech32 failed: invalid bech32 string length 7'],
  ['cosmos1w3jhxap3gempvr8ehjz', 'decoding bech32 failed: invalid checksum'],
  ['cosmos1pzrj5djha', 'decoding bech32 failed: invalid incomplete group'],
  ['cosmos1qqqqqqqb', 'decoding bech32 failed: invalid character not part of charset: 98'],
]
for (const [text, wanted] of refusals) {
  test(`the bech32 precompile refuses ${text}`, (t) => {
    t.true(String(read(text)).startsWith(`rpc error: code = Internal desc = ${wanted}`))
    t.is(read(zero), `0x${word(0)}`)
  })
}

const own = '7w0adeg64ky0daxwd2ugyuneellmjgnx'
const prefixes = { 'a b': /^a b1/, 'Ab c': /^ab c1/, é: /^é1/, '\0': /^\0/ } as const
for (const [prefix, spelled] of Object.entries(prefixes)) {
  test(`a transaction that spells an address with the prefix ${JSON.stringify(prefix)} succeeds, and blocks go on`, (t) => {
    const data = encodeFunctionData({ abi: spelling, args: [from, prefix] })
    const call = { from, to: precompile(0x400), data, gas: '0x30d40' }
    const output = ask('eth_call', call, 'latest') as Hex
    const text = decodeFunctionResult({ abi: spelling, data: output })
    t.regex(text, spelled)
    t.true(text.includes(`1${own}`))
    const { status, blockNumber } = ask('eth_getTransactionReceipt', ask('eth_sendTransaction', call)) as Receipt
    t.is(status, '0x1')
    ask('evm_mine')
    t.is(Number(ask('eth_blockNumber')), Number(blockNumber) + 1)
  })
}
type Receipt = { readonly status: string; readonly blockNumber: string }

test('the floor of EIP-7623 is not charged, in traces neither', (t) => {
  const data = `0x${'ff'.repeat(200)}`
  const trace = (config: object) => ask('debug_traceCall', { from, to, data, gas: '0x9000' }, 'latest', config)
  t.like(trace({}), { gas: 24_200 })
  t.like(trace({ tracer: 'callTracer' }), { gasUsed: '0x5e88' })
  t.is(ask('eth_estimateGas', { from, to, data }), '0x7148')
})
