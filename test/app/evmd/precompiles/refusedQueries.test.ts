/** Queries of precompiles that a node of Cosmos EVM 0.5.0 refused, in its words. */
import test from 'ava'
import { decodeErrorResult, encodeFunctionData, parseAbi } from 'viem'
import { alice, at, startCaller } from '../../../helpers/precompiles.ts'

const abi = parseAbi([
  'struct Page { bytes key; uint64 offset; uint64 limit; bool countTotal; bool reverse; }',
  'function getDeposit(uint64, address)',
  'function validatorCommission(string)',
  'function validatorOutstandingRewards(string)',
  'function validatorSlashes(string, uint64, uint64, Page)',
])
const errors = parseAbi(['error Error(string)'])
const unknown = '0x96e5ad4117ac31a12e3939a2b3bba33324810345'
const page = { key: '0x', offset: 0n, limit: 0n, countTotal: false, reverse: false } as const
const slashes = (validator: string, from: bigint, to: bigint) =>
  encodeFunctionData({ abi, functionName: 'validatorSlashes', args: [validator, from, to, page] })

const deposit =
  `("1", "cosmos17w0adeg64ky0daxwd2ugyuneellmjgnxramjtq")' of type ` +
  'github.com/cosmos/gogoproto/cosmos.gov.v1.Deposit'
const cases = {
  'a deposit that does not exist': [
    at.gov,
    encodeFunctionData({ abi, functionName: 'getDeposit', args: [1n, alice.address] }),
    `rpc error: code = NotFound desc = collections: not found: key '${deposit}`,
  ],
  'the commission of no validator': [
    at.distribution,
    encodeFunctionData({ abi, functionName: 'validatorCommission', args: [unknown] }),
    'validator does not exist',
  ],
  'the rewards of no validator': [
    at.distribution,
    encodeFunctionData({ abi, functionName: 'validatorOutstandingRewards', args: [unknown] }),
    'validator does not exist',
  ],
  'slashes until a height before the first': [
    at.distribution,
    slashes(unknown, 5n, 1n),
    'rpc error: code = InvalidArgument desc = starting height greater than ending height (5 > 1)',
  ],
  'slashes of what is no address': [
    at.distribution,
    slashes('bad', 1n, 5n),
    'rpc error: code = InvalidArgument desc = invalid validator address',
  ],
} as const

for (const [what, [address, data, text]] of Object.entries(cases)) {
  test(`a precompile refuses ${what}`, async (t) => {
    const { call } = await startCaller()
    t.is(decodeErrorResult({ abi: errors, data: call(address, data).output }).args[0], text)
  })
}
