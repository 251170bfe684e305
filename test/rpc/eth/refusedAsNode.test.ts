/** Calls that evmd v0.5.0 refuses, with its texts. */
import test from 'ava'
import { keccak256, toHex, toRlp, type Hex } from 'viem'
import { privateKeyToAccount, sign } from 'viem/accounts'
import { localSimulation } from '../../helpers/ethSimulation.ts'

const chain = localSimulation({ quirks: ['faithful'], ethEnableProfiling: true })
const from = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266'
const to = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8'
const poor = `0x${'11'.repeat(20)}`
const hash = `0x${'11'.repeat(32)}`
const most = `0x${'f'.repeat(64)}`
const low = { from, to, gas: '0x1' }
const crash = 'method handler crashed'
const gasTooLow = 'rpc error: code = Internal desc = apply message: intrinsic gas too low'
const noFrame = 'rpc error: code = Internal desc = runtime error: index out of range [0] with length 0'
const noFunds = 'rpc error: code = Unknown desc = insufficient funds for transfer'
const noKey = /^no key for given address or file; key with address cosmos1\w+ not found: key not found$/

type Case = readonly [string, string, readonly unknown[], string | RegExp]

const filled: readonly Case[] = ['eth_createAccessList', 'eth_fillTransaction']
  .flatMap((method): Case[] => [
    [
      `${method} with a cap below the suggested tip`,
      method,
      [{ from, to, maxFeePerGas: '0x1' }],
      /^maxFeePerGas \(0x1\) < maxPriorityFeePerGas \(0x[1-9a-f][0-9a-f]*\)$/,
    ],
    [`${method} with more value than there is`, method, [{ from, to, value: most }], noFunds],
    [`${method} from an account without funds`, method, [{ from: poor, to }], noFunds],
    [
      `${method} with a tip that nobody can pay`,
      method,
      [{ from, to, maxPriorityFeePerGas: '0xffffffffffffffffffff' }],
      'rpc error: code = Unknown desc = insufficient funds for gas * price + value',
    ],
    [
      `${method} with a cap below the tip and two inputs`,
      method,
      [{ from, maxFeePerGas: '0x1', maxPriorityFeePerGas: '0x2', data: '0x01', input: '0x02' }],
      'maxFeePerGas (0x1) < maxPriorityFeePerGas (0x2)',
    ],
  ])
  .map(
    ([name, method, params, text]): Case => [
      name,
      method,
      method === 'eth_createAccessList' ? [...params, 'latest'] : params,
      text,
    ],
  )

const traced: readonly Case[] = Object.entries({
  'the struct logger': [{}, gasTooLow],
  callTracer: [{ tracer: 'callTracer' }, noFrame],
  flatCallTracer: [{ tracer: 'flatCallTracer' }, noFrame],
  erc7562Tracer: [{ tracer: 'erc7562Tracer' }, noFrame],
  'a mux with callTracer': [{ tracer: 'muxTracer', tracerConfig: { callTracer: {} } }, noFrame],
  'an empty mux': [{ tracer: 'muxTracer' }, gasTooLow],
  prestateTracer: [{ tracer: 'prestateTracer' }, gasTooLow],
  '4byteTracer': [{ tracer: '4byteTracer' }, gasTooLow],
  noopTracer: [{ tracer: 'noopTracer' }, gasTooLow],
  'a script': [{ tracer: '{result: function() { return 1 }, fault: function() {}}' }, gasTooLow],
} as const).map(([name, [config, text]]) => [
  `a trace without gas by ${name}`,
  'debug_traceCall',
  [low, 'latest', config],
  text,
])

const cases: readonly Case[] = [
  ...filled,
  ...traced,
  [
    'an access list with overrides that are none',
    'eth_createAccessList',
    [{ from, to }, 'latest', 'x'],
    /^failed to apply transaction: 0x[0-9a-f]{64} err: rpc error: code = InvalidArgument desc = invalid state overrides format: json: cannot unmarshal string into Go value of type types\.StateOverride$/,
  ],
  [
    'a transaction at an index from 2^63 on',
    'eth_getTransactionByBlockNumberAndIndex',
    ['0x1', `0x8${'0'.repeat(15)}`],
    crash,
  ],
  ['fees of 2^63 blocks', 'eth_feeHistory', [`0x8${'0'.repeat(15)}`, 'latest', []], crash],
  [
    'fees of a list of blocks',
    'eth_feeHistory',
    [['0x1'], 'latest', []],
    'invalid argument 0: invalid hex or decimal integer "[\\"0x1\\"]"',
  ],
  [
    'logs of an address with one wrong digit',
    'eth_getLogs',
    [{ address: '0xg' }],
    'invalid argument 0: invalid address: invalid hex string',
  ],
  [
    'logs of an address with one digit',
    'eth_getLogs',
    [{ address: '0x1' }],
    'invalid argument 0: invalid address: hex string of odd length',
  ],
  ['typed data without a domain for a stranger', 'eth_signTypedData', [poor, {}], noKey],
  ['no typed data for a stranger', 'eth_signTypedData', [poor, null], noKey],
  ['no typed data', 'eth_signTypedData', [from, null], 'domain is undefined'],
  ['half a byte as a key', 'personal_importRawKey', ['1', ''], 'invalid hex data for private key'],
  ['a byte as a key', 'personal_importRawKey', ['11', ''], 'invalid length, need 256 bits'],
  [
    'intermediate roots with a number',
    'debug_intermediateRoots',
    [hash, 0],
    'invalid argument 1: json: cannot unmarshal number into Go value of type types.TraceConfig',
  ],
  [
    'a block that begins with a text',
    'debug_traceBlock',
    ['0x8000000000000000', {}],
    'could not decode block: rlp: expected input list for types.extblock',
  ],
]

for (const [name, method, params, text] of cases) {
  test(`the node refuses ${name}`, (t) => {
    const { error } = chain.call(method, ...params)
    if (typeof text === 'string') t.is(error?.message, text)
    else t.regex(error?.message ?? '', text)
  })
}

const key = `0x${'42'.repeat(32)}` as const
const legacy: Hex[] = ['0x', '0x4a817c800', '0x5208', to, '0x1', '0x']

test('the node takes each v of a legacy transaction but four for a chain ID, which it counts in 64 bits', async (t) => {
  const { r, s } = await sign({ hash: keccak256(toRlp(legacy)), privateKey: key })
  const refusal = (v: number) => {
    const raw = toRlp([...legacy, v === 0 ? '0x' : toHex(v), r, s])
    return chain.call('eth_sendRawTransaction', raw).error?.message
  }
  t.is(refusal(26), 'incorrect chain-id; expected 31337, got 9223372036854775803')
  t.is(refusal(29), 'incorrect chain-id; expected 31337, got 9223372036854775805')
  for (const v of [0, 1, 27, 28]) {
    t.is(refusal(v), 'only replay-protected (EIP-155) transactions allowed over RPC')
  }
})

test('the node crashes at a fee of more than 256 bits', async (t) => {
  const raw = await privateKeyToAccount(key).signTransaction({
    chainId: 31337,
    type: 'eip1559',
    nonce: 0,
    gas: 21_000n,
    to,
    maxFeePerGas: 2n ** 255n,
    maxPriorityFeePerGas: 0n,
  })
  t.is(chain.call('eth_sendRawTransaction', raw).error?.message, crash)
})
