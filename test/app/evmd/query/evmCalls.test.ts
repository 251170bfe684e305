/** The EVM's calls over `abci_query`: requests and answers put together by hand. */
import test from 'ava'
import { encodeFunctionData, hexToBytes, type Hex } from 'viem'
import type { QueryResult } from '../../../../src/app/abci.ts'
import { abi, alice, at, caller, type CallerChain, methods, startCaller } from '../../../helpers/precompiles.ts'

const service = '/cosmos.evm.vm.v1.Query/'

/** Field 1 is the JSON of the call, field 2 the cap of gas. */
function request(args: object, gasCap = 3_000_000): Uint8Array {
  const json = Buffer.from(JSON.stringify(args))
  return Uint8Array.of(0x0a, ...varint(json.length), ...json, 0x10, ...varint(gasCap))
}

function varint(value: number): number[] {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...varint(value >>> 7)]
}

function ask({ chain }: CallerChain, method: string, data: Uint8Array): QueryResult {
  const query = { path: `${service}${method}`, data, height: 0n, prove: false }
  const { application, state } = chain
  return application.query(state, query, {
    stateAt: () => state,
    latestHeight: state.height,
    earliestHeight: 1n,
    chainId: 'chainstage-1',
  })
}

const balances: Hex = encodeFunctionData({ abi: methods, functionName: 'balances', args: [caller] })
const reverting: Hex = encodeFunctionData({
  abi,
  functionName: 'forwardThenRevert',
  args: [at.bank, balances],
})
const text = (result: QueryResult): string => Buffer.from(result.value ?? []).toString('latin1')

test('a call answers what it would of Ethereum JSON-RPC', async (t) => {
  const world = await startCaller()
  const wanted = world.call(at.bank, balances).output
  const result = ask(world, 'EthCall', request({ from: alice.address, to: at.bank, input: balances }))
  t.is(result.code, 0, result.log)
  t.true(text(result).includes(Buffer.from(hexToBytes(wanted)).toString('latin1')))
  t.false(text(result).includes('execution reverted'))
})

test('a call that reverts says so, with its reason', async (t) => {
  const result = ask(await startCaller(), 'EthCall', request({ to: caller, data: reverting }))
  t.is(result.code, 0, result.log)
  t.regex(text(result), /execution reverted/)
  t.regex(text(result), /taken back/)
})

test('gas is estimated, and what reverts has none', async (t) => {
  const world = await startCaller()
  const send = {
    from: alice.address,
    to: '0x00000000000000000000000000000000000a11ce',
    value: '0x1',
  }
  t.deepEqual([...(ask(world, 'EstimateGas', request(send)).value ?? [])], [0x08, ...varint(21_000)])
  const failing = ask(world, 'EstimateGas', request({ to: caller, data: reverting }))
  t.regex(text(failing), /taken back.*execution reverted/s)
})

const refused: Readonly<Record<string, readonly [string, Uint8Array, number, RegExp]>> = {
  'arguments that are no JSON': ['EthCall', Uint8Array.of(0x0a, 1, 0x7b), 18, /InvalidArgument/],
  'an address that is none': ['EthCall', request({ to: '0x12' }), 18, /want 40 for common\.Address/],
  'too low a cap': ['EstimateGas', request({}, 5), 18, /gas cap cannot be lower than 21000/],
  'a call in a block that nobody proposed': [
    'EthCall',
    Uint8Array.of(...request({ to: caller }), 0x1a, 1, 7),
    6,
    /Internal desc = failed to obtain coinbase address: .* cosmosvalcons1qudr8gqx\. Error: validator does not exist: val/,
  ],
  'an estimate in a block that nobody proposed': [
    'EstimateGas',
    Uint8Array.of(...request({ to: caller }), 0x1a, 1, 7),
    6,
    /Internal desc = failed to load evm config: unknown request$/,
  ],
  'a validator that is none': [
    'ValidatorAccount',
    Uint8Array.of(0x0a, 1, 0x78),
    18,
    /InvalidArgument desc = decoding bech32 failed: invalid bech32 string length 1/,
  ],
}

for (const [name, [method, data, code, log]] of Object.entries(refused)) {
  test(`${name} is refused as a query`, async (t) => {
    const result = ask(await startCaller(), method, data)
    t.is(result.code, code)
    t.regex(result.log, log)
  })
}

test('overrides are read before the call, and named where they are no JSON', async (t) => {
  const world = await startCaller()
  const noCall = Uint8Array.of(0x0a, 0)
  const overridden = (...json: number[]) => Uint8Array.of(...noCall, 0x2a, json.length, ...json)
  t.regex(ask(world, 'EthCall', noCall).log, /unexpected end of JSON input/)
  // An estimate ignores them.
  t.regex(ask(world, 'EstimateGas', Uint8Array.of(...request({ to: alice.address }), 0x2a, 1, 0x78)).log, /^$/)
  const { log } = ask(world, 'EthCall', overridden(0x78))
  t.regex(log, /invalid state overrides format: invalid character 'x' looking for beginning of value/)
})

test('a panic of a query over abci_query has its own code and no height', async (t) => {
  const { chain } = await startCaller()
  const query = { path: '/cosmos.tx.v1beta1.Service/TxEncode', data: Uint8Array.of(0x0a, 0), height: 0n, prove: false }
  const { application, state } = chain
  const context = { stateAt: () => state, latestHeight: state.height, earliestHeight: 1n, chainId: 'chainstage-1' }
  t.like(application.query(state, query, context), {
    code: 111222,
    codespace: 'undefined',
    log: 'runtime error: invalid memory address or nil pointer dereference: panic',
    height: 0n,
  })
})

test('arguments that are not UTF-8 are named by their first byte', async (t) => {
  const { code, log } = ask(await startCaller(), 'EthCall', Uint8Array.of(0x0a, 1, 0xff))
  t.not(code, 0)
  t.regex(log, /invalid character 'ÿ' looking for beginning of value/)
})
